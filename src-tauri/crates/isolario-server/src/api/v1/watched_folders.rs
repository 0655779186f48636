//! `/api/v1/watched-folders`: folders whose files become items by themselves. For administrators.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{self, Parameters, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::NodeTitle;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_config::allowed_folders::FolderUse;
use isolario_db::{DbError, WatchCount, WatchRuleRecord};
use isolario_model::content::{EntityKind, WatchState};
use isolario_model::watch_rule::Rule;
use isolario_watch::RuleSource;
use isolario_watch::rules as folders;

/// Longest time that an answer waits for something to tell.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// How long what happens may gather before it is told.
const GATHERING: Duration = Duration::from_millis(300);

/// Since when.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FoldersQuery {
    /// `version` of an earlier response. The server answers when a job has changed since then, or after 15 seconds.
    #[param(value_type = Option<i64>, minimum = 0)]
    since: Option<String>,
}

/// How many files are in which state.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct WatchCounts {
    /// There, and perhaps still being written.
    seen: i64,
    /// Whole, and waiting for their turn.
    settled: i64,
    /// Being taken.
    ingesting: i64,
    /// In the repository.
    done: i64,
    /// Left out on purpose.
    skipped: i64,
    /// Not to be taken; each has a reason.
    failed: i64,
}

/// A watched folder.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedFolder {
    id: i64,
    /// Whether `config.toml` names it: then it is changed there.
    configured: bool,
    paused: bool,
    rule: Rule,
    /// The collection of the rule.
    collection: Option<NodeTitle>,
    /// Why nothing is taken from it. Sentences.
    problem: Option<String>,
    /// Whether it is looked at now and then, since the system does not tell of it; `null` before it is watched.
    polled: Option<bool>,
    counts: WatchCounts,
    /// Bytes of what waits or is being taken.
    waiting_bytes: i64,
    /// Of the last minute; `null` where nothing was taken.
    files_per_second: Option<f64>,
    bytes_per_second: Option<f64>,
    /// At this rate; `null` where nothing waits or there is no rate.
    seconds_left: Option<i64>,
}

/// All watched folders.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedFolderList {
    folders: Vec<WatchedFolder>,
    /// Folders of the machine that may be watched, with all in them.
    allowed: Vec<String>,
    /// Another one after something has happened.
    version: u64,
}

/// The watched folders
///
/// For administrators.
#[utoipa::path(get, operation_id = "list_watched_folders", path = "/api/v1/watched-folders", tag = "watched folders", params(FoldersQuery), responses(
    (status = 200, body = WatchedFolderList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message)))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<FoldersQuery>,
) -> Result<Json<WatchedFolderList>, ApiError> {
    context.must_be_administrator()?;
    let since = parameters::since(query.since.as_ref())?;
    let mut changes = context.app.watch.changes();
    let version = *changes.borrow_and_update();
    if since == Some(version) {
        let closing = context.repository.closing.clone();
        tokio::select! {
            () = closing.cancelled() => {}
            () = tokio::time::sleep(LONGEST_WAIT) => {}
            _ = changes.changed() => tokio::time::sleep(GATHERING).await,
        }
    }
    let version = *changes.borrow_and_update();
    context
        .read(move |snapshot| {
            let records = snapshot.read.watch_rules()?;
            let folders = records.into_iter().map(|record| folder(snapshot, record));
            Ok(Json(WatchedFolderList {
                folders: folders.collect::<Result<_, _>>()?,
                allowed: snapshot.context.allowed_folders(FolderUse::Watch),
                version,
            }))
        })
        .await
}

/// A watched folder
///
/// For administrators.
#[utoipa::path(get, operation_id = "watched_folder", path = "/api/v1/watched-folders/{id}", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn one(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<WatchedFolder>, ApiError> {
    context.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    read_folder(context, id).await
}

/// Watch a folder
///
/// For administrators. The folder must be on this machine and lie in one of those that are `allowed`. It may neither
/// hold the data directory nor lie in it outside `incoming/`, nor overlap another watched folder or hold backups.
#[utoipa::path(post, operation_id = "add_watched_folder", path = "/api/v1/watched-folders", tag = "watched folders", request_body = Rule, responses(
    (status = 201, description = "The watched folder; Location names it", body = WatchedFolder),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "What is wrong with the rule, one violation a line", body = Message)))]
pub async fn add(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    context.must_be_administrator()?;
    let rule: Rule = context.body(request).await?;
    let id = folders::add(&context.app.watch, &context.actor, rule, RuleSource::Client).await;
    let id = id.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    let location = context.base.join(&format!("/api/v1/watched-folders/{id}"));
    let folder = read_folder(context, id).await?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], folder).into_response())
}

/// Change a watch rule
///
/// For administrators. Members that are absent keep their value.
#[utoipa::path(patch, operation_id = "change_watched_folder", path = "/api/v1/watched-folders/{id}", tag = "watched folders", params(("id" = i64, Path)),
    request_body(content = Object, description = "Lines of a rule"), responses(
    (status = 200, body = WatchedFolder),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message),
    (status = 409, description = "The folder is named in config.toml", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "What is wrong with the rule, one violation a line", body = Message)))]
