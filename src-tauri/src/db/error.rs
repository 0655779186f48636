//! Why the database refused.

/// Errors of the database room.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A uniqueness or foreign-key rule said no; the change alone failed.
    #[error("the database refused the change: {0}")]
    Constraint(String),
    /// A newer version of the program made this database.
    #[error(
        "this repository was made by a newer Isolario (schema {found}, this program knows {known}); please update the program"
    )]
    Newer { found: usize, known: usize },
    /// There is no room for the change on the disk. Nothing of it was kept.
    #[error("the disk is full")]
    Full,
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
    #[error("the database or a copy of it cannot be written: {0}")]
    File(std::io::Error),
    /// The commit that the change shared with others was lost before its end. Nothing was kept.
    #[error("the commit was lost")]
    Lost,
    /// The commit failed at its very end: the next start shows whether the change is on disk.
    #[error("it is not known whether the commit is on disk: {0}")]
    Uncertain(String),
    #[error("a document in the database cannot be read: {0}")]
    Document(#[from] serde_json::Error),
    #[error("a migration failed: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The program is closing.
    #[error("the database is closed")]
    Closed,
}

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> DbError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::ConstraintViolation) => {
                DbError::Constraint(error.to_string())
            }
            Some(rusqlite::ErrorCode::DiskFull) => DbError::Full,
            _ => DbError::Sqlite(error),
        }
    }
}
