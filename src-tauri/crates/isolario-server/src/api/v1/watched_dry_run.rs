//! `/api/v1/watched-folders/dry-run`: what would become of the files of a folder. For administrators.

use axum::Json;
use axum::extract::Request;
use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_model::watch_rule::Rule;
use isolario_watch::DryRunReport;
use isolario_watch::rules as folders;

/// What a rule would do with a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForeseenFile)]
pub struct DryRunFile {
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

/// What a rule would do with the files of a folder.
#[derive(Debug, Serialize, ToSchema)]
pub struct DryRun {
    /// The first 200, in natural order.
    files: Vec<DryRunFile>,
    /// Files that the rule is for.
    count: u64,
    bytes: u64,
    /// Files that it is not for: hidden, unfinished, descriptions.
    passed_over: u64,
    /// Whether there are more than were counted.
    more: bool,
}

/// Preview what a rule does with the files of a folder
///
/// For administrators. Nothing is changed.
#[utoipa::path(post, operation_id = "dry_run", path = "/api/v1/watched-folders/dry-run", tag = "watched folders", request_body = Rule, responses(
    (status = 200, body = DryRun),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "What is wrong with the rule, one violation a line", body = Message)))]
pub async fn dry_run(context: RequestContext, request: Request) -> Result<Json<DryRun>, ApiError> {
    context.must_be_administrator()?;
    let rule: Rule = context.body(request).await?;
    let report = folders::dry_run(&context.app.watch, &context.actor, rule).await;
    let report = report.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(Json(as_dry_run(report)))
}

fn as_dry_run(report: DryRunReport) -> DryRun {
    let files = report.files.into_iter().map(|file| DryRunFile {
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
        count: report.count,
        bytes: report.bytes,
        passed_over: report.passed_over,
        more: report.more,
    }
}
