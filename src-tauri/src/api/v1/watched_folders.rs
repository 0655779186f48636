//! `/api/v1/watched-folders`: folders whose files become items by themselves. For administrators.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::parameters::{Parameters, not_found, path_id, text};
use super::shapes::{Message, NodeTitle};
use super::shown::Shown;
use crate::actions::watched_folders as folders;
use crate::api::ApiError;
use crate::content::{EntityKind, WatchState};
use crate::db::{DbError, WatchCount, WatchRuleRecord};
use crate::watch::Rule;

/// Longest time that an answer waits for something to tell.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// How long what happens may gather before it is told.
const GATHERING: Duration = Duration::from_millis(300);

/// Since when.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FoldersQuery {
    /// `version` of an earlier answer: this one comes when something has happened since, or after 15 seconds.
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
    /// Another one after something has happened.
    version: u64,
}

/// The watched folders
///
/// For administrators.
#[utoipa::path(get, operation_id = "list_watched_folders", path = "/api/v1/watched-folders", tag = "watched folders", params(FoldersQuery), responses(
    (status = 200, body = WatchedFolderList),
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer is no administrator", body = Message)))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<FoldersQuery>,
) -> Result<Json<WatchedFolderList>, ApiError> {
    asked.must_be_administrator()?;
    let since: Option<u64> = match text(query.since.as_ref()) {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| {
            ApiError::bad_request(
                "The \"since\" parameter must be the \"version\" of an earlier answer.",
            )
        })?),
    };
    let mut changes = asked.repository.watch.changes();
    let version = *changes.borrow_and_update();
    if since == Some(version) {
        let closing = asked.repository.closing.clone();
        tokio::select! {
            () = closing.cancelled() => {}
            () = tokio::time::sleep(LONGEST_WAIT) => {}
            _ = changes.changed() => tokio::time::sleep(GATHERING).await,
        }
    }
    let version = *changes.borrow_and_update();
    asked
        .read(move |shown| {
            let records = shown.read.watch_rules()?;
            let folders = records.into_iter().map(|record| folder(shown, record));
            Ok(Json(WatchedFolderList {
                folders: folders.collect::<Result<_, _>>()?,
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
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer is no administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn one(asked: Asked, Path(id): Path<String>) -> Result<Json<WatchedFolder>, ApiError> {
    asked.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    shown_folder(asked, id).await
}

/// Watch a folder
///
/// For administrators. The folder must be on this machine, may not hold the data directory nor lie in it, and
/// may not overlap another watched folder.
#[utoipa::path(post, operation_id = "add_watched_folder", path = "/api/v1/watched-folders", tag = "watched folders", request_body = Rule, responses(
    (status = 201, description = "The watched folder; Location names it", body = WatchedFolder),
    (status = 400, description = "The body is no JSON", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "What is wrong with the rule, one a line", body = Message)))]
pub async fn add(asked: Asked, request: Request) -> Result<Response, ApiError> {
    asked.must_be_administrator()?;
    let rule: Rule = asked.body(request).await?;
    let id = folders::add(&asked.repository, &asked.actor, rule).await;
    let id = id.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    let location = asked.base.join(&format!("/api/v1/watched-folders/{id}"));
    let folder = shown_folder(asked, id).await?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], folder).into_response())
}

/// Change what becomes of the files of a folder
///
/// For administrators. What is not sent stays as it is.
#[utoipa::path(patch, operation_id = "change_watched_folder", path = "/api/v1/watched-folders/{id}", tag = "watched folders", params(("id" = i64, Path)),
    request_body(content = Object, description = "Lines of a rule"), responses(
    (status = 200, body = WatchedFolder),
    (status = 400, description = "The body is no JSON", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message),
    (status = 409, description = "The folder is named in config.toml", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "What is wrong with the rule, one a line", body = Message)))]
pub async fn change(
    asked: Asked,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<WatchedFolder>, ApiError> {
    asked.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    let changes: Map<String, Value> = asked.body(request).await?;
    let changed = folders::change(&asked.repository, &asked.actor, id, changes).await;
    changed.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    shown_folder(asked, id).await
}

/// Watch a folder no longer
///
/// For administrators. What has become of its files stays known: if it is watched again, nothing is taken twice.
#[utoipa::path(delete, operation_id = "remove_watched_folder", path = "/api/v1/watched-folders/{id}", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 204, description = "It is not watched any more"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message),
    (status = 409, description = "The folder is named in config.toml", body = Message)))]
