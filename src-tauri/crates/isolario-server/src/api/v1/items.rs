//! `/api/v1/items`: items by list, filter and order; one item, and its deletion.

use axum::extract::Path;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by_relevance::RELEVANCE;
use super::direction::{DIRECTIONS, Direction};
use super::facet_choices::ChosenQuery;
use super::found_items::{found, list_search};
use super::item_fields::{field_names, having, sort_field, span, values_of};
use super::item_list_request::ItemListRequest;
use super::parameters::{Parameters, choice, id, ids, limit, not_found, path_id, refused, text};
use super::request_context::RequestContext;
use super::responses::{Item, NodeTitle};
use super::search::{AwaitedIndex, WORDS, restriction};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::openapi::values::FewIds;
use isolario_core::actions::Author;
use isolario_core::actions::delete_item::{DeletionSummary, delete_item};
use isolario_db::{ItemFilter, ItemSort, Order, View};
use isolario_model::content::entity::REVIEW_NOTE;
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::origin::Origin;
use isolario_search::Search;

/// Which items, in which order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ItemsQuery {
    /// `all` (as without it), `unfiled` (no collections, without a parent that the viewer may see), `unpublished`,
    /// `without_original` (neither a collection nor with an original file) or `recent` (changed in
    /// the last thirty days; the newest first unless `sort` says otherwise).
    #[param(value_type = Option<values::View>)]
    view: Option<String>,
    /// Only direct members of this node, collections among them.
    #[param(value_type = Option<i64>, minimum = 1)]
    collection: Option<String>,
    /// `true` for everything below `collection`, at any depth and each item once, as far as the viewer may see the way
    /// there. Without `collection` it changes nothing.
    #[param(value_type = Option<bool>)]
    below: Option<String>,
    /// Only items that a search finds by this text (`q` of `GET /api/v1/search`). Its words need not be complete: those
    /// that begin with them are found, too.
    q: Option<String>,
    /// `false` to find the words of `q` only as they are: neither by their stems nor as the beginnings of others.
    #[param(value_type = Option<bool>)]
    stems: Option<String>,
    /// Only items with this term as model.
    #[param(value_type = Option<i64>, minimum = 1)]
    model: Option<String>,
    /// Only published (1) or unpublished (0) items.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 1)]
    status: Option<String>,
    /// Only items of this node type.
    #[serde(rename = "type")]
    node_type: Option<String>,
    /// Only items that refer to each of these terms, in any field. At most ten ids, separated by commas.
    #[param(value_type = Option<FewIds>)]
    term: Option<String>,
    /// Only items with a media of this type.
    media_type: Option<String>,
    /// Only items with a date that overlaps this time. A date or an interval in EDTF.
    #[param(value_type = Option<String>, example = "1400/1969")]
    date: Option<String>,
    /// Only items with a value of each of these fields. Names with commas between them, at most ten.
    #[param(value_type = Option<String>, example = "field_subject")]
    has: Option<String>,
    /// Only items without a value of any of these fields. As `has`.
    lacks: Option<String>,
    /// `title` (as without it), `created`, `changed`, `nid`, `weight`, `date`, `relevance` or the name of a field: of a
    /// line of text, a number, a date, or terms. Of a field the first value counts, of terms their names. Items
    /// without one stand at the end in both directions. By `relevance` stands first what fits the words of `q` best,
    /// whatever `order` says; without `q` it is as without `sort`.
    #[param(value_type = Option<String>, pattern = "^(title|created|changed|nid|weight|date|relevance|field_[a-z0-9_]+)$")]
    sort: Option<String>,
    /// `asc` (as without it) or `desc`.
    #[param(value_type = Option<Direction>)]
    order: Option<String>,
}

/// Which page of a list, and what it tells.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ItemsPageQuery {
    /// Fields whose values each item tells. Names with commas between them, at most 30.
    #[param(value_type = Option<String>, example = "field_extent,field_subject")]
    fields: Option<String>,
    /// `next` of the previous page, in the same order.
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
    /// Whether `q` and `chosen` were looked up in all that was committed before the request.
    current: bool,
}

/// An item and the way to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemWithAncestors {
    #[serde(flatten)]
    item: Item,
    /// From the top down, as far as the viewer may see them.
    ancestors: Vec<NodeTitle>,
    /// What is said about its next step.
    #[schema(required)]
    review_note: Option<String>,
}

/// Since when a change counts as recent, in Unix seconds.
pub fn recent_since() -> i64 {
    const THIRTY_DAYS: i64 = 30 * 24 * 60 * 60;
    chrono::Utc::now().timestamp() - THIRTY_DAYS
}

impl ItemsQuery {
    /// What is asked for. Words and values of facets are looked up in the index of searches.
    ///
    /// # Errors
    /// 400 for a parameter that cannot be; 404 for a hidden collection; 503 for words and facets while there is no index.
    pub(in crate::api) async fn read(
        &self,
        context: &RequestContext,
        parameters: &[(String, String)],
    ) -> Result<ItemListRequest, ApiError> {
        let index = AwaitedIndex::default();
        self.read_with(context, &index, parameters).await
    }

