//! The audit of stored bytes: while the program serves, every version of every file is read again
//! and compared with the checksum that it arrived with, gently, pass after pass.

mod hurry;
mod pace;
mod pass;
mod progress;

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

pub use hurry::Audit;
pub use progress::{CurrentPass, LastPass, PassProgress};

use crate::db::DbError;
use crate::repository::Repository;

const DAY: i64 = 24 * 60 * 60;
/// How often it is looked whether a pass is due.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);
/// The pause between passes that follow one another at once.
const BREATH: Duration = Duration::from_secs(1);

/// Starts the audit, if the configuration wants one. It ends when the program closes.
pub fn start(repository: &Arc<Repository>) -> Option<JoinHandle<()>> {
    let repository = repository.clone();
    let audit = repository.config.fixity.enabled;
    audit.then(|| tokio::spawn(async move { audit_until_closing(repository).await }))
}

async fn audit_until_closing(repository: Arc<Repository>) {
    let closing = repository.closing.clone();
    loop {
        let pause = match audit(&repository).await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::warn!(%error, "the audit of stored bytes is interrupted");
                BETWEEN_LOOKS
            }
        };
        tokio::select! {
            () = closing.cancelled() => return,
            () = repository.audit.asked() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Goes on with the pass that is under way, or begins the next if it is due. Returns how long to wait.
async fn audit(repository: &Arc<Repository>) -> Result<Duration, DbError> {
    let known = progress::load(&repository.db).await?;
    let now = chrono::Utc::now().timestamp();
    let length = repository.config.fixity.pass_days * DAY;
    let current = match (known.current, known.last) {
        (Some(current), _) => current,
        (None, Some(last)) if last.started + length > now && !repository.audit.in_hurry() => {
            return Ok(BETWEEN_LOOKS);
        }
        _ => progress::begin(&repository.db, now).await?,
    };
    pass::run(repository, &current, length).await?;
    Ok(if length == 0 { BREATH } else { BETWEEN_LOOKS })
}

/// How far the audit has come.
///
/// # Errors
/// What the database refuses.
pub fn progress_of(read: &crate::db::Read<'_>) -> Result<PassProgress, DbError> {
    progress::read(read)
}
