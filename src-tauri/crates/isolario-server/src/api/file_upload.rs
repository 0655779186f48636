//! `POST /file/upload/{entity_type}/{bundle}/{field}`: bytes that become a file no media uses yet,
//! the way Islandora Workbench sends them.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::file::render;
use super::openapi::parameters::{ChangeFormat, Digests};
use super::openapi::refusals::Refused;
use super::openapi::resources::FileResource;
use super::openapi::values::Binary;
use super::request_format::read_format;
use super::resumption::Resumption;
use super::upload::{ContextExtensions, UploadHeaders, content_type, is_essence, text};
use super::{ApiError, ErrorCode, disposition};
use crate::api::app_state::AppState;
use isolario_core::actions::Author;
use isolario_core::actions::upload_file::{self, FileAdmission, FileUpload};
use isolario_core::repository::Repository;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;

const BYTES: &str = "application/octet-stream";
const WANTED: &str = "A file name in the format \"filename=FILENAME\" must be provided";

/// The route of file uploads.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(upload))
}

/// Store a file that no media uses yet
///
/// Content-Disposition names it: filename="a.jpg".
#[utoipa::path(post, operation_id = "upload_file", path = "/file/upload/{entity_type}/{bundle}/{field}", tag = "files",
    params(ChangeFormat, ("entity_type" = String, Path), ("bundle" = String, Path), ("field" = String, Path),
        ("Content-Disposition" = String, Header), Digests),
    request_body(content = inline(Binary), content_type = "application/octet-stream"), responses(
    (status = 201, description = "The record of the file", body = FileResource),
    Refused<404>, Refused<406>, Refused<415>, Refused<422>))]
async fn upload(
    State(repository): State<Arc<Repository>>,
    Path((entity_type, bundle, field)): Path<(String, String, String)>,
    (Extension(actor), Extension(origin), Extension(base)): ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let format = read_format(&Method::POST, request.uri().query(), &repository.config)?;
    let (parts, body) = request.into_parts();
    let author = Author::new(&actor, origin);
    let upload = FileUpload {
        kind: kind_of(&entity_type)?,
        bundle,
        field,
    };
    let admission = admit(&repository, &actor, author, &upload, &parts.headers)?;
    refuse_parts(&parts.headers)?;
    let body = UploadHeaders::read(&parts.headers)?.body(body);
    let received = upload_file::receive(&repository, &actor, &upload, admission, body).await;
    let file = received.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let page = render(&repository, &actor, file, format, &base.0).await?;
    Ok(page.response(StatusCode::CREATED))
}

fn kind_of(entity_type: &str) -> Result<EntityKind, ApiError> {
    EntityKind::from_target_type(entity_type).ok_or_else(|| {
        ApiError::new(
            ErrorCode::NotFound,
            format!("The \"{entity_type}\" entity type does not exist."),
        )
    })
}

fn admit(
    repository: &Repository,
    actor: &Actor,
    author: Author,
    upload: &FileUpload,
    headers: &HeaderMap,
) -> Result<FileAdmission, ApiError> {
    let refused = |refusal| ApiError::from_refusal(actor, refusal);
    require_bytes(headers)?;
    let bundle = upload_file::admit_field(&repository.model(), actor, upload).map_err(refused)?;
    let filename = filename(headers)?;
    upload_file::admit_name(bundle, &upload.field, &filename, author).map_err(refused)
}

fn require_bytes(headers: &HeaderMap) -> Result<(), ApiError> {
    let refused = |message: String| Err(ApiError::new(ErrorCode::UnsupportedMediaType, message));
    match content_type(headers) {
        Some(mime) if is_essence(&mime, BYTES) => Ok(()),
        Some(mime) => refused(format!(
            "No route found that matches \"Content-Type: {mime}\""
        )),
        None => refused("No \"Content-Type\" request header specified".into()),
    }
}

/// What comes here comes whole.
fn refuse_parts(headers: &HeaderMap) -> Result<(), ApiError> {
    match Resumption::read(headers).complete {
        Some(false) => Err(ApiError::bad_request(
            "Uploads in parts are taken by PUT at the media of a node; here a file comes whole.",
        )),
        _ => Ok(()),
    }
}

fn filename(headers: &HeaderMap) -> Result<String, ApiError> {
    let sent = text(headers, &header::CONTENT_DISPOSITION).ok_or_else(|| {
        ApiError::bad_request(format!(
            "\"Content-Disposition\" header is required. {WANTED}"
        ))
    })?;
    disposition::filename(&sent).ok_or_else(|| {
        ApiError::bad_request(format!(
            "No filename found in \"Content-Disposition\" header. {WANTED}"
        ))
    })
}
