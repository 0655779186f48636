//! `/entity/file/{file}`: the record of a file, without its bytes (interface, Endpoints).

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::links::Links;
use super::openapi::parameters::{ChangeFormat, IfMatch, IfNoneMatch, ReadFormat};
use super::openapi::refusals::Refused;
use super::openapi::resources::{FileResource, JsonLd};
use super::request_format::{Format, read_format};
use super::upload::ContextExtensions;
use super::upload_route::UploadRoute;
use super::{ApiError, conditional};
use crate::api::app_state::AppState;
use isolario_core::actions::delete_file::delete_file;
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::may_view_file;
use isolario_core::actions::{Author, Refusal};
use isolario_core::repository::Repository;
use isolario_db::DbError;
use isolario_model::content::{EntityKind, FileRecord};
use isolario_model::formats;
use isolario_model::policy::{Actor, Denial};

const GET: UploadRoute = UploadRoute {
    template: "/entity/file/{file}",
    name: "rest.entity.file.GET",
};
const DELETE: UploadRoute = UploadRoute {
    template: "/entity/file/{file}",
    name: "rest.entity.file.DELETE",
};

/// The routes of file records.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(read, remove))
        .routes(routes!(remove_at_edit))
}

/// Read a file
#[utoipa::path(get, operation_id = "get_file", path = "/entity/file/{fid}", tag = "resources",
    params(("fid" = i64, Path), ReadFormat, IfNoneMatch), responses(
    (status = 200, description = "The resource, with Link headers", content(
        (FileResource = "application/json"), (JsonLd = "application/ld+json"))),
    (status = 304, description = "The bytes are those that If-None-Match names"),
    Refused<404>, Refused<406>))]
async fn read(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    (Extension(actor), _, Extension(base)): ContextExtensions,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let format = read_format(&Method::GET, uri.query(), &repository.config)?;
    let file = find(&repository, &GET, &id).await?;
    let file = visible(&repository, &actor, file).await?;
    let page = render(&repository, &actor, file, format, &base.0).await?;
    let mut response = page.response(StatusCode::OK);
    response.headers_mut().extend(page.links);
    Ok(conditional::answer(&headers, &page.etag, response))
}

/// What a request to delete a file consists of.
type FileDeletion = (
    State<Arc<Repository>>,
    Path<String>,
    ContextExtensions,
    Uri,
    HeaderMap,
);

/// Delete a file
#[utoipa::path(delete, operation_id = "delete_file_at_edit", path = "/entity/file/{fid}/edit", tag = "resources",
    params(("fid" = i64, Path), ChangeFormat, IfMatch), responses(
    (status = 204, description = "It is deleted"), Refused<404>, Refused<406>, Refused<412>))]
async fn remove_at_edit(deletion: FileDeletion) -> Result<StatusCode, ApiError> {
    remove(deletion).await
}

/// Delete a file
#[utoipa::path(delete, operation_id = "delete_file", path = "/entity/file/{fid}", tag = "resources",
    params(("fid" = i64, Path), ChangeFormat, IfMatch), responses(
    (status = 204, description = "It is deleted"), Refused<404>, Refused<406>, Refused<412>))]
async fn remove(
    (State(repository), Path(id), extensions, uri, headers): FileDeletion,
) -> Result<StatusCode, ApiError> {
    let (Extension(actor), Extension(origin), _) = extensions;
    read_format(&Method::DELETE, uri.query(), &repository.config)?;
    let fid = DELETE.id(EntityKind::File, &id)?;
    let expected = conditional::expected(&headers);
    let author = Author::new(&actor, origin);
    let deleted = delete_file(&repository, fid, &actor, author, expected);
    deleted.await.map_err(|refusal| match refusal {
        Refusal::NotFound { kind, .. } => DELETE.not_converted(kind.target_type()),
        other => ApiError::from_refusal(&actor, other),
    })?;
    Ok(StatusCode::NO_CONTENT)
}

async fn find(
    repository: &Repository,
    route: &UploadRoute,
    id: &str,
) -> Result<FileRecord, ApiError> {
    let fid = route.id(EntityKind::File, id)?;
    let found = repository.db.read(move |read| read.file(fid)).await?;
    found.ok_or_else(|| route.not_converted(EntityKind::File.target_type()))
}

async fn visible(
    repository: &Repository,
    actor: &Actor,
    file: FileRecord,
) -> Result<FileRecord, ApiError> {
    let viewer = actor.clone();
    let ask = move |read: &isolario_db::Read<'_>| -> Result<_, DbError> {
        Ok((may_view_file(read, &viewer, &file)?, file))
    };
    match repository.db.read(ask).await? {
        (true, file) => Ok(file),
        (false, _) => Err(ApiError::denied(actor, Denial::unseen_file())),
    }
}

/// A file's record written out.
pub(super) struct FileRepresentation {
    body: Vec<u8>,
    pub etag: String,
    format: Format,
    pub links: HeaderMap,
}

impl FileRepresentation {
    /// The response, without links.
    pub fn response(&self, status: StatusCode) -> Response {
        let mut response = (status, Body::from(self.body.clone())).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(self.format.mime()),
        );
        if let Ok(value) = HeaderValue::from_str(&self.etag) {
            headers.insert(header::ETAG, value);
        }
        response
    }
}

/// Writes a file's record.
pub(super) async fn render(
    repository: &Arc<Repository>,
    actor: &Actor,
    file: FileRecord,
    format: Format,
    base: &str,
) -> Result<FileRepresentation, ApiError> {
    let (repository, actor, base) = (repository.clone(), actor.clone(), base.to_owned());
    let db = repository.db.clone();
    let page = db.read(move |read| -> Result<FileRepresentation, DbError> {
        let context = ResponseContext {
            read,
            model: &repository.model(),
            actor: &actor,
            base: &base,
        };
        let document = match format {
            Format::Json => formats::file::write_file(&file, &context),
            Format::JsonLd => {
                let base = repository.config.base_url.as_deref().unwrap_or(&base);
                formats::jsonld::write_file(&file, &ResponseContext { base, ..context })
            }
        };
        let body = formats::json::encode(&document);
        let mut links = HeaderMap::new();
        let mut written = Links::new(&context);
        written.platform(&format!("/file/{}/delete", file.fid), "delete-form");
        written.write(&mut links);
        Ok(FileRepresentation {
            etag: conditional::etag(file.version, &body),
            body,
            format,
            links,
        })
    });
    Ok(page.await?)
}