    /// As `read`, for one of several lists that a request asks for.
    ///
    /// # Errors
    /// As `read`.
    pub(super) async fn read_with(
        &self,
        context: &RequestContext,
        index: &AwaitedIndex,
        parameters: &[(String, String)],
    ) -> Result<ItemListRequest, ApiError> {
        let model = &context.repository.model();
        let (filter, order) = (self.filter(model)?, self.order(model)?);
        let mut list = ItemListRequest {
            filter,
            order,
            is_current: true,
            by_relevance: None,
        };
        let Some(mut search) = self.search(context, parameters)? else {
            return Ok(list);
        };
        if let Some(nid) = list.filter.collection.filter(|_| list.filter.below) {
            let read = context.clone();
            search.restriction = read.read(move |read| restriction(read, nid)).await?;
        }
        let found = found(context, index, search).await?;
        list.filter.found = Some(found.nodes);
        list.is_current = found.is_current;
        let is_asked = self.typed().is_some() && text(self.sort.as_ref()) == Some(RELEVANCE);
        list.by_relevance = is_asked.then_some(found.by_relevance);
        Ok(list)
    }

    /// Refuses what no list can be asked for.
    ///
    /// # Errors
    /// 400 for a parameter that cannot be.
    pub(super) fn check(
        &self,
        context: &RequestContext,
        parameters: &[(String, String)],
    ) -> Result<(), ApiError> {
        let model = &context.repository.model();
        self.filter(model)?;
        self.order(model)?;
        self.search(context, parameters)?;
        Ok(())
    }

    /// What of it is asked of the index; none if nothing is.
    ///
    /// # Errors
    /// 400 for choices that cannot be.
    pub(super) fn search(
        &self,
        context: &RequestContext,
        parameters: &[(String, String)],
    ) -> Result<Option<Search>, ApiError> {
        let with_stems = choice("stems", self.stems.as_ref(), &WORDS)?.unwrap_or(true);
        list_search(context, self.typed(), !with_stems, parameters)
    }

    /// What was typed.
    pub(super) fn typed(&self) -> Option<&str> {
        text(self.q.as_ref())
    }

    /// What of it is asked of the database.
    ///
    /// # Errors
    /// 400 for a parameter that cannot be.
    pub(super) fn filter(&self, model: &ContentModel) -> Result<ItemFilter, ApiError> {
        let collection = id("collection", self.collection.as_ref())?;
        let below = choice(
            "below",
            self.below.as_ref(),
            &[("false", false), ("true", true)],
        )?;
        Ok(ItemFilter {
            view: self.view()?,
            collection,
            below: collection.is_some() && below == Some(true),
            found: None,
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

    /// Its order.
    ///
    /// # Errors
    /// 400 for one that there is not.
    pub(super) fn order(&self, model: &ContentModel) -> Result<Order, ApiError> {
        let sort = match sort_field(model, self.sort.as_ref())? {
            Some(field) => Some(ItemSort::Field(field)),
            None if text(self.sort.as_ref()) == Some(RELEVANCE) => None,
            None => choice("sort", self.sort.as_ref(), &ItemSort::ALL)?,
        };
        let descending = choice("order", self.order.as_ref(), &DIRECTIONS)?;
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
/// Lists only what the actor may view.
#[utoipa::path(get, operation_id = "list_items", path = "/api/v1/items", tag = "lists", params(ItemsQuery, ChosenQuery, ItemsPageQuery), responses(
    (status = 200, body = ItemList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "`q` or `chosen` is asked while there is no index of searches; the message says how far it is", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<ItemsQuery>,
    Parameters(page): Parameters<ItemsPageQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Json<ItemList>, ApiError> {
    let list = query.read(&context, &all).await?;
    let start = list.start(page.after.as_ref(), page.offset.as_ref())?;
    let limit = limit(page.limit.as_ref(), 100)?;
    let names = field_names("fields", page.fields.as_ref(), 30)?;
    context
        .read_lists(move |snapshot| {
            let is_current = list.is_current;
            let page = list.page(snapshot, start, limit)?;
            let mut items = Vec::with_capacity(page.rows.len());
            for nid in page.rows {
                let item = snapshot.item_by_id(nid)?;
                let fields = values_of(snapshot, nid, &names)?;
                items.extend(item.map(|item| Item { fields, ..item }));
            }
            Ok(Json(ItemList {
                items,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
                total_is_exact: page.total.is_exact,
                current: is_current,
            }))
        })
        .await
}

/// One item and its ancestors
#[utoipa::path(get, operation_id = "get_item", path = "/api/v1/items/{nid}", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemWithAncestors),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn one(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<ItemWithAncestors>, ApiError> {
    let nid = path_id("item", &nid)?;
    context
        .read_lists(move |snapshot| {
            let item = snapshot.item_by_id(nid)?;
            let item = item.ok_or_else(|| not_found("item", nid))?;
            let ancestors = snapshot.read.ancestors(nid, &snapshot.viewer)?.into_iter();
            let ancestors = ancestors.map(|(nid, title)| NodeTitle { nid, title });
            let entity = snapshot.read.entity(EntityKind::Node, nid)?;
            let note = entity.and_then(|entity| entity.text(REVIEW_NOTE).map(str::to_owned));
            Ok(Json(ItemWithAncestors {
                item,
                review_note: note,
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
/// They are one entry of the trash and are restored together. A file that another media uses stays. `DELETE /node/{nid}` deletes the item alone.
#[utoipa::path(delete, operation_id = "delete_item", path = "/api/v1/items/{nid}", tag = "history",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = DeletedItem),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not delete every part", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn delete(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(nid): Path<String>,
) -> Result<Json<DeletedItem>, ApiError> {
    let nid = path_id("item", &nid)?;
    let author = Author::new(&context.actor, origin);
    let deleted = delete_item(&context.repository, nid, &context.actor, author).await;
    let DeletionSummary { media, files } =
        deleted.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(Json(DeletedItem { media, files }))
}
