//! `/api/v1/batches`: changes of many items, each one request, one job, and one change to take back.

use axum::extract::{Path, Request};
use axum::http::{StatusCode, Uri};
use axum::{Extension, Json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::found_items::found_by_search;
use super::items::ItemsQuery;
use super::parameters::path_id;
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use super::trash::{KINDS as TRASH_KINDS, TrashKind, TrashQuery};
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_core::actions::batches::{self, ItemSource, visible_batch};
use isolario_core::jobs::start_batch;
use isolario_db::{Batch, BatchState, ItemFilter, collection_order};
use isolario_model::content::EntityKind;
use isolario_model::fields::iso;
use isolario_model::item_change::ItemChange;
use isolario_model::origin::Origin;

values::schemas! {
    /// How far a batch is.
    BatchStateName => values::one_of(values::names(&BatchState::ALL));
}

/// Names the items of a batch, in one of five ways.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchItems {
    /// Node ids.
    Nids(Vec<i64>),
    /// All items of a list: the query of `GET /api/v1/items` without the page.
    #[schema(example = "collection=12&below=true&q=map")]
    List(String),
    /// All items that a search finds: the query of `GET /api/v1/search` without the page.
    #[schema(example = "q=map&chosen=subject:12")]
    Search(String),
    /// What is deleted, restored or purged, by kind and id.
    Entries(Vec<BatchEntry>),
    /// All entries of the trash: the query of `GET /api/v1/trash` without the page.
    #[schema(example = "kind=node")]
    Trash(String),
}

/// An entry of the trash, or what becomes one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchEntry {
    #[schema(value_type = TrashKind)]
    kind: String,
    id: i64,
}

/// A change of many items.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    items: BatchItems,
    change: ItemChange,
    /// `seen` of the preview. A field that somebody else has changed since then keeps their values.
    #[serde(default)]
    #[schema(value_type = i64, minimum = 0)]
    seen: u64,
}

/// A change of many items, and how far it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchStatus {
    id: i64,
    #[schema(value_type = BatchStateName)]
    state: &'static str,
    /// Why it ended early.
    reason: Option<String>,
    #[schema(format = DateTime)]
    made: String,
    #[schema(format = DateTime)]
    ended: Option<String>,
    /// Who asked for it, where the viewer may know.
    actor: Option<UserName>,
    #[schema(value_type = values::Origin)]
    origin: String,
    /// As in the request, without the weights of single items.
    #[schema(value_type = Object)]
    change: Value,
    /// The batch that this one takes back.
    undoes: Option<i64>,
    /// Items, how many of them were tried, and of those, how many were changed and how many could not be.
    total: i64,
    done: i64,
    changed: i64,
    refused: i64,
    /// Whether it can be paused and resumed.
    can_pause: bool,
}

/// The changes of many items that have not ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenBatches {
    /// The oldest first, a hundred at most.
    batches: Vec<BatchStatus>,
}

impl BatchItems {
    /// # Errors
    /// 400 for a list that there cannot be, 422 for a kind of which nothing is deleted; 503 for words while there is no
    /// index of searches.
    pub(super) async fn source(self, context: &RequestContext) -> Result<ItemSource, ApiError> {
        Ok(match self {
            BatchItems::Nids(nids) => {
                let nids = nids.into_iter();
                ItemSource::Ids(nids.map(|nid| (EntityKind::Node, nid)).collect())
            }
            BatchItems::List(list) => {
                let query: ItemsQuery = list_query("list", &list)?;
                let parameters: Vec<(String, String)> = list_query("list", &list)?;
                let list = query.read(context, &parameters).await?;
                ItemSource::List(Box::new(list.filter), list.order)
            }
            BatchItems::Search(list) => {
                let (query, parameters) =
                    (list_query("search", &list)?, list_query("search", &list)?);
                let found = found_by_search(context, &query, parameters).await?;
                let filter = ItemFilter {
                    found: Some(found.nodes),
                    ..ItemFilter::default()
                };
                ItemSource::List(Box::new(filter), collection_order())
            }
            BatchItems::Entries(entries) => {
                let targets = entries.into_iter().map(BatchEntry::target);
                ItemSource::Ids(targets.collect::<Result<_, _>>()?)
            }
            BatchItems::Trash(list) => {
                let query: TrashQuery = list_query("trash", &list)?;
                ItemSource::Trash(query.kind()?)
            }
        })
    }
}

