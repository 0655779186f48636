//! `/api/v1/batches`: changes of many items, each one request, one job, and one change to take back.

use axum::extract::{Path, Request};
use axum::http::{StatusCode, Uri};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::items::ItemsQuery;
use super::parameters::path_id;
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_core::actions::batches::{self, ItemSource, visible_batch};
use isolario_core::jobs::start_batch;
use isolario_db::{Batch, BatchState};
use isolario_model::fields::iso;
use isolario_model::item_change::ItemChange;
use isolario_model::origin::Origin;

values::schemas! {
    /// How far a batch is.
    BatchStateName => values::one_of(values::names(&BatchState::ALL));
}

/// Names the items of a batch, in one of two ways.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchItems {
    /// Node ids.
    Nids(Vec<i64>),
    /// All items of a list: the query of `GET /api/v1/items` without the page.
    #[schema(example = "collection=12&below=true&q=map")]
    List(String),
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
    /// As in the request.
    #[schema(value_type = Object)]
    change: Value,
    /// The batch that this one takes back.
    undoes: Option<i64>,
    /// Items, how many of them were tried, and of those, how many were changed and how many could not be.
    total: i64,
    done: i64,
    changed: i64,
    refused: i64,
}

impl BatchItems {
    /// # Errors
    /// 400 for a list that there cannot be.
    pub(super) fn source(self, context: &RequestContext) -> Result<ItemSource, ApiError> {
        let list = match self {
            BatchItems::Nids(nids) => return Ok(ItemSource::Ids(nids)),
            BatchItems::List(list) => list,
        };
        let uri = Uri::builder().path_and_query(format!("/?{list}")).build();
        let query = uri.ok().and_then(|uri| {
            let query = axum::extract::Query::<ItemsQuery>::try_from_uri(&uri);
            query.ok()
        });
        let unreadable = || ApiError::bad_request("The \"list\" is no query of a list.");
        let query = query.ok_or_else(unreadable)?.0;
        let model = &context.repository.model;
        let (filter, order) = (query.filter(model)?, query.order(model)?);
        Ok(ItemSource::List(Box::new(filter), order))
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
    let source = items.source(context)?;
    if let ItemSource::List(filter, _) = &source
        && let Some(nid) = filter.collection
    {
        let asked = context.clone().read(move |snapshot| {
            snapshot.node(nid)?;
            Ok(())
        });
        asked.await?;
    }
    Ok(source)
}

/// Change many items
///
/// The items are changed in the background, some hundred in each transaction. The policy is asked for every item. The
/// event stream tells the progress in messages named `batch`.
#[utoipa::path(post, operation_id = "begin_batch", path = "/api/v1/batches", tag = "lists", request_body = BatchRequest, responses(
    (status = 202, description = "The change has begun", body = BatchStatus),
    (status = 400, description = "The body is not JSON, or the list cannot be", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    Refused<413>, Refused<415>,
    (status = 422, description = "The change makes no sense", body = Message),
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

async fn started(
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
fn status(snapshot: &ViewerSnapshot<'_>, batch: Batch) -> Result<BatchStatus, ApiError> {
    Ok(BatchStatus {
        id: batch.id,
        state: batch.state.name(),
        reason: batch.reason,
        made: iso(batch.made),
        ended: batch.ended.map(iso),
        actor: snapshot.user(batch.uid)?,
        origin: batch.origin,
        change: serde_json::from_str(&batch.change).unwrap_or_default(),
        undoes: batch.undoes,
        total: batch.total,
        done: batch.done,
        changed: batch.changed,
        refused: batch.refused,
    })
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

/// Take back a change of many items
///
/// This is a batch itself, so to do it again, take that one back. An item whose fields somebody has changed since is left
/// as it is, and counts as refused.
#[utoipa::path(post, operation_id = "undo_batch", path = "/api/v1/batches/{batch}/undo", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 202, description = "The change is being taken back", body = BatchStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "It has not ended", body = Message),
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
