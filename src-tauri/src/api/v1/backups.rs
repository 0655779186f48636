//! `/api/v1/backups`: which backups there are and how old they are, for administrators.

use std::path::PathBuf;

use axum::Json;
use axum::extract::Request;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asked::Asked;
use super::shapes::Message;
use crate::actions::care;
use crate::api::ApiError;
use crate::backup::{RunningBackup, state};
use crate::cli::config::BackupRules;
use crate::db::BackupRun;
use crate::fields::iso;

/// Backups that are made by themselves, as config.toml says.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupSchedule {
    /// Folder that they are made in.
    directory: String,
    every_hours: u32,
}

/// A backup.
#[derive(Debug, Serialize, ToSchema)]
pub struct Backup {
    directory: String,
    /// By itself; else somebody asked for it.
    scheduled: bool,
    /// When the copy of the database was begun: what the backup is of.
    #[schema(format = DateTime)]
    made: String,
    /// Since then; 0 for a time that lies ahead.
    age_seconds: i64,
    /// Files in it, and how many of them were new.
    files: i64,
    copied: i64,
    /// Bytes.
    bytes: i64,
    copied_bytes: i64,
}

/// A backup that is being made because somebody has asked for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupUnderWay {
    directory: String,
    #[schema(format = DateTime)]
    began: String,
    /// How far it is, in words.
    progress: Option<String>,
}

/// A backup that somebody asks for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupRequest {
    /// Where to: a path from the root on. Without it the folder of the schedule, else that of the latest backup.
    directory: Option<String>,
}

/// How backups stand.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupStatus {
    /// `null` where none is made by itself.
    schedule: Option<BackupSchedule>,
    /// `null` while none is being made by request.
    running: Option<BackupUnderWay>,
    /// The latest; `null` where none was ever made.
    last_made: Option<Backup>,
    /// Why the latest run made none, or what is not in it; `null` when all is well.
    last_error: Option<String>,
    /// When that was.
    #[schema(format = DateTime)]
    failed: Option<String>,
}

/// How backups stand
#[utoipa::path(get, path = "/api/v1/backups", tag = "care", responses(
    (status = 200, body = BackupStatus),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "For administrators only", body = Message)))]
pub async fn status(asked: Asked) -> Result<Json<BackupStatus>, ApiError> {
    asked.must_be_administrator()?;
    let state = state(&asked.repository.db, None).await?;
    let failure = state.last.filter(|run| run.error.is_some());
    Ok(Json(BackupStatus {
        schedule: schedule(&asked.repository.config.backup),
        running: asked.repository.backup.running().map(under_way),
        last_made: state.last_made.map(backup),
        failed: failure.as_ref().map(|run| iso(run.ended)),
        last_error: failure.and_then(|run| run.error),
    }))
}

/// Make a backup now
///
/// For administrators. How it goes is told under the same address.
#[utoipa::path(post, operation_id = "back_up_now", path = "/api/v1/backups", tag = "care", request_body = BackupRequest, responses(
    (status = 202, description = "It is being made"),
    (status = 400, description = "The body is no JSON", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 409, description = "One is being made already", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body makes no sense, or no folder is known", body = Message)))]
pub async fn back_up_now(asked: Asked, request: Request) -> Result<StatusCode, ApiError> {
    asked.must_be_administrator()?;
    let wish: BackupRequest = asked.body(request).await?;
    let folder = wish.directory.filter(|path| !path.is_empty());
    let begun = care::back_up_now(&asked.repository, &asked.actor, folder.map(PathBuf::from)).await;
    begun.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(StatusCode::ACCEPTED)
}

fn under_way(running: RunningBackup) -> BackupUnderWay {
    BackupUnderWay {
        directory: running.folder.display().to_string(),
        began: iso(running.began),
        progress: Some(running.words).filter(|words| !words.is_empty()),
    }
}

fn schedule(rules: &BackupRules) -> Option<BackupSchedule> {
    rules.directory.as_ref().map(|path| BackupSchedule {
        directory: path.display().to_string(),
        every_hours: rules.every_hours,
    })
}

fn backup(run: BackupRun) -> Backup {
    Backup {
        age_seconds: (chrono::Utc::now().timestamp() - run.began).max(0),
        made: iso(run.began),
        directory: run.folder,
        scheduled: run.scheduled,
        files: run.files,
        copied: run.copied,
        bytes: run.bytes,
        copied_bytes: run.copied_bytes,
    }
}
