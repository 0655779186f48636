//! `/api/v1/fixity`: how the audit of stored bytes stands, for administrators.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::item_json::fixity;
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::Fixity;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::fixity::{CurrentPass, LastPass, progress_of};
use isolario_db::{AmissVersion, DbError};
use isolario_model::fields::iso;

/// How many are listed.
const LISTED: u32 = 1_000;

/// A version of a file whose bytes are not as they arrived.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmissFile {
    fid: i64,
    version: i64,
    filename: String,
    /// `scheme://path`.
    uri: String,
    fixity: Fixity,
}

/// A pass under way.
#[derive(Debug, Serialize, ToSchema)]
pub struct FixityPass {
    #[schema(format = DateTime)]
    started: String,
    /// Versions of files that there were when it began.
    versions: i64,
    /// Bytes that there were then.
    bytes: u64,
    /// Versions that were verified since.
    verified: i64,
}

/// A pass that came to its end.
#[derive(Debug, Serialize, ToSchema)]
pub struct FinishedFixityPass {
    #[schema(format = DateTime)]
    started: String,
    #[schema(format = DateTime)]
    finished: String,
    versions: i64,
    bytes: u64,
    /// Versions that were not as they arrived, at its end.
    amiss: i64,
}

/// The state of the fixity audit.
#[derive(Debug, Serialize, ToSchema)]
pub struct FixityStatus {
    enabled: bool,
    /// How long a pass may take, in days.
    pass_days: i64,
    max_mb_per_second: f64,
    current_pass: Option<FixityPass>,
    /// Whether a person asked for a check. The pass then runs at the highest configured speed.
    prioritised: bool,
    last_pass: Option<FinishedFixityPass>,
    /// Versions of all files.
    versions: i64,
    /// Those that have not been verified since they arrived.
    never_verified: i64,
    /// The verification that is longest ago.
    #[schema(format = DateTime)]
    oldest_verification: Option<String>,
    /// How many versions are not as they arrived.
    amiss: i64,
    /// They, at most 1,000.
    amiss_files: Vec<AmissFile>,
}

/// Read the state of the fixity audit
///
/// For administrators.
#[utoipa::path(get, operation_id = "fixity", path = "/api/v1/fixity", tag = "maintenance", responses(
    (status = 200, body = FixityStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
))]
pub async fn status(context: RequestContext) -> Result<Json<FixityStatus>, ApiError> {
    context.must_be_administrator()?;
    context
        .read(|snapshot| Ok(Json(read_status(snapshot)?)))
        .await
}

/// Verify all stored bytes now
///
/// For administrators. The fixity pass in progress continues at the highest configured speed, or a pass begins.
#[utoipa::path(post, operation_id = "check_now", path = "/api/v1/fixity", tag = "maintenance", responses(
    (status = 202, description = "The fixity pass is in progress"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 409, description = "The configuration disables the fixity audit", body = Message)))]
pub async fn check_now(context: RequestContext) -> Result<StatusCode, ApiError> {
    let done = context.app.audit.check_now(&context.actor);
    done.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::ACCEPTED)
}

fn read_status(snapshot: &ViewerSnapshot<'_>) -> Result<FixityStatus, DbError> {
    let rules = &snapshot.context.repository.config.fixity;
    let passes = progress_of(snapshot.read)?;
    let since = passes.current.map_or(i64::MAX, |pass| pass.started);
    let counts = snapshot.read.fixity_counts(since)?;
    let amiss = snapshot.read.amiss_versions(LISTED)?;
    Ok(FixityStatus {
        enabled: rules.enabled,
        pass_days: rules.pass_days,
        max_mb_per_second: rules.max_mb_per_second,
        current_pass: passes.current.map(|pass| under_way(&pass, counts.since)),
        prioritised: snapshot.context.app.audit.is_prioritised(),
        last_pass: passes.last.map(|pass| finished(&pass)),
        versions: counts.versions,
        never_verified: counts.never,
        oldest_verification: counts.oldest.map(iso),
        amiss: counts.amiss,
        amiss_files: amiss.into_iter().map(amiss_file).collect(),
    })
}

fn under_way(pass: &CurrentPass, verified: i64) -> FixityPass {
    FixityPass {
        started: iso(pass.started),
        versions: pass.versions,
        bytes: pass.bytes,
        verified,
    }
}

fn finished(pass: &LastPass) -> FinishedFixityPass {
    FinishedFixityPass {
        started: iso(pass.started),
        finished: iso(pass.finished),
        versions: pass.versions,
        bytes: pass.bytes,
        amiss: pass.amiss,
    }
}

fn amiss_file(found: AmissVersion) -> AmissFile {
    AmissFile {
        fid: found.fid,
        version: found.version,
        filename: found.filename,
        uri: found.uri,
        fixity: fixity(found.record),
    }
}
