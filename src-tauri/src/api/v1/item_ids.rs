//! `/api/v1/items/ids`: which items a list holds, and nothing else of them: for what is done to very many.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::items::ItemsQuery;
use super::parameters::Parameters;
use super::shapes::Message;
use crate::api::ApiError;

/// Numbers cost little: this many at once.
const LONGEST_PAGE: usize = 10_000;

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
/// The same list as `GET /api/v1/items` with the same parameters, in pages of 1,000 unless `limit` says otherwise, of 10,000 at most;
/// `fields` means nothing here.
#[utoipa::path(get, operation_id = "list_item_ids", path = "/api/v1/items/ids", tag = "lists", params(ItemsQuery), responses(
    (status = 200, body = ItemIds),
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 404, description = "The collection is not there for this viewer", body = Message),
))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<ItemsQuery>,
) -> Result<Json<ItemIds>, ApiError> {
    let (filter, order) = (
        query.filter(&asked.repository.model)?,
        query.order(&asked.repository.model)?,
    );
    let start = query.start(&order)?;
    let limit = query.limit(1_000, LONGEST_PAGE)?;
    asked
        .read(move |shown| {
            if let Some(nid) = filter.collection {
                shown.node(nid)?;
            }
            let page = shown
                .read
                .item_page(&filter, &shown.viewer, order, start, limit)?;
            Ok(Json(ItemIds {
                nids: page.rows,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
                total_is_exact: page.total.is_exact,
            }))
        })
        .await
}
