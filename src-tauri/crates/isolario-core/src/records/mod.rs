//! Records: a JSON file for each resource, file, account and role, beside the database and never served. `write` writes
//! them after each change. `rebuild` makes the database from them and the bytes.

mod lineage;
mod path;
mod read;
pub mod rebuild;

mod write;

use std::path::{Path, PathBuf};

pub use lineage::contradiction;
pub use write::write_records;

use isolario_db::{Backlog, Db, DbError};

/// The directory of the records of a repository.
pub fn directory(data_directory: &Path) -> PathBuf {
    data_directory.join("records")
}

/// How many records are out of date.
pub async fn backlog(db: &Db) -> Result<Backlog, DbError> {
    db.read(|read| read.record_backlog()).await
}
