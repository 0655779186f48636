//! `/api/v1/fixity`: how the audit of stored bytes stands, for administrators.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::shapes::Message;
use super::shown::Shown;
use crate::actions::care;
use crate::api::ApiError;
use crate::db::{AmissVersion, DbError, FixityRecord};
use crate::fields::iso;
use crate::fixity::{CurrentPass, LastPass, progress_of};

/// How many are listed.
const LISTED: u32 = 1_000;

/// How stored bytes were when they were last read.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Fixity {
    /// `intact`, `damaged`, `missing` or `unreadable`.
    state: &'static str,
    /// When they were last read.
    #[schema(format = DateTime)]
    verified: String,
    /// When they were first found so.
    #[schema(format = DateTime)]
    since: String,
    /// A sentence, unless they are intact.
    detail: Option<String>,
}

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

/// How the audit of stored bytes stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct FixityStatus {
    enabled: bool,
    /// How long a pass may take, in days.
    pass_days: i64,
    max_mb_per_second: f64,
    current_pass: Option<FixityPass>,
    /// Whether somebody has asked for a check: the pass goes as fast as it may.
    in_hurry: bool,
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

/// How the audit of stored bytes stands
///
/// For administrators.
#[utoipa::path(get, operation_id = "fixity", path = "/api/v1/fixity", tag = "care", responses(
    (status = 200, body = FixityStatus),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer is no administrator", body = Message),
))]
pub async fn status(asked: Asked) -> Result<Json<FixityStatus>, ApiError> {
    asked.must_be_administrator()?;
    asked.read(|shown| Ok(Json(read_status(shown)?))).await
}

/// Verify all stored bytes now
///
/// For administrators. The pass under way goes on as fast as the configuration lets it, or one begins.
#[utoipa::path(post, operation_id = "check_now", path = "/api/v1/fixity", tag = "care", responses(
    (status = 202, description = "They are being read"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 409, description = "The configuration wants no verification", body = Message)))]
pub async fn check_now(asked: Asked) -> Result<StatusCode, ApiError> {
    let done = care::check_now(&asked.repository, &asked.actor);
    done.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(StatusCode::ACCEPTED)
}

fn read_status(shown: &Shown<'_>) -> Result<FixityStatus, DbError> {
    let rules = &shown.asked.repository.config.fixity;
    let passes = progress_of(shown.read)?;
    let since = passes.current.map_or(i64::MAX, |pass| pass.started);
    let counts = shown.read.fixity_counts(since)?;
    let amiss = shown.read.amiss_versions(LISTED)?;
    Ok(FixityStatus {
        enabled: rules.enabled,
        pass_days: rules.pass_days,
        max_mb_per_second: rules.max_mb_per_second,
        current_pass: passes.current.map(|pass| under_way(&pass, counts.since)),
        in_hurry: shown.asked.repository.audit.in_hurry(),
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

/// What is known of bytes, written out.
pub fn fixity(record: FixityRecord) -> Fixity {
    Fixity {
        state: record.state.name(),
        verified: iso(record.verified),
        since: iso(record.since),
        detail: Some(record.detail).filter(|detail| !detail.is_empty()),
    }
}