/// The query of a list that stands in a body.
pub(super) fn list_query<Q: DeserializeOwned>(name: &str, list: &str) -> Result<Q, ApiError> {
    let uri = Uri::builder().path_and_query(format!("/?{list}")).build();
    // An address would end there, and the rest would be kept unread.
    let query = uri
        .ok()
        .filter(|_| !list.contains('#'))
        .and_then(|uri| axum::extract::Query::try_from_uri(&uri).ok());
    let unreadable = || ApiError::bad_request(format!("The \"{name}\" is no query of a list."));
    Ok(query.ok_or_else(unreadable)?.0)
}

impl BatchEntry {
    fn target(self) -> Result<(EntityKind, i64), ApiError> {
        let mut kinds = TRASH_KINDS.iter();
        let known = kinds.find(|(name, _)| *name == self.kind);
        let unknown = || ApiError::unprocessable(format!("There is no kind {}.", self.kind));
        Ok((known.ok_or_else(unknown)?.1, self.id))
    }
}

/// Refuses a list of a collection that the actor may not view.
///
/// # Errors
/// 404.
pub(super) async fn visible_source(
    context: &RequestContext,
    items: BatchItems,
) -> Result<ItemSource, ApiError> {
    let source = items.source(context).await?;
    if let ItemSource::List(filter, _) = &source
        && let Some(nid) = filter.collection
    {
        let asked = context.clone().read(move |snapshot| {
            snapshot.place(nid)?;
            Ok(())
        });
        asked.await?;
    }
    Ok(source)
}

/// Change many items
///
/// The items are changed, deleted, restored or purged in the background, some hundred in each transaction. The policy is
/// asked for every item. The event stream tells the progress in messages named `batch`.
#[utoipa::path(post, operation_id = "begin_batch", path = "/api/v1/batches", tag = "lists", request_body = BatchRequest, responses(
    (status = 202, description = "The change has begun", body = BatchStatus),
    (status = 400, description = "The body is not JSON, or the list cannot be", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    Refused<413>, Refused<415>,
    (status = 422, description = "The change makes no sense", body = Message),
    (status = 503, description = "Words are asked while there is no index of searches; the message says how far it is", body = Message),
    (status = 429, description = "The actor has too many changes of many items in progress", body = Message)))]
pub async fn begin(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    request: Request,
) -> Result<(StatusCode, Json<BatchStatus>), ApiError> {
    require_sign_in(&context.actor)?;
    let wanted: BatchRequest = context.large_body(request).await?;
    let source = visible_source(&context, wanted.items).await?;
    let (repository, actor) = (&context.repository, &context.actor);
    let seen = i64::try_from(wanted.seen)
        .map_err(|_| ApiError::unprocessable("\"seen\" is no number of an event."))?;
    let begun = batches::begin(repository, actor, origin, source, wanted.change, seen).await;
    started(context.clone(), begun).await
}

pub(super) async fn started(
    context: RequestContext,
    begun: Result<Batch, isolario_core::actions::Refusal>,
) -> Result<(StatusCode, Json<BatchStatus>), ApiError> {
    let batch = begun.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    start_batch(&context.repository, &context.actor, batch.id);
    let status = context
        .read(move |snapshot| status(snapshot, batch))
        .await?;
    Ok((StatusCode::ACCEPTED, Json(status)))
}

/// A batch as the viewer may see it.
pub(super) fn status(snapshot: &ViewerSnapshot<'_>, batch: Batch) -> Result<BatchStatus, ApiError> {
    Ok(BatchStatus {
        can_pause: batches::can_pause(&batch),
        id: batch.id,
        state: batch.state.name(),
        reason: batch.reason,
        made: iso(batch.made),
        ended: batch.ended.map(iso),
        actor: snapshot.user(batch.uid)?,
        origin: batch.origin,
        change: shown_change(&batch.change),
        undoes: batch.undoes,
        total: batch.total,
        done: batch.done,
        changed: batch.changed,
        refused: batch.refused,
    })
}

