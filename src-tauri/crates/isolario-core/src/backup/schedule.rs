//! Makes backups by the schedule of config.toml.

use std::sync::Arc;
use std::time::Duration;

use chrono::Utc;

use super::history::{back_up_and_note, state};
use crate::repository::Repository;
use isolario_db::DbError;

/// How often the schedule checks whether a backup is due. One long sleep would miss a set clock or a suspended machine.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// The time of the first check after the program has begun to serve.
const FIRST_LOOK: Duration = Duration::from_secs(3);
/// Seconds until the next attempt after a failure, unless the schedule is more frequent.
const AFTER_FAILURE: i64 = 3600;

/// Makes backups when they are due, until the program closes. Without a folder in config.toml it does
/// nothing.
pub async fn run_schedule(repository: Arc<Repository>) {
    let closing = repository.closing.clone();
    tokio::select! {
        () = closing.cancelled() => {}
        () = look_now_and_then(&repository) => {}
    }
}

async fn look_now_and_then(repository: &Repository) {
    let rules = &repository.config.backup;
    let Some(folder) = &rules.directory else {
        return std::future::pending().await;
    };
    tokio::time::sleep(FIRST_LOOK).await;
    loop {
        match is_due(repository).await {
            Ok(true) => {
                let quiet = Arc::new(|_| {});
                // What went wrong is noted and logged there.
                let _ = back_up_and_note(repository, folder, true, quiet).await;
            }
            Ok(false) => {}
            Err(error) => tracing::error!(%error, "it cannot be seen whether a backup is due"),
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn is_due(repository: &Repository) -> Result<bool, DbError> {
    let rules = &repository.config.backup;
    let folder = rules
        .directory
        .as_ref()
        .map(|path| path.display().to_string());
    let state = state(&repository.db, folder).await?;
    let interval = i64::from(rules.every_hours) * 3600;
    let now = Utc::now().timestamp();
    // A time that lies ahead is of a clock that was set back since.
    let passed = |since: i64, seconds: i64| since > now || now - since >= seconds;
    let made = state
        .last_made
        .is_none_or(|run| passed(run.began, interval));
    let tried = state
        .last
        .is_none_or(|run| passed(run.ended, interval.min(AFTER_FAILURE)));
    Ok(made && tried)
}