pub async fn change(
    context: RequestContext,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<WatchedFolder>, ApiError> {
    context.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    let changes: Map<String, Value> = context.body(request).await?;
    let changed = folders::change(&context.app.watch, &context.actor, id, changes).await;
    changed.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    read_folder(context, id).await
}

/// Stop watching a folder
///
/// For administrators. The ledger stays: if the folder is watched again, no file is ingested twice.
#[utoipa::path(delete, operation_id = "remove_watched_folder", path = "/api/v1/watched-folders/{id}", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 204, description = "The folder is no longer watched"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message),
    (status = 409, description = "The folder is named in config.toml", body = Message)))]
pub async fn remove(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    context.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    let removed = folders::remove(&context.app.watch, &context.actor, id).await;
    removed.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Watch a removed folder again
///
/// For administrators. The folder keeps its rule, its ledger and its paused state.
#[utoipa::path(post, operation_id = "restore_watched_folder", path = "/api/v1/watched-folders/{id}/restore", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There was no such folder", body = Message),
    (status = 409, description = "The folder is watched, or config.toml named it", body = Message),
    (status = 422, description = "What is wrong with the rule now, one a line", body = Message)))]
pub async fn restore(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<WatchedFolder>, ApiError> {
    context.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    let restored = folders::restore(&context.app.watch, &context.actor, id).await;
    restored.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    read_folder(context, id).await
}

/// Pause a watched folder
///
/// For administrators. Ingests in progress are completed.
#[utoipa::path(post, operation_id = "pause_watched_folder", path = "/api/v1/watched-folders/{id}/pause", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn pause(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<WatchedFolder>, ApiError> {
    set_paused(context, &id, true).await
}

/// Resume a watched folder
///
/// For administrators.
#[utoipa::path(post, operation_id = "resume_watched_folder", path = "/api/v1/watched-folders/{id}/resume", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn resume(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<WatchedFolder>, ApiError> {
    set_paused(context, &id, false).await
}

async fn set_paused(
    context: RequestContext,
    id: &str,
    paused: bool,
) -> Result<Json<WatchedFolder>, ApiError> {
    context.must_be_administrator()?;
    let id = path_id("watched folder", id)?;
    let done = folders::pause(&context.app.watch, &context.actor, id, paused).await;
    done.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    read_folder(context, id).await
}

async fn read_folder(context: RequestContext, id: i64) -> Result<Json<WatchedFolder>, ApiError> {
    context
        .read(move |snapshot| {
            let record = snapshot.read.watch_rule(id)?;
            let record = record.ok_or_else(|| not_found("watched folder", id))?;
            Ok(Json(folder(snapshot, record)?))
        })
        .await
}

fn folder(
    snapshot: &ViewerSnapshot<'_>,
    record: WatchRuleRecord,
) -> Result<WatchedFolder, ApiError> {
    let rule: Rule = serde_json::from_str(&record.rule)
        .unwrap_or_else(|_| Rule::for_folder(record.path.clone().into()));
    let counts = snapshot.read.watch_counts(record.id)?;
    let waits = |count: &&WatchCount| !count.state.is_final();
    let waiting: i64 = counts.iter().filter(waits).map(|count| count.files).sum();
    let waiting_bytes = counts.iter().filter(waits).map(|count| count.bytes).sum();
    let live = snapshot.context.app.watch.live(record.id);
    let rate = live.rate().filter(|_| !record.paused);
    Ok(WatchedFolder {
        id: record.id,
        configured: record.configured,
        paused: record.paused,
        collection: collection(snapshot, &rule)?,
        rule,
        problem: live.problem().filter(|_| !record.paused),
        polled: live.polled(),
        counts: by_state(&counts),
        waiting_bytes,
        files_per_second: rate.map(|rate| rate.files),
        bytes_per_second: rate.map(|rate| rate.bytes),
        seconds_left: rate
            .filter(|_| waiting > 0)
            .map(|rate| left(waiting, rate.files)),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a guess need not be exact, and casts of floats end at the greatest number"
)]
fn left(files: i64, per_second: f64) -> i64 {
    (files as f64 / per_second).ceil() as i64
}

fn collection(snapshot: &ViewerSnapshot<'_>, rule: &Rule) -> Result<Option<NodeTitle>, DbError> {
    let Some(nid) = rule.collection else {
        return Ok(None);
    };
    let target = snapshot.read.target(EntityKind::Node, nid)?;
    Ok(target.map(|target| NodeTitle {
        nid,
        title: target.label,
    }))
}

fn by_state(counts: &[WatchCount]) -> WatchCounts {
    let of = |state| {
        let mut counts = counts.iter();
        counts
            .find(|count| count.state == state)
            .map_or(0, |count| count.files)
    };
    WatchCounts {
        seen: of(WatchState::Seen),
        settled: of(WatchState::Settled),
        ingesting: of(WatchState::Ingesting),
        done: of(WatchState::Done),
        skipped: of(WatchState::Skipped),
        failed: of(WatchState::Failed),
    }
}
