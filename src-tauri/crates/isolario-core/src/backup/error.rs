//! Why there is no backup, or nothing restored from it.

use std::path::PathBuf;

use isolario_db::DbError;

/// In plain words.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{path} lies in the data directory. A backup belongs on another disk.", path = .0.display())]
    Inside(PathBuf),
    #[error("{path} holds the data directory. Name a folder of its own.", path = .0.display())]
    Around(PathBuf),
    #[error("{path} holds other things and no backup. Name an empty or a new folder.", path = .0.display())]
    Foreign(PathBuf),
    #[error("Another backup into {path} is under way.", path = .0.display())]
    Busy(PathBuf),
    #[error("{path} held a backup and holds none now. Is its disk mounted?", path = .0.display())]
    Gone(PathBuf),
    #[error("{path} holds no finished backup.", path = .0.display())]
    NoBackup(PathBuf),
    #[error("The backup in {path} was made by a newer Isolario (format {found}). Please update the program.", path = path.display())]
    Newer { path: PathBuf, found: u32 },
    #[error("{path} is not empty. A backup is restored into a new or an empty folder.", path = .0.display())]
    NotEmpty(PathBuf),
    #[error("The backup in {path} is damaged: {why}", path = path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("The copy of the database is not sound, so the former backup was kept: {0}")]
    Unsound(String),
    #[error("{path} cannot be used: {error}.", path = path.display())]
    Disk {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error(transparent)]
    Database(#[from] DbError),
    #[error("The backup broke off: {0}.")]
    Broken(String),
}

impl BackupError {
    /// What the disk refused, and where.
    pub(super) fn disk(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BackupError {
        let path = path.into();
        move |error| BackupError::Disk { path, error }
    }
}
