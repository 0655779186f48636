//! `/api/v1/watched-folders/dry-run`: what would become of the files of a folder. For administrators.

use axum::Json;
use axum::extract::Request;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::shapes::Message;
use crate::actions::watched_folders as folders;
use crate::api::ApiError;
use crate::watch::{Rehearsal, Rule};

/// What would become of a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct ForeseenFile {
    /// From the watched folder.
    path: String,
    /// Bytes.
    size: u64,
    /// Why it would not be taken. A sentence.
    reason: Option<String>,
    title: Option<String>,
    media_type: Option<String>,
    mime: Option<String>,
    /// Name of the model.
    model: Option<String>,
    /// Path of the folder that becomes the item which it becomes a member of; `null`: the collection of the rule.
    inside: Option<String>,
}

/// What would become of what lies in a folder now.
#[derive(Debug, Serialize, ToSchema)]
pub struct DryRun {
    /// The first 200, in natural order.
    files: Vec<ForeseenFile>,
    /// Files that the rule is for.
    count: u64,
    bytes: u64,
    /// Files that it is not for: hidden, unfinished, descriptions.
    passed_over: u64,
    /// Whether there are more than were counted.
    more: bool,
}

/// Say what would become of what lies in a folder now
///
/// For administrators. Nothing is made, moved or written down.
#[utoipa::path(post, operation_id = "dry_run", path = "/api/v1/watched-folders/dry-run", tag = "watched folders", request_body = Rule, responses(
    (status = 200, body = DryRun),
    (status = 400, description = "The body is no JSON", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "What is wrong with the rule, one a line", body = Message)))]
pub async fn dry_run(asked: Asked, request: Request) -> Result<Json<DryRun>, ApiError> {
    asked.must_be_administrator()?;
    let rule: Rule = asked.body(request).await?;
    let rehearsal = folders::rehearse(&asked.repository, &asked.actor, rule).await;
    let rehearsal = rehearsal.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(Json(as_dry_run(rehearsal)))
}

fn as_dry_run(rehearsal: Rehearsal) -> DryRun {
    let files = rehearsal.files.into_iter().map(|file| ForeseenFile {
        path: file.path,
        size: file.size,
        reason: file.reason,
        title: file.title,
        media_type: file.media_type,
        mime: file.mime,
        model: file.model,
        inside: file.inside,
    });
    DryRun {
        files: files.collect(),
        count: rehearsal.count,
        bytes: rehearsal.bytes,
        passed_over: rehearsal.passed_over,
        more: rehearsal.more,
    }
}
