//! `/api/v1/media/{mid}/picture-adjustment`: how what is made of an original picture is cropped and rotated.

use axum::extract::{Path, Request};
use axum::{Extension, Json};

use super::parameters::{not_found, path_id};
use super::request_context::{RequestContext, require_sign_in};
use super::responses::Media;
use crate::api::openapi::parameters::IfMatch;
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, conditional};
use isolario_core::actions::adjust_picture::adjust_picture;
use isolario_core::actions::{Author, Precondition};
use isolario_model::content::PictureAdjustment;
use isolario_model::origin::Origin;

/// Crop and rotate the picture of an original
///
/// Thumbnail, service file, text and tiles are made anew of the original, first cropped, then rotated. The original
/// stays as it is. An adjustment takes the place of the former one. It lasts until the original has other bytes. For
/// those who may change the media, which gets a revision.
#[utoipa::path(put, operation_id = "put_picture_adjustment", path = "/api/v1/media/{mid}/picture-adjustment",
    tag = "derivatives", params(("mid" = i64, Path, description = "Media id"), IfMatch),
    request_body = PictureAdjustment, responses(
    (status = 200, description = "The media as it is now", body = Media),
    (status = 400, description = "The body is not a JSON object", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the media", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "The size of the picture is not known, so it cannot be cropped", body = Message),
    (status = 412, description = "The media has changed: If-Match does not hold", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "It is no original picture, or the crop does not lie within it", body = Message),
))]
pub async fn put(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(mid): Path<String>,
    request: Request,
) -> Result<Json<Media>, ApiError> {
    require_sign_in(&context.actor)?;
    let mid = path_id("media", &mid)?;
    let expected = conditional::expected(request.headers());
    let adjustment: PictureAdjustment = context.body(request).await?;
    adjust(context, origin, mid, adjustment, expected).await
}

/// Show the picture of an original as it is
///
/// Takes its crop and rotation away.
#[utoipa::path(delete, operation_id = "delete_picture_adjustment", path = "/api/v1/media/{mid}/picture-adjustment",
    tag = "derivatives", params(("mid" = i64, Path, description = "Media id"), IfMatch), responses(
    (status = 200, description = "The media as it is now", body = Media),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the media", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 412, description = "The media has changed: If-Match does not hold", body = Message),
    (status = 422, description = "It is no original picture", body = Message),
))]
pub async fn delete(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(mid): Path<String>,
    request: Request,
) -> Result<Json<Media>, ApiError> {
    require_sign_in(&context.actor)?;
    let mid = path_id("media", &mid)?;
    let expected = conditional::expected(request.headers());
    let none = PictureAdjustment::default();
    adjust(context, origin, mid, none, expected).await
}

async fn adjust(
    context: RequestContext,
    origin: Origin,
    mid: i64,
    adjustment: PictureAdjustment,
    expected: Precondition,
) -> Result<Json<Media>, ApiError> {
    let actor = &context.actor;
    let author = Author::new(actor, origin);
    let repository = &context.repository;
    adjust_picture(repository, mid, adjustment, actor, author, expected)
        .await
        .map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
    context
        .read(move |snapshot| {
            let row = snapshot
                .read
                .one_media(snapshot.model(), mid, &snapshot.viewer)?;
            let row = row.ok_or_else(|| not_found("media", mid))?;
            Ok(Json(snapshot.media(row)?))
        })
        .await
}
