//! `/api/v1/items/position`: where an item stands in a list, for a window that is to show it there.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::facet_choices::ChosenQuery;
use super::items::ItemsQuery;
use super::parameters::{Parameters, id, refused};
use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;

/// Which item.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PositionQuery {
    /// Node id.
    #[param(value_type = i64, minimum = 1)]
    nid: Option<String>,
}

/// The position of an item in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemPosition {
    /// How many items of the list stand before it, as `offset` counts; `null` where it does not stand in the list.
    offset: Option<i64>,
}

/// Read the position of an item in a list
///
/// In the list of `GET /api/v1/items` with the same parameters. What is before it is
/// counted in the index.
#[utoipa::path(get, operation_id = "get_item_position", path = "/api/v1/items/position", tag = "lists",
    params(PositionQuery, ItemsQuery, ChosenQuery), responses(
    (status = 200, body = ItemPosition),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "`q` or `chosen` is asked while there is no index of searches; the message says how far it is", body = Message),
))]
pub async fn position(
    context: RequestContext,
    Parameters(which): Parameters<PositionQuery>,
    Parameters(query): Parameters<ItemsQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Json<ItemPosition>, ApiError> {
    let nid = id("nid", which.nid.as_ref())?;
    let nid = nid.ok_or_else(|| refused("nid", "the number of an item"))?;
    let list = query.read(&context, &all).await?;
    context
        .read_lists(move |snapshot| {
            let offset = list.position(snapshot, nid)?;
            Ok(Json(ItemPosition { offset }))
        })
        .await
}
