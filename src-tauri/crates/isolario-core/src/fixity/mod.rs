//! The audit of stored bytes: while the program serves, every version of every file is read again
//! and compared with the checksum that it arrived with, gently, pass after pass.

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
/// How often it is looked whether a pass is due.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);
/// The pause between passes that follow one another at once.
const BREATH: Duration = Duration::from_secs(1);

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
                BETWEEN_LOOKS
            }
        };
        tokio::select! {
            () = closing.cancelled() => return,
            () = audit.requested() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Goes on with the pass that is under way, or begins the next if it is due. Returns how long to wait.
async fn next_pass(audit: &Audit) -> Result<Duration, DbError> {
    let repository = &audit.repository;
    let known = progress::load(&repository.db).await?;
    let now = chrono::Utc::now().timestamp();
    let length = repository.config.fixity.pass_days * DAY;
    let current = match (known.current, known.last) {
        (Some(current), _) => current,
        (None, Some(last)) if last.started + length > now && !audit.is_prioritised() => {
            return Ok(BETWEEN_LOOKS);
        }
        _ => progress::begin(&repository.db, now).await?,
    };
    pass::run(audit, &current, length).await?;
    Ok(if length == 0 { BREATH } else { BETWEEN_LOOKS })
}

/// How far the audit has come.
///
/// # Errors
/// What the database refuses.
pub fn progress_of(read: &isolario_db::Read<'_>) -> Result<PassProgress, DbError> {
    progress::read(read)
}
