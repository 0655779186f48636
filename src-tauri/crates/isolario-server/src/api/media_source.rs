//! `PUT /media/{media}/source` replaces the file of a media (interface, Endpoints, note 7);
//! `PUT /media/add_derivative/{media}/{field}` fills one of its other file fields.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::middleware::from_fn;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ApiError;
use super::openapi::parameters::{ContentLocation, Digests, IfMatch, PartHeaders};
use super::openapi::refusals::{Message, Problem, Refused};
use super::openapi::values::Binary;
use super::resumption::announce_limits;
use super::upload::{ContextExtensions, accept};
use super::upload_route::{DERIVATIVE, SOURCE};
use crate::api::app_state::AppState;
use isolario_core::actions::upload_media::Destination;
use isolario_core::repository::Repository;
use isolario_model::content::EntityKind;

/// The routes of uploads to a media.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(put_source))
        .routes(routes!(put_derivative))
        .layer(from_fn(announce_limits))
}

/// Replace the bytes of a media
#[utoipa::path(put, operation_id = "replace_source", path = "/media/{mid}/source", tag = "files",
    params(("mid" = i64, Path), IfMatch, Digests, PartHeaders),
    request_body(content = inline(Binary), content_type = "*/*"), responses(
    (status = 201, description = "With Upload-Complete: ?0, the upload has begun; Location names it"),
    (status = 204, description = "The bytes are replaced"),
    (status = 400, description = "The request is malformed, or contradicts itself", content(
        (Message = "application/json"), (Problem = "application/problem+json"))),
    Refused<404>, Refused<412>, Refused<415>, Refused<422>))]
async fn put_source(
    State(repository): State<Arc<Repository>>,
    Path(media): Path<String>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let mid = SOURCE.id(EntityKind::Media, &media)?;
    accept(repository, extensions, Destination::Source { mid }, request).await
}

/// Fill another file field of a media, or replace its bytes
#[utoipa::path(put, operation_id = "add_derivative", path = "/media/add_derivative/{mid}/{field}", tag = "files",
    params(("mid" = i64, Path), ("field" = String, Path), ContentLocation, IfMatch, Digests, PartHeaders),
    request_body(content = inline(Binary), content_type = "*/*"), responses(
    (status = 201, description = "A new file, or an upload in parts that has begun"),
    (status = 204, description = "The bytes are replaced"),
    (status = 400, description = "The request is malformed, or contradicts itself", content(
        (Message = "application/json"), (Problem = "application/problem+json"))),
    Refused<404>, Refused<412>, Refused<415>, Refused<422>))]
async fn put_derivative(
    State(repository): State<Arc<Repository>>,
    Path((media, field)): Path<(String, String)>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let mid = DERIVATIVE.id(EntityKind::Media, &media)?;
    accept(
        repository,
        extensions,
        Destination::Field { mid, field },
        request,
    )
    .await
}
