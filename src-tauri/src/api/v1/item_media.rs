//! `/api/v1/items/{nid}/media`: the media of one item.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::parameters::path_id;
use super::shapes::{Media, Message};
use crate::api::ApiError;

/// The media of an item, by id.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemMedia {
    media: Vec<Media>,
}

/// Media of an item
#[utoipa::path(get, operation_id = "list_item_media", path = "/api/v1/items/{nid}/media", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemMedia),
    (status = 404, description = "It is not there for this viewer", body = Message),
))]
pub async fn list(asked: Asked, Path(nid): Path<String>) -> Result<Json<ItemMedia>, ApiError> {
    let nid = path_id("item", &nid)?;
    asked
        .read(move |shown| {
            shown.node(nid)?;
            let rows = shown.read.item_media(shown.model(), nid, &shown.viewer)?;
            let media = rows.into_iter().map(|row| shown.media(row));
            Ok(Json(ItemMedia {
                media: media.collect::<Result<_, _>>()?,
            }))
        })
        .await
}
