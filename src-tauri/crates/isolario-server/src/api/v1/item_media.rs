//! `/api/v1/items/{nid}/media`: the media of one item.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::path_id;
use super::request_context::RequestContext;
use super::responses::Media;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;

/// The media of an item, by id.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemMedia {
    media: Vec<Media>,
}

/// Media of an item
#[utoipa::path(get, operation_id = "list_item_media", path = "/api/v1/items/{nid}/media", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemMedia),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<ItemMedia>, ApiError> {
    let nid = path_id("item", &nid)?;
    context
        .read(move |snapshot| {
            snapshot.place(nid)?;
            let rows = snapshot
                .read
                .item_media(snapshot.model(), nid, &snapshot.viewer)?;
            let media = rows.into_iter().map(|row| snapshot.media(row));
            Ok(Json(ItemMedia {
                media: media.collect::<Result<_, _>>()?,
            }))
        })
        .await
}
