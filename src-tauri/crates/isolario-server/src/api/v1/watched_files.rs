//! `/api/v1/watched-folders/{id}/files`: the ledger of a watched folder. For administrators.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, choice, id, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::NodeTitle;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_db::DbError;
use isolario_model::content::{EntityKind, WatchState, WatchedFile as Row};
use isolario_model::fields::iso;
use isolario_watch::rules as folders;

/// Which files.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WatchedFilesQuery {
    /// Only files in this state.
    #[param(value_type = Option<values::WatchState>)]
    state: Option<String>,
    /// `next` of the previous page.
    #[param(value_type = Option<i64>, minimum = 1)]
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// A file of a watched folder.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedFile {
    id: i64,
    /// From the watched folder.
    path: String,
    #[schema(value_type = values::WatchState)]
    state: &'static str,
    /// Why it was skipped or has failed, or what is to be known of it. A sentence.
    reason: Option<String>,
    /// Bytes.
    size: u64,
    /// How often it was tried in vain since it settled.
    attempts: u32,
    /// When it was first seen.
    #[schema(format = DateTime)]
    seen: String,
    /// When its state was last changed.
    #[schema(format = DateTime)]
    changed: String,
    /// Of the bytes that were taken. Hexadecimal.
    sha512: Option<String>,
    /// What it has become.
    item: Option<NodeTitle>,
    mid: Option<i64>,
    /// An item that had the same bytes before.
    same_bytes: Option<NodeTitle>,
    /// Where it was moved to, from the watched folder.
    moved_to: Option<String>,
}

/// One page of a ledger, the newest file first.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedFileList {
    files: Vec<WatchedFile>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

/// List the ledger of a watched folder
///
/// For administrators.
#[utoipa::path(get, operation_id = "list_watched_files", path = "/api/v1/watched-folders/{id}/files", tag = "watched folders", params(("id" = i64, Path), WatchedFilesQuery), responses(
    (status = 200, body = WatchedFileList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn list(
    context: RequestContext,
    Path(rule): Path<String>,
    Parameters(query): Parameters<WatchedFilesQuery>,
) -> Result<Json<WatchedFileList>, ApiError> {
    context.must_be_administrator()?;
    let rule = path_id("watched folder", &rule)?;
    let states = WatchState::ALL.map(|state| (state.name(), state));
    let state = choice("state", query.state.as_ref(), &states)?;
    let before = id("after", query.after.as_ref())?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            if snapshot.read.watch_rule(rule)?.is_none() {
                return Err(not_found("watched folder", rule));
            }
            let rows = snapshot
                .read
                .watched_file_page(rule, state, before, limit)?;
            let next = rows.last().filter(|_| rows.len() == limit);
            let next = next.map(|row| row.id.to_string());
            let files = rows.into_iter().map(|row| file(snapshot, row));
            Ok(Json(WatchedFileList {
                files: files.collect::<Result<_, _>>()?,
                next,
            }))
        })
        .await
}

/// Ingest a failed file again
///
/// For administrators. The file is moved back to where it lay.
#[utoipa::path(post, operation_id = "retry_watched_file", path = "/api/v1/watched-folders/{id}/files/{file}/retry", tag = "watched folders", params(("id" = i64, Path), ("file" = i64, Path)), responses(
    (status = 204, description = "The file is ingested when it has settled again"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder or file", body = Message),
    (status = 409, description = "The file has not failed, or cannot be moved back", body = Message)))]
pub async fn retry(
    context: RequestContext,
    Path((rule, file)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    context.must_be_administrator()?;
    let (rule, file) = (path_id("watched folder", &rule)?, path_id("file", &file)?);
    let done = folders::retry(&context.app.watch, &context.actor, rule, file).await;
    done.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// How many files got another turn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Retried)]
pub struct RetryCount {
    count: u64,
}

/// Ingest all failed files of a folder again
///
/// For administrators. Files that cannot be moved back keep their state.
#[utoipa::path(post, operation_id = "retry_watched_folder", path = "/api/v1/watched-folders/{id}/retry", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = RetryCount),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn retry_all(
    context: RequestContext,
    Path(rule): Path<String>,
) -> Result<Json<RetryCount>, ApiError> {
    context.must_be_administrator()?;
    let rule = path_id("watched folder", &rule)?;
    let count = folders::retry_all(&context.app.watch, &context.actor, rule).await;
    let count = count.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(Json(RetryCount { count }))
}

fn file(snapshot: &ViewerSnapshot<'_>, row: Row) -> Result<WatchedFile, ApiError> {
    Ok(WatchedFile {
        id: row.id,
        state: row.state.name(),
        reason: row.reason,
        size: row.look.size,
        attempts: row.attempts,
        seen: iso(row.seen / 1000),
        changed: iso(row.changed / 1000),
        sha512: row.sha512,
        item: item(snapshot, row.nid)?,
        mid: row.mid,
        same_bytes: item(snapshot, row.twin)?,
        moved_to: row.moved_to,
        path: row.path,
    })
}

fn item(snapshot: &ViewerSnapshot<'_>, nid: Option<i64>) -> Result<Option<NodeTitle>, DbError> {
    let Some(nid) = nid else { return Ok(None) };
    let target = snapshot.read.target(EntityKind::Node, nid)?;
    Ok(target.map(|target| NodeTitle {
        nid,
        title: target.label,
    }))
}