/// What is not told of a change: weights, of which there may be very many, and where files lie on this machine.
const NOT_TOLD: [&str; 3] = ["weights", "file", "folder"];

fn shown_change(text: &str) -> Value {
    let mut change: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(change) = change.as_object_mut() {
        change.retain(|name, _| !NOT_TOLD.contains(&name.as_str()));
    }
    change
}

/// Batches that an answer lists.
const MOST_LISTED: usize = 100;

/// Changes of many items that have not ended
///
/// Those of the actor; for administrators those of everybody.
#[utoipa::path(get, operation_id = "list_open_batches", path = "/api/v1/batches", tag = "lists", responses(
    (status = 200, body = OpenBatches),
    (status = 401, description = "The request has no credentials", body = Message)))]
pub async fn list(context: RequestContext) -> Result<Json<OpenBatches>, ApiError> {
    require_sign_in(&context.actor)?;
    context
        .read(move |snapshot| {
            let actor = &snapshot.context.actor;
            let open = snapshot.read.open_batches()?.into_iter();
            let visible = open.filter(|batch| batches::is_visible(batch, actor));
            let batches = visible
                .take(MOST_LISTED)
                .map(|batch| status(snapshot, batch));
            let batches = batches.collect::<Result<_, _>>()?;
            Ok(Json(OpenBatches { batches }))
        })
        .await
}

/// How far a change of many items is
///
/// For its author and for administrators.
#[utoipa::path(get, operation_id = "get_batch", path = "/api/v1/batches/{batch}", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 200, body = BatchStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message)))]
pub async fn one(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<BatchStatus>, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("batch", &id)?;
    context
        .read(move |snapshot| {
            let actor = &snapshot.context.actor;
            let batch = visible_batch(snapshot.read, actor, id)
                .map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
            status(snapshot, batch).map(Json)
        })
        .await
}

/// Cancel a change of many items
///
/// What is changed stays changed, and can be taken back. Nothing happens when it has ended already.
#[utoipa::path(post, operation_id = "cancel_batch", path = "/api/v1/batches/{batch}/cancel", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 204, description = "No further item is changed"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message)))]
pub async fn cancel(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("batch", &id)?;
    let cancelled = batches::cancel(&context.repository, &context.actor, id).await;
    cancelled.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let a change of many items wait
///
/// What is changed stays changed, and everybody sees it. It waits, also after a restart of the program, until it is
/// resumed or cancelled.
#[utoipa::path(post, operation_id = "pause_batch", path = "/api/v1/batches/{batch}/pause", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 200, body = BatchStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "It has ended", body = Message)))]
pub async fn pause(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<BatchStatus>, ApiError> {
    set_paused(context, &id, true).await
}

/// Go on with a change of many items that waits
#[utoipa::path(post, operation_id = "resume_batch", path = "/api/v1/batches/{batch}/resume", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 200, body = BatchStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "It has ended", body = Message)))]
pub async fn resume(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<BatchStatus>, ApiError> {
    set_paused(context, &id, false).await
}

async fn set_paused(
    context: RequestContext,
    id: &str,
    is_paused: bool,
) -> Result<Json<BatchStatus>, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("batch", id)?;
    let set = batches::pause(&context.repository, &context.actor, id, is_paused).await;
    let batch = set.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    let answer = context.read(move |snapshot| status(snapshot, batch)).await;
    answer.map(Json)
}

/// Take back a change of many items
///
/// This is a batch itself, so to do it again, take that one back. What was deleted is restored, what was restored is
/// deleted. An item whose fields somebody has changed since is left as it is, and counts as refused.
#[utoipa::path(post, operation_id = "undo_batch", path = "/api/v1/batches/{batch}/undo", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 202, description = "The change is being taken back", body = BatchStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "It has not ended, or was a purge", body = Message),
    (status = 429, description = "The actor has too many changes of many items in progress", body = Message)))]
pub async fn undo(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<BatchStatus>), ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("batch", &id)?;
    let begun = batches::undo(&context.repository, &context.actor, origin, id).await;
    started(context, begun).await
}
