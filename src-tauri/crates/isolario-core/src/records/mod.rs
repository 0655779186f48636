//! A file for everything that is kept, beside the database and never served: from these and the bytes
//! the database can be made again. `write` is work that follows each change, `rebuild` the way back.

mod lineage;
mod path;
mod read;
pub mod rebuild;

mod write;

use std::path::{Path, PathBuf};

pub use lineage::contradiction;
pub use write::write_records;

use isolario_db::{Backlog, Db, DbError};

/// The kind of work that keeps records; the database asks for it whenever something changes.
pub const RECORD: &str = "record";

/// Where the records of a repository lie.
pub fn directory(data_directory: &Path) -> PathBuf {
    data_directory.join("records")
}

/// How far the records lag behind the database.
pub async fn backlog(db: &Db) -> Result<Backlog, DbError> {
    db.read(|read| read.backlog(RECORD)).await
}
