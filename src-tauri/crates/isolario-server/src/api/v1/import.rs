//! `/api/v1/import`: brings the content of another site, for administrators.

use axum::Json;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::request_context::RequestContext;
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, AppState};
use isolario_exchange::{ImportOrder, Loss, Report, RunningImport, TaskProgress, import_now};
use isolario_model::fields::iso;

/// Losses that an answer names; the report in CSV names all.
const MOST_LOSSES: usize = 100;

/// What is to come from which site.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// Address of a site with Islandora 2, or of another Isolario.
    #[schema(example = "https://islandora.example")]
    site: String,
    /// Account there; without it, only what everybody sees is read.
    user: Option<String>,
    password: Option<String>,
    /// Node id of a collection there; without it, everything that can be reached comes.
    collection: Option<i64>,
    /// Write nothing, and report what would come.
    #[serde(default)]
    check: bool,
}

/// An import in progress.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportUnderWay {
    site: String,
    check: bool,
    #[schema(format = DateTime)]
    began: String,
    progress: ImportProgress,
}

/// What an import has dealt with so far.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportProgress {
    nodes: u64,
    media: u64,
    terms: u64,
    losses: u64,
}

/// What became of the resources of a kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportCount {
    /// `node`, `media`, `file` or `taxonomy_term`.
    kind: String,
    new: u64,
    changed: u64,
    unchanged: u64,
    failed: u64,
}

/// A field or bundle of the site that has no counterpart here.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportGap {
    kind: String,
    bundle: String,
    /// `null` for the whole bundle.
    field: Option<String>,
    /// How many resources have it.
    resources: u64,
}

/// Something that did not come as it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportLoss {
    kind: String,
    /// Its id at the site; 0 where it is not known.
    id: i64,
    title: String,
    /// `null` for the whole resource.
    field: Option<String>,
    reason: String,
}

/// The outcome of an import.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportReport {
    site: String,
    check: bool,
    /// Whether it is a bag of another program, whose files become items.
    files_become_items: bool,
    counts: Vec<ImportCount>,
    /// Bytes of new and changed files.
    bytes: u64,
    gaps: Vec<ImportGap>,
    /// The first hundred.
    losses: Vec<ImportLoss>,
    /// How many there are.
    loss_count: u64,
    /// Why it ended early; `null` otherwise.
    ended: Option<String>,
}

/// The state of imports.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportStatus {
    /// `null` while none is in progress.
    running: Option<ImportUnderWay>,
    /// The one that ended last since the program started.
    last: Option<ImportReport>,
}

/// The routes of imports.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(status, begin))
        .routes(routes!(cancel))
        .routes(routes!(report))
}

/// Read the state of imports
#[utoipa::path(get, operation_id = "import_status", path = "/api/v1/import", tag = "maintenance", responses(
    (status = 200, body = ImportStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "For administrators only", body = Message)))]
pub async fn status(context: RequestContext) -> Result<Json<ImportStatus>, ApiError> {
    context.must_be_administrator()?;
    let imports = &context.app.imports;
    Ok(Json(ImportStatus {
        running: imports.running().map(under_way),
        last: imports.last().map(|report| report_of(&report)),
    }))
}

/// Import from a site now
///
/// For administrators. A GET of the same address returns the progress. Run again, it brings what has changed.
#[utoipa::path(post, operation_id = "import_now", path = "/api/v1/import", tag = "maintenance", request_body = ImportRequest, responses(
    (status = 202, description = "The import has begun"),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 409, description = "An import is in progress", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid, or the address is not that of a site", body = Message)))]
pub async fn begin(context: RequestContext, request: Request) -> Result<StatusCode, ApiError> {
    context.must_be_administrator()?;
    let wanted: ImportRequest = context.body(request).await?;
    let order = ImportOrder {
        site: wanted.site,
        user: wanted.user.filter(|user| !user.is_empty()),
        password: wanted.password,
        collection: wanted.collection,
        check: wanted.check,
    };
    let begun = import_now(&context.app.imports, &context.actor, order);
    begun.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::ACCEPTED)
}

/// Cancel the import in progress
///
/// For administrators. What came stays.
#[utoipa::path(post, operation_id = "cancel_import", path = "/api/v1/import/cancel", tag = "maintenance", responses(
    (status = 204, description = "It ends before its next node, if there is one"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message)))]
pub async fn cancel(context: RequestContext) -> Result<StatusCode, ApiError> {
    context.must_be_administrator()?;
    let cancelled = context.app.imports.cancel(&context.actor);
    cancelled.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Download the report of the last import as CSV
#[utoipa::path(get, operation_id = "import_report", path = "/api/v1/import/report", tag = "maintenance", responses(
    (status = 200, description = "All gaps and losses; only a heading where no import has ended since the program started", body = String, content_type = "text/csv"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "For administrators only", body = Message)))]
pub async fn report(context: RequestContext) -> Result<Response, ApiError> {
    context.must_be_administrator()?;
    let last = context.app.imports.last().unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"import.csv\"",
        ),
    ];
    Ok((headers, last.to_csv()).into_response())
}

fn under_way(running: RunningImport) -> ImportUnderWay {
    let TaskProgress {
        nodes,
        media,
        terms,
        losses,
    } = running.progress;
    ImportUnderWay {
        site: running.site,
        check: running.is_check,
        began: iso(running.began),
        progress: ImportProgress {
            nodes,
            media,
            terms,
            losses,
        },
    }
}

pub(super) fn report_of(report: &Report) -> ImportReport {
    let counts = report.counts.iter().map(|(kind, counts)| ImportCount {
        kind: kind.clone(),
        new: counts.new,
        changed: counts.changed,
        unchanged: counts.unchanged,
        failed: counts.failed,
    });
    let gaps = report.gaps.iter().map(|gap| ImportGap {
        kind: gap.kind.clone(),
        bundle: gap.bundle.clone(),
        field: gap.field.clone(),
        resources: gap.resources,
    });
    ImportReport {
        site: report.site.clone(),
        check: report.is_check,
        files_become_items: report.files_become_items,
        counts: counts.collect(),
        bytes: report.bytes,
        gaps: gaps.take(MOST_LOSSES).collect(),
        losses: report
            .losses
            .iter()
            .take(MOST_LOSSES)
            .map(loss_of)
            .collect(),
        loss_count: report.losses.len() as u64 + report.further_losses,
        ended: report.ended.clone(),
    }
}

fn loss_of(loss: &Loss) -> ImportLoss {
    ImportLoss {
        kind: loss.kind.clone(),
        id: loss.id,
        title: loss.title.clone(),
        field: loss.field.clone(),
        reason: loss.reason.clone(),
    }
}
