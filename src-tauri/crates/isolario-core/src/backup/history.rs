//! The history of backups. Each run adds a row, whether it made a backup or failed.

use std::path::Path;
use std::sync::Arc;

use chrono::Utc;

use super::manifest::has_backup;
use super::{BackupError, Summary, back_up};
use crate::actions::relocate;
use crate::progress::ReportProgress;
use crate::repository::Repository;
use isolario_db::{BackupRun, Db, DbError};

/// What is remembered of backups.
#[derive(Debug, Clone, Default)]
pub struct BackupState {
    /// The latest run.
    pub last: Option<BackupRun>,
    /// The latest that made a backup.
    pub last_made: Option<BackupRun>,
}

/// What is remembered of backups, into one folder or any.
///
/// # Errors
/// What the database refuses.
pub async fn state(db: &Db, folder: Option<String>) -> Result<BackupState, DbError> {
    db.read(move |read| {
        Ok(BackupState {
            last: read.last_backup(folder.as_deref(), false)?,
            last_made: read.last_backup(folder.as_deref(), true)?,
        })
    })
    .await
}

/// Makes a backup, and adds its outcome to the history.
///
/// # Errors
/// As `back_up`.
pub async fn back_up_and_note(
    repository: &Repository,
    folder: &Path,
    scheduled: bool,
    progress: Arc<ReportProgress>,
) -> Result<Summary, BackupError> {
    let began = Utc::now().timestamp();
    let outcome = match scheduled && has_gone(&repository.db, folder).await? {
        true => Err(BackupError::Gone(folder.to_owned())),
        false => back_up(repository, folder, progress).await,
    };
    relocate::follow(&repository.db, &repository.blobs).await;
    let run = BackupRun {
        scheduled,
        began,
        ended: Utc::now().timestamp(),
        ..run_of(folder, &outcome)
    };
    if let (Some(error), true) = (&run.error, scheduled) {
        tracing::error!(error, folder = %folder.display(), "a backup failed or is not whole");
    }
    let noted = repository.db.write(move |write| write.note_backup(&run));
    // The backup is made, or not, all the same.
    if let Err::<(), DbError>(error) = noted.await {
        tracing::error!(%error, "a backup cannot be noted");
    }
    outcome
}

/// Whether a folder had a backup and has none. It may be a mount point without its disk, and a backup would fill
/// another disk.
async fn has_gone(db: &Db, folder: &Path) -> Result<bool, DbError> {
    let name = folder.display().to_string();
    Ok(state(db, Some(name)).await?.last_made.is_some() && !has_backup(folder))
}

fn run_of(folder: &Path, outcome: &Result<Summary, BackupError>) -> BackupRun {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let mut run = BackupRun {
        folder: folder.display().to_string(),
        scheduled: false,
        began: 0,
        ended: 0,
        files: 0,
        copied: 0,
        bytes: 0,
        copied_bytes: 0,
        error: None,
    };
    match outcome {
        Ok(summary) => {
            run.files = number(summary.head.files);
            run.copied = number(summary.copied);
            run.bytes = number(summary.head.bytes);
            run.copied_bytes = number(summary.copied_bytes);
            run.error = summary.complaint();
        }
        Err(error) => run.error = Some(error.to_string()),
    }
    run
}
