//! `/api/v1/backups`: which backups there are and how old they are, for administrators.

use std::path::PathBuf;

use axum::Json;
use axum::extract::Request;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_config::BackupRules;
use isolario_config::allowed_folders::FolderUse;
use isolario_core::backup::back_up_now as begin_backup;
use isolario_core::backup::{RunningBackup, state};
use isolario_db::BackupRun;
use isolario_model::fields::iso;

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
    /// Where to: a path from the root on, in one of the folders that are `allowed`, and none that is watched. Without
    /// it the folder of the schedule, else that of the latest backup.
    directory: Option<String>,
}

/// The state of backups.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupStatus {
    /// `null` where none is made by itself.
    schedule: Option<BackupSchedule>,
    /// Folders of the machine that backups may be made in, with all in them.
    allowed: Vec<String>,
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

/// Read the state of backups
#[utoipa::path(get, path = "/api/v1/backups", tag = "maintenance", responses(
    (status = 200, body = BackupStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "For administrators only", body = Message)))]
pub async fn status(context: RequestContext) -> Result<Json<BackupStatus>, ApiError> {
    context.must_be_administrator()?;
    let state = state(&context.repository.db, None).await?;
    let failure = state.last.filter(|run| run.error.is_some());
    Ok(Json(BackupStatus {
        schedule: schedule(&context.repository.config.backup),
        allowed: context.allowed_folders(FolderUse::Backup),
        running: context.app.backup.running().map(under_way),
        last_made: state.last_made.map(backup),
        failed: failure.as_ref().map(|run| iso(run.ended)),
        last_error: failure.and_then(|run| run.error),
    }))
}

/// Make a backup now
///
/// For administrators. A GET of the same address returns the progress.
#[utoipa::path(post, operation_id = "back_up_now", path = "/api/v1/backups", tag = "maintenance", request_body = BackupRequest, responses(
    (status = 202, description = "The backup has begun"),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 409, description = "A backup is in progress", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid, no folder is known, or the folder is not allowed", body = Message)))]
pub async fn back_up_now(
    context: RequestContext,
    request: Request,
) -> Result<StatusCode, ApiError> {
    context.must_be_administrator()?;
    let wanted: BackupRequest = context.body(request).await?;
    let folder = wanted.directory.filter(|path| !path.is_empty());
    let begun = begin_backup(
        &context.app.backup,
        &context.actor,
        folder.map(PathBuf::from),
    )
    .await;
    begun.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
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
