//! Nodes, media and terms written out.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::base_url::BaseUrl;
use super::links::Links;
use super::request_format::Format;
use super::{ApiError, conditional};
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::repository::Repository;
use isolario_db::DbError;
use isolario_model::content::{Bundle, Entity};
use isolario_model::formats;
use isolario_model::policy::Actor;

/// A resource written out: bytes, tag and links.
pub struct EntityRepresentation {
    body: Vec<u8>,
    pub etag: String,
    format: Format,
    links: HeaderMap,
}

impl EntityRepresentation {
    /// The response, with its tag and links.
    pub fn response(self, status: StatusCode) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        *headers = self.links;
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

/// A resource written out for who has changed it.
///
/// # Errors
/// What the database refuses.
pub fn render(
    repository: &Repository,
    entity: &Entity,
    format: Format,
    (actor, base): (&Actor, &BaseUrl),
) -> Result<EntityRepresentation, ApiError> {
    let page = repository.db.read_here(|read| {
        let context = ResponseContext {
            read,
            model: &repository.model(),
            actor,
            base: &base.0,
        };
        write_page(repository, &context, entity, format, false)
    });
    Ok(page?)
}

/// Writes a resource.
///
/// # Errors
/// What the database refuses.
pub fn write_page(
    repository: &Repository,
    context: &ResponseContext<'_>,
    entity: &Entity,
    format: Format,
    with_links: bool,
) -> Result<EntityRepresentation, DbError> {
    let empty = Bundle::unknown(entity.kind, &entity.bundle);
    let bundle = context
        .model
        .bundle(entity.kind, &entity.bundle)
        .map_or(&empty, |bundle| bundle);
    let body = match format {
        Format::Json => formats::json::encode_entity(entity, bundle, context),
        Format::JsonLd => {
            let lasting = ResponseContext {
                base: repository
                    .config
                    .base_url
                    .as_deref()
                    .unwrap_or(context.base),
                ..*context
            };
            let document = formats::jsonld::write_entity(entity, bundle, &lasting);
            formats::json::encode(&document)
        }
    };
    let mut links = HeaderMap::new();
    if with_links {
        let formats = &repository.config.rest.method("GET").formats;
        Links::new(context)
            .of_entity(entity, bundle, format, formats)?
            .write(&mut links);
    }
    Ok(EntityRepresentation {
        etag: conditional::etag(entity.revision, &body),
        body,
        format,
        links,
    })
}
