//! Rebuilds the database from the records and the bytes. The new database is built beside the old one and replaces it
//! at the end by a rename. A damaged one is renamed, never deleted.

mod bytes;
mod database;
mod fill;
mod renew;
mod report;

use std::path::{Path, PathBuf};

pub use renew::renew;
pub use report::RebuildReport;

use crate::progress::ReportProgress;
use isolario_blobs::Blobs;
use isolario_config::Config;
use isolario_db::DbError;

/// Why the database was not rebuilt. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    #[error("{path} holds no records from which a database could be made. A backup can be restored into another directory.", path = .0.display())]
    NoRecords(PathBuf),
    #[error("{path} holds no sound database from which records could be made.", path = .0.display())]
    NoDatabase(PathBuf),
    #[error(
        "The database is there and sound, and it knows more than its records do. With --force it is moved aside and made again all the same."
    )]
    Sound,
    #[error(
        "The record of the content model cannot be used, and nothing can be read without it: {0}."
    )]
    NoModel(String),
    #[error("{path} cannot be used: {error}.", path = path.display())]
    Disk {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error(transparent)]
    Database(#[from] DbError),
}

/// Rebuilds the database of a data directory. The caller holds the lock of the directory. It replaces a sound database
/// only with `force`, or if the records are newer or belong to another repository, because that database cannot be
/// used.
///
/// # Errors
/// In plain words.
pub async fn rebuild(
    data_directory: &Path,
    config: &Config,
    force: bool,
    progress: &ReportProgress,
) -> Result<RebuildReport, RebuildError> {
    let records = super::directory(data_directory);
    let failed = |error| RebuildError::Disk {
        path: data_directory.to_owned(),
        error,
    };
    if !records.is_dir() && config.bytes.is_some() {
        progress("Fetching the records from the bucket …".to_owned());
        let blobs = Blobs::open(data_directory, config).map_err(failed)?;
        blobs.fetch_records(&records).await.map_err(failed)?;
    }
    if !records.is_dir() {
        return Err(RebuildError::NoRecords(data_directory.to_owned()));
    }
    let is_theirs = || -> Result<bool, DbError> {
        Ok(database::is_whole(data_directory)? && !database::is_contradicted(data_directory)?)
    };
    if !force && is_theirs()? {
        return Err(RebuildError::Sound);
    }
    let mut rebuilt = RebuildReport::default();
    let db = database::begin(data_directory)?;
    fill::fill(&db, &records, &mut rebuilt, progress).await?;
    bytes::verify(&db, data_directory, config, &mut rebuilt, progress)
        .await
        .map_err(failed)?;
    // It knows events by numbers that mean others from now on.
    crate::search::forget(data_directory).map_err(failed)?;
    rebuilt.moved_aside = database::finish(db, data_directory).await?;
    Ok(rebuilt)
}