pub async fn remove(asked: Asked, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    asked.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    let removed = folders::remove(&asked.repository, &asked.actor, id).await;
    removed.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Watch a folder again that was removed
///
/// For administrators. It comes back by the rule it had, paused if it was, and what has become of its files is known.
#[utoipa::path(post, operation_id = "restore_watched_folder", path = "/api/v1/watched-folders/{id}/restore", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 404, description = "There was no such folder", body = Message),
    (status = 409, description = "It is watched, or config.toml named it", body = Message),
    (status = 422, description = "What speaks against its rule by now, one a line", body = Message)))]
pub async fn restore(
    asked: Asked,
    Path(id): Path<String>,
) -> Result<Json<WatchedFolder>, ApiError> {
    asked.must_be_administrator()?;
    let id = path_id("watched folder", &id)?;
    let restored = folders::restore(&asked.repository, &asked.actor, id).await;
    restored.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    shown_folder(asked, id).await
}

/// Take nothing from a folder for the time being
///
/// For administrators. What is being taken is taken to the end.
#[utoipa::path(post, operation_id = "pause_watched_folder", path = "/api/v1/watched-folders/{id}/pause", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn pause(asked: Asked, Path(id): Path<String>) -> Result<Json<WatchedFolder>, ApiError> {
    set_paused(asked, &id, true).await
}

/// Go on with a folder
///
/// For administrators.
#[utoipa::path(post, operation_id = "resume_watched_folder", path = "/api/v1/watched-folders/{id}/resume", tag = "watched folders", params(("id" = i64, Path)), responses(
    (status = 200, body = WatchedFolder),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 404, description = "There is no such folder", body = Message)))]
pub async fn resume(asked: Asked, Path(id): Path<String>) -> Result<Json<WatchedFolder>, ApiError> {
    set_paused(asked, &id, false).await
}

async fn set_paused(asked: Asked, id: &str, paused: bool) -> Result<Json<WatchedFolder>, ApiError> {
    asked.must_be_administrator()?;
    let id = path_id("watched folder", id)?;
    let done = folders::pause(&asked.repository, &asked.actor, id, paused).await;
    done.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    shown_folder(asked, id).await
}

async fn shown_folder(asked: Asked, id: i64) -> Result<Json<WatchedFolder>, ApiError> {
    asked
        .read(move |shown| {
            let record = shown.read.watch_rule(id)?;
            let record = record.ok_or_else(|| not_found("watched folder", id))?;
            Ok(Json(folder(shown, record)?))
        })
        .await
}

fn folder(shown: &Shown<'_>, record: WatchRuleRecord) -> Result<WatchedFolder, ApiError> {
    let rule: Rule = serde_json::from_str(&record.rule)
        .unwrap_or_else(|_| Rule::for_folder(record.path.clone().into()));
    let counts = shown.read.watch_counts(record.id)?;
    let waits = |count: &&WatchCount| !count.state.is_final();
    let waiting: i64 = counts.iter().filter(waits).map(|count| count.files).sum();
    let waiting_bytes = counts.iter().filter(waits).map(|count| count.bytes).sum();
    let live = shown.asked.repository.watch.live(record.id);
    let pace = live.pace().filter(|_| !record.paused);
    Ok(WatchedFolder {
        id: record.id,
        configured: record.configured,
        paused: record.paused,
        collection: collection(shown, &rule)?,
        rule,
        problem: live.problem().filter(|_| !record.paused),
        polled: live.polled(),
        counts: by_state(&counts),
        waiting_bytes,
        files_per_second: pace.map(|pace| pace.files),
        bytes_per_second: pace.map(|pace| pace.bytes),
        seconds_left: pace
            .filter(|_| waiting > 0)
            .map(|pace| left(waiting, pace.files)),
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

fn collection(shown: &Shown<'_>, rule: &Rule) -> Result<Option<NodeTitle>, DbError> {
    let Some(nid) = rule.collection else {
        return Ok(None);
    };
    let target = shown.read.target(EntityKind::Node, nid)?;
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
