//! Why the database refused.

use rusqlite::ErrorCode;

use isolario_disk::disk_fault::DiskFault;
use isolario_model::policy::Denial;

/// Errors of the database.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The change violated a uniqueness or foreign-key constraint. Only this change failed.
    #[error("the database refused the change: {0}")]
    Constraint(String),
    /// A newer version of the program made this database.
    #[error(
        "this repository was made by a newer Isolario (schema {found}, this program knows {known}); please update the program"
    )]
    Newer { found: usize, known: usize },
    /// The disk is full or failed. Nothing of the change was kept.
    #[error("the database failed: {0}")]
    Disk(DiskFault),
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
    #[error("the database or a copy of it cannot be read or written: {0}")]
    File(std::io::Error),
    /// The commit that the change shared with others failed. Nothing was stored.
    #[error("the commit was lost")]
    Lost,
    /// The commit failed at its very end. The next start shows whether the change is on disk.
    #[error("it is not known whether the commit is on disk: {0}")]
    Uncertain(String),
    #[error("a document in the database cannot be read: {0}")]
    Document(#[from] serde_json::Error),
    #[error("a migration failed: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The policy has permitted no change, or another one.
    #[error("the change is not permitted: {}", .0.message)]
    NotPermitted(Denial),
    /// The program is closing.
    #[error("the database is closed")]
    Closed,
}

impl DbError {
    /// Whether the change may have failed because the disk is full.
    pub fn may_lack_space(&self) -> bool {
        matches!(self, DbError::Disk(DiskFault::Full) | DbError::Lost)
    }
}

impl From<Denial> for DbError {
    fn from(denial: Denial) -> DbError {
        DbError::NotPermitted(denial)
    }
}

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> DbError {
        let words = error.to_string();
        if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) {
            return DbError::Constraint(words);
        }
        fault_of(&error, words).map_or(DbError::Sqlite(error), DbError::Disk)
    }
}

/// The fault of the disk, if the disk caused the error.
fn fault_of(error: &rusqlite::Error, words: String) -> Option<DiskFault> {
    // On a full disk, SQLite first fails to extend the shared-memory file beside the log.
    const NO_SPACE_BESIDE_LOG: i32 = rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
    let cause = error.sqlite_error()?;
    Some(match cause.code {
        ErrorCode::DiskFull => DiskFault::Full,
        _ if cause.extended_code == NO_SPACE_BESIDE_LOG => DiskFault::Full,
        ErrorCode::ReadOnly => DiskFault::ReadOnly,
        ErrorCode::PermissionDenied => DiskFault::Denied(words),
        ErrorCode::SystemIoFailure => DiskFault::Failed(words),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => DiskFault::Damaged(words),
        _ => return None,
    })
}
