//! `/api/v1/items`: items by list, filter and order; one item, and its deletion.

use axum::extract::Path;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::item_fields::{field_names, having, sort_field, span, values_of};
use super::parameters::{
    LONGEST_PAGE, Parameters, after, choice, id, ids, limit_up_to, not_found, offset, path_id,
    refused, text,
};
use super::shapes::{Item, Message, NodeTitle};
use crate::actions::Author;
use crate::actions::delete_item::{Deleted, delete_item};
use crate::api::ApiError;
use crate::content::{ContentModel, EntityKind};
use crate::db::{ItemFilter, ItemSort, Order, Start, View};
use crate::repository::Door;

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
    /// Only items that refer to each of these terms, in whatever field. Ids with commas between them, at most ten.
    #[param(value_type = Option<String>, example = "12,13")]
    term: Option<String>,
    /// Only items with a media of this type.
    media_type: Option<String>,
    /// Only items with a date that falls into this time, at least in part. A date or an interval in EDTF.
    #[param(value_type = Option<String>, example = "1400/1969")]
    date: Option<String>,
    /// Only items with a value of each of these fields. Names with commas between them, at most ten.
    #[param(value_type = Option<String>, example = "field_subject")]
    has: Option<String>,
    /// Only items without a value of any of these fields. As `has`.
    lacks: Option<String>,
    /// Fields whose values each item tells. Names with commas between them, at most 30.
    #[param(value_type = Option<String>, example = "field_extent,field_subject")]
    fields: Option<String>,
    /// `title` (as without it), `created`, `changed`, `nid`, `weight`, `date` or the name of a field: of a line of text, a
    /// number, a date, or terms. Of a field the first value counts, of terms their names. Items
    /// without one stand at the end in both directions.
    #[param(value_type = Option<String>, pattern = "^(title|created|changed|nid|weight|date|field_[a-z0-9_]+)$")]
    sort: Option<String>,
    /// `asc` (as without it) or `desc`.
    #[param(value_type = Option<String>, pattern = "^(asc|desc)$")]
    order: Option<String>,
    /// `next` of the page before, asked in the same order.
    after: Option<String>,
    /// Instead of `after`: how many items stand before the page, for a jump to any place of the list. They are walked
    /// past in the index. Of a page with the end of the list on it or before it, `total` is exact.
    #[param(value_type = Option<i64>, minimum = 0)]
    offset: Option<String>,
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
    pub(super) fn filter(&self, model: &ContentModel) -> Result<ItemFilter, ApiError> {
        Ok(ItemFilter {
            view: self.view()?,
            collection: id("collection", self.collection.as_ref())?,
            text: text(self.q.as_ref()).map(str::to_owned),
            model: id("model", self.model.as_ref())?,
            published: choice("status", self.status.as_ref(), &[("0", false), ("1", true)])?,
            bundle: bundle(model, EntityKind::Node, self.node_type.as_ref())?,
            terms: self.terms()?,
            media_type: bundle(model, EntityKind::Media, self.media_type.as_ref())?,
            dated: span(model, self.date.as_ref())?,
            having: having(model, self.has.as_ref(), self.lacks.as_ref())?,
            recent_since: recent_since(),
        })
    }

    /// Where the page begins in a list of this order.
    pub(super) fn start(&self, order: &Order) -> Result<Start, ApiError> {
        let after = after(self.after.as_ref(), &[order.name()])?;
        match (after, offset("offset", self.offset.as_ref())?) {
            (Some(_), Some(_)) => Err(refused("offset", "left out where there is \"after\"")),
            (after, None) => Ok(Start::After(after)),
            (None, Some(offset)) => Ok(Start::At(offset)),
        }
    }

    /// Length of the page.
    pub(super) fn limit(&self, default: usize, most: usize) -> Result<usize, ApiError> {
        limit_up_to(self.limit.as_ref(), default, most)
    }

    fn terms(&self) -> Result<Vec<i64>, ApiError> {
        const MOST: usize = 10;
        match ids("term", self.term.as_ref())? {
            many if many.len() > MOST => Err(refused("term", "at most ten term ids")),
            terms => Ok(terms),
        }
    }

    fn view(&self) -> Result<View, ApiError> {
        Ok(choice("view", self.view.as_ref(), &View::ALL)?.unwrap_or(View::All))
    }

    pub(super) fn order(&self, model: &ContentModel) -> Result<Order, ApiError> {
        let sort = match sort_field(model, self.sort.as_ref())? {
            Some(field) => Some(ItemSort::Field(field)),
            None => choice("sort", self.sort.as_ref(), &ItemSort::ALL)?,
        };
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

/// A node type or a media type that there is.
fn bundle(
    model: &ContentModel,
    kind: EntityKind,
    name: Option<&String>,
) -> Result<Option<String>, ApiError> {
    match text(name) {
        Some(name) if model.bundle(kind, name).is_none() => Err(ApiError::bad_request(format!(
            "There is no {} type \"{name}\".",
            kind.target_type()
        ))),
        name => Ok(name.map(str::to_owned)),
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
    let (filter, order) = (
        query.filter(&asked.repository.model)?,
        query.order(&asked.repository.model)?,
    );
    let start = query.start(&order)?;
    let limit = query.limit(100, LONGEST_PAGE)?;
    let names = field_names("fields", query.fields.as_ref(), 30)?;
    asked
        .read(move |shown| {
            if let Some(nid) = filter.collection {
                shown.node(nid)?;
            }
            let read = shown.read;
            let page = read.item_page(&filter, &shown.viewer, order, start, limit)?;
            let mut items = Vec::with_capacity(page.rows.len());
            for nid in page.rows {
                let item = shown.item_by_id(nid)?;
                let fields = values_of(shown, nid, &names)?;
                items.extend(item.map(|item| Item { fields, ..item }));
            }
            Ok(Json(ItemList {
                items,
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

/// What was deleted with an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedItem {
    /// Media that went with it.
    media: usize,
    /// Files that went with it.
    files: usize,
}

/// Delete an item with its media and files
///
/// They are one thing in the trash, and come back as one. A file that another media uses stays. `DELETE /node/{nid}` deletes the item alone.
#[utoipa::path(delete, operation_id = "delete_item", path = "/api/v1/items/{nid}", tag = "history",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = DeletedItem),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The actor may not delete every part", body = Message),
    (status = 404, description = "It is not there for this actor", body = Message),
))]
pub async fn delete(
    asked: Asked,
    Extension(door): Extension<Door>,
    Path(nid): Path<String>,
) -> Result<Json<DeletedItem>, ApiError> {
    let nid = path_id("item", &nid)?;
    let author = Author::new(&asked.actor, door);
    let deleted = delete_item(&asked.repository, nid, &asked.actor, author).await;
    let Deleted { media, files } =
        deleted.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(Json(DeletedItem { media, files }))
}
