//! `/api/v1/batches/{batch}/items`: what became of each item of a change of many.

use axum::Json;
use axum::body::Body;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::export::download_headers;
use super::parameters::{Parameters, choice, limit, offset, path_id};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::search::WORDS;
use super::trash::TrashKind;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::actions::batches::{TablePlan, report as batch_report, visible_batch};
use isolario_core::actions::view_entity::visible_target;
use isolario_core::actions::view_trash::found_in_trash;
use isolario_db::{BatchItem, BatchItemState, DbError};

values::schemas! {
    /// What became of an item of a batch.
    BatchItemStateName => values::one_of(values::names(&BatchItemState::ALL));
}

/// Which items.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BatchItemsQuery {
    /// Only items in this state.
    #[param(value_type = Option<BatchItemStateName>)]
    state: Option<String>,
    /// `true` for the items that were tried last, the last one first: one page, of every state.
    #[param(value_type = Option<bool>)]
    latest: Option<String>,
    /// `next` of the previous page.
    #[param(value_type = Option<i64>, minimum = 0)]
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// One page of the items of a batch, in its order.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchItemList {
    items: Vec<BatchItemOutcome>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

/// An item of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchItemOutcome {
    #[schema(value_type = TrashKind)]
    kind: &'static str,
    id: i64,
    /// `null` where the viewer may not see it.
    title: Option<String>,
    /// Whether it is in the trash now.
    is_deleted: bool,
    #[schema(value_type = BatchItemStateName)]
    state: &'static str,
    /// The revisions before and after the change; those of a file are its versions.
    before: Option<i64>,
    after: Option<i64>,
    /// Why it was not changed.
    message: Option<String>,
}

/// Items of a change of many
///
/// For its author and for administrators.
#[utoipa::path(get, operation_id = "list_batch_items", path = "/api/v1/batches/{batch}/items", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch"), BatchItemsQuery), responses(
    (status = 200, body = BatchItemList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message)))]
pub async fn list(
    context: RequestContext,
    Path(id): Path<String>,
    Parameters(query): Parameters<BatchItemsQuery>,
) -> Result<Json<BatchItemList>, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("batch", &id)?;
    let state = choice("state", query.state.as_ref(), &BatchItemState::ALL)?;
    let latest = choice("latest", query.latest.as_ref(), &WORDS)?.unwrap_or(false);
    let from = offset("after", query.after.as_ref())?.unwrap_or(0);
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            let actor = &snapshot.context.actor;
            let batch = visible_batch(snapshot.read, actor, id)
                .map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
            let mut rows = match state {
                _ if latest => {
                    let next = TablePlan::of(&batch).map(|plan| plan.next_row(&batch));
                    let next = next.unwrap_or(batch.done);
                    snapshot.read.batch_items_before(id, next, limit)?
                }
                Some(state) => snapshot.read.batch_items_in(id, state, from, limit + 1)?,
                None => snapshot.read.batch_items(id, from, limit + 1)?,
            };
            let next = rows.get(limit).map(|row| row.position.to_string());
            rows.truncate(limit);
            let items = rows.into_iter().map(|row| outcome(snapshot, row));
            Ok(Json(BatchItemList {
                items: items.collect::<Result<_, DbError>>()?,
                next,
            }))
        })
        .await
}

/// What became of each item of a change of many, as a table
///
/// A CSV with the columns `outcome`, `id`, `address` and `message`, in the order of the batch; for its author and for
/// administrators. Of an import, it has a row for each row of the table, and then the terms and files that were made.
#[utoipa::path(get, operation_id = "get_batch_report", path = "/api/v1/batches/{batch}/report", tag = "lists",
    params(("batch" = i64, Path, description = "Number of the batch")), responses(
    (status = 200, description = "The table, with its name in Content-Disposition", body = String, content_type = "text/csv"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message)))]
pub async fn report(context: RequestContext, Path(id): Path<String>) -> Result<Response, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("batch", &id)?;
    context
        .clone()
        .read(move |snapshot| {
            let actor = &snapshot.context.actor;
            let found = visible_batch(snapshot.read, actor, id);
            found.map_err(|refusal| ApiError::from_refusal(actor, refusal))
        })
        .await?;
    let rows = Body::from_stream(batch_report(&context.repository, id));
    let headers = download_headers(&format!("batch-{id}.csv"), "text/csv; charset=utf-8");
    Ok((headers, rows).into_response())
}

fn outcome(snapshot: &ViewerSnapshot<'_>, row: BatchItem) -> Result<BatchItemOutcome, DbError> {
    let (read, actor) = (snapshot.read, &snapshot.context.actor);
    let trashed = read.trash_row(row.kind, row.id)?;
    let title = match &trashed {
        Some(entry) => found_in_trash(read, actor, entry)?.map(|thing| thing.label().to_owned()),
        None => visible_target(read, actor, row.kind, row.id)?.map(|target| target.label),
    };
    Ok(BatchItemOutcome {
        kind: row.kind.target_type(),
        id: row.id,
        is_deleted: trashed.is_some() && title.is_some(),
        title,
        state: row.state.name(),
        before: row.revisions.map(|(before, _)| before),
        after: row.revisions.map(|(_, after)| after),
        message: row.message,
    })
}
