//! `/api/v1/items`: items by list, filter and order, and one item.

use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::parameters::{Parameters, after, choice, id, limit, not_found, path_id, text};
use super::shapes::{Item, Message, NodeTitle};
use crate::api::ApiError;
use crate::content::{ContentModel, EntityKind};
use crate::db::{ItemFilter, ItemSort, Order, View};

/// Which items, in which order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ItemsQuery {
    /// `all` (as without it), `unfiled` (no collections, without a parent that the viewer may see), `unpublished`,
    /// `without_original` (neither a collection nor with an original file) or `recent` (changed in
    /// the last thirty days; the newest first unless `sort` says otherwise).
    #[param(value_type = Option<String>, pattern = "^(all|unfiled|unpublished|without_original|recent)$")]
    view: Option<String>,
    /// Only direct members of this node, collections among them.
    #[param(value_type = Option<i64>, minimum = 1)]
    collection: Option<String>,
    /// Only items with all these words, or their beginnings, in title or metadata.
    q: Option<String>,
    /// Only items with this term as model.
    #[param(value_type = Option<i64>, minimum = 1)]
    model: Option<String>,
    /// Only published (1) or unpublished (0) items.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 1)]
    status: Option<String>,
    /// Only items of this node type.
    #[serde(rename = "type")]
    node_type: Option<String>,
    /// `title` (as without it), `created`, `changed`, `nid`, `weight` or `date`. Items without a
    /// weight or date stand at the end in both directions.
    #[param(value_type = Option<String>, pattern = "^(title|created|changed|nid|weight|date)$")]
    sort: Option<String>,
    /// `asc` (as without it) or `desc`.
    #[param(value_type = Option<String>, pattern = "^(asc|desc)$")]
    order: Option<String>,
    /// `next` of the page before, asked in the same order.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// One page of items.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemList {
    items: Vec<Item>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// How many items the whole list holds.
    total: i64,
    /// False where counting a long filtered list would cost too much and `total` is an estimate.
    total_is_exact: bool,
}

/// An item and the way to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemWithAncestors {
    #[serde(flatten)]
    item: Item,
    /// From the top down, as far as the viewer may see them.
    ancestors: Vec<NodeTitle>,
}

/// Since when a change counts as recent, in Unix seconds.
pub fn recent_since() -> i64 {
    const THIRTY_DAYS: i64 = 30 * 24 * 60 * 60;
    chrono::Utc::now().timestamp() - THIRTY_DAYS
}

impl ItemsQuery {
    fn filter(&self, model: &ContentModel) -> Result<ItemFilter, ApiError> {
        Ok(ItemFilter {
            view: self.view()?,
            collection: id("collection", self.collection.as_ref())?,
            text: text(self.q.as_ref()).map(str::to_owned),
            model: id("model", self.model.as_ref())?,
            published: choice("status", self.status.as_ref(), &[("0", false), ("1", true)])?,
            bundle: self.bundle(model)?,
            recent_since: recent_since(),
        })
    }

    fn bundle(&self, model: &ContentModel) -> Result<Option<String>, ApiError> {
        match text(self.node_type.as_ref()) {
            Some(name) if model.bundle(EntityKind::Node, name).is_none() => Err(
                ApiError::bad_request(format!("There is no node type \"{name}\".")),
            ),
            name => Ok(name.map(str::to_owned)),
        }
    }

    fn view(&self) -> Result<View, ApiError> {
        Ok(choice("view", self.view.as_ref(), &View::ALL)?.unwrap_or(View::All))
    }

    fn order(&self) -> Result<Order, ApiError> {
        let sort = choice("sort", self.sort.as_ref(), &ItemSort::ALL)?;
        let descending = choice(
            "order",
            self.order.as_ref(),
            &[("asc", false), ("desc", true)],
        )?;
        let newest_first = self.view()? == View::Recent && sort.is_none();
        let usual = if newest_first {
            ItemSort::Changed
        } else {
            ItemSort::Title
        };
        Ok(Order {
            sort: sort.unwrap_or(usual),
            descending: descending.unwrap_or(newest_first),
        })
    }
}

/// Items by list, filter and order
///
/// Holds nothing that the viewer may not see.
#[utoipa::path(get, operation_id = "list_items", path = "/api/v1/items", tag = "lists", params(ItemsQuery), responses(
    (status = 200, body = ItemList),
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 404, description = "The collection is not there for this viewer", body = Message),
))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<ItemsQuery>,
) -> Result<Json<ItemList>, ApiError> {
    let (filter, order) = (query.filter(&asked.repository.model)?, query.order()?);
    let after = after(query.after.as_ref(), &[order.name()])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    asked
        .read(move |shown| {
            if let Some(nid) = filter.collection {
                shown.node(nid)?;
            }
            let read = shown.read;
            let page = read.item_page(&filter, &shown.viewer, order, after.as_ref(), limit)?;
            let items = page.rows.into_iter().map(|nid| shown.item_by_id(nid));
            let items = items.collect::<Result<Vec<Option<Item>>, _>>()?;
            Ok(Json(ItemList {
                items: items.into_iter().flatten().collect(),
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
                total_is_exact: page.total.is_exact,
            }))
        })
        .await
}

/// One item and its ancestors
#[utoipa::path(get, operation_id = "get_item", path = "/api/v1/items/{nid}", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemWithAncestors),
    (status = 404, description = "It is not there for this viewer", body = Message),
))]
pub async fn one(
    asked: Asked,
    Path(nid): Path<String>,
) -> Result<Json<ItemWithAncestors>, ApiError> {
    let nid = path_id("item", &nid)?;
    asked
        .read(move |shown| {
            let item = shown.item_by_id(nid)?;
            let item = item.ok_or_else(|| not_found("item", nid))?;
            let ancestors = shown.read.ancestors(nid, &shown.viewer)?.into_iter();
            let ancestors = ancestors.map(|(nid, title)| NodeTitle { nid, title });
            Ok(Json(ItemWithAncestors {
                item,
                ancestors: ancestors.collect(),
            }))
        })
        .await
}
