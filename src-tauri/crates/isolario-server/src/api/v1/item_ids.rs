//! `/api/v1/items/ids`: which items a list holds, and nothing else of them: for what is done to very many.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::facet_choices::ChosenQuery;
use super::items::ItemsQuery;
use super::parameters::{Parameters, limit_up_to};
use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;

/// Numbers cost little: this many at once.
const LONGEST_PAGE: usize = 10_000;

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ItemIdsPageQuery {
    /// `next` of the previous page, in the same order.
    after: Option<String>,
    /// Instead of `after`: the number of items before the page.
    #[param(value_type = Option<i64>, minimum = 0)]
    offset: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 10_000, default = 1_000)]
    limit: Option<String>,
}

/// One page of the numbers of items.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemIds {
    /// Node ids in the order of the list.
    nids: Vec<i64>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// How many items the whole list holds.
    total: i64,
    /// As in the list of items.
    total_is_exact: bool,
}

/// Numbers of items by list, filter and order
///
/// The same list as `GET /api/v1/items` with the same parameters, in longer pages.
#[utoipa::path(get, operation_id = "list_item_ids", path = "/api/v1/items/ids", tag = "lists", params(ItemsQuery, ChosenQuery, ItemIdsPageQuery), responses(
    (status = 200, body = ItemIds),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "`q` or `chosen` is asked while there is no index of searches; the message says how far it is", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<ItemsQuery>,
    Parameters(page): Parameters<ItemIdsPageQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Json<ItemIds>, ApiError> {
    let list = query.read(&context, &all).await?;
    let start = list.start(page.after.as_ref(), page.offset.as_ref())?;
    let limit = limit_up_to(page.limit.as_ref(), 1_000, LONGEST_PAGE)?;
    context
        .read_lists(move |snapshot| {
            let page = list.page(snapshot, start, limit)?;
            Ok(Json(ItemIds {
                nids: page.rows,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
                total_is_exact: page.total.is_exact,
            }))
        })
        .await
}
