//! The fixity audit. While the program serves, it reads every version of every file again, slowly and pass after pass,
//! and compares the bytes with their checksum.

mod pass;
mod priority;
mod progress;
mod throttle;

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

pub use priority::Audit;
pub use progress::{CurrentPass, LastPass, PassProgress};

use isolario_db::DbError;

const DAY: i64 = 24 * 60 * 60;
/// How often the audit checks whether a pass is due.
const POLL_INTERVAL: Duration = Duration::from_secs(60);
/// The pause between passes without an interval.
const PAUSE: Duration = Duration::from_secs(1);

/// Starts the audit, if the configuration wants one. It ends when the program closes.
pub fn start(audit: &Arc<Audit>) -> Option<JoinHandle<()>> {
    let audit = audit.clone();
    let enabled = audit.repository.config.fixity.enabled;
    enabled.then(|| tokio::spawn(async move { audit_until_closing(&audit).await }))
}

async fn audit_until_closing(audit: &Audit) {
    let closing = audit.repository.closing.clone();
    loop {
        let pause = match next_pass(audit).await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::warn!(%error, "the audit of stored bytes is interrupted");
                POLL_INTERVAL
            }
        };
        tokio::select! {
            () = closing.cancelled() => return,
            () = audit.requested() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Continues the current pass, or begins the next one if it is due. Returns how long to wait.
async fn next_pass(audit: &Audit) -> Result<Duration, DbError> {
    let repository = &audit.repository;
    let known = progress::load(&repository.db).await?;
    let now = chrono::Utc::now().timestamp();
    let length = repository.config.fixity.pass_days * DAY;
    let current = match (known.current, known.last) {
        (Some(current), _) => current,
        (None, Some(last)) if last.started + length > now && !audit.is_prioritised() => {
            return Ok(POLL_INTERVAL);
        }
        _ => progress::begin(&repository.db, now).await?,
    };
    pass::run(audit, &current, length).await?;
    Ok(if length == 0 { PAUSE } else { POLL_INTERVAL })
}

/// How far the audit has come.
///
/// # Errors
/// What the database refuses.
pub fn progress_of(read: &isolario_db::Read<'_>) -> Result<PassProgress, DbError> {
    progress::read(read)
}
