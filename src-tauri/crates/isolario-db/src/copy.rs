//! Copies the whole database. A copy is consistent, whatever is written meanwhile.

use std::fs::OpenOptions;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::{Db, DbError, Read};
use isolario_platform::files::{self, WithMode};

/// Pages between two reports of progress.
const STEP: std::ffi::c_int = 4096;

impl Db {
    /// Copies the current database into a new file, which is on disk when this returns. `progress` gets the number of
    /// copied pages and of all pages.
    ///
    /// # Errors
    /// `DbError::File` when the target exists; what the disk refuses.
    pub async fn copy_to(
        &self,
        target: &Path,
        progress: impl Fn(u32, u32) + Send + 'static,
    ) -> Result<(), DbError> {
        let target = target.to_owned();
        self.read(move |read| copy(read.connection, &target, progress))
            .await
    }
}

impl Read<'_> {
    /// What is wrong with the structure of the database, one finding a line; empty when it is sound.
    pub fn unsoundness(&self) -> Result<String, DbError> {
        let mut statement = self.connection.prepare("PRAGMA quick_check(20)")?;
        let findings = statement
            .query_map([], |row| row.get(0))?
            .collect::<Result<Vec<String>, _>>()?;
        match findings.as_slice() {
            [only] if only == "ok" => Ok(String::new()),
            findings => Ok(findings.join("\n")),
        }
    }
}

/// Copies the database of a connection. Within a transaction, the copy is one snapshot.
pub(super) fn copy(
    source: &Connection,
    target: &Path,
    progress: impl Fn(u32, u32),
) -> Result<(), DbError> {
    let mut private = OpenOptions::new();
    let file = private.write(true).create_new(true).mode(0o600);
    drop(file.open(target).map_err(DbError::File)?);
    let mut destination = Connection::open(target)?;
    let backup = Backup::new(source, &mut destination)?;
    loop {
        let step = backup.step(STEP)?;
        let pages = backup.progress();
        let known = |pages: std::ffi::c_int| u32::try_from(pages).unwrap_or(0);
        progress(
            known(pages.pagecount - pages.remaining),
            known(pages.pagecount),
        );
        match step {
            StepResult::Done => break,
            StepResult::More => {}
            _ => std::thread::sleep(std::time::Duration::from_millis(50)),
        }
    }
    drop(backup);
    // One file that needs no other beside it.
    destination.pragma_update(None, "journal_mode", "DELETE")?;
    destination
        .close()
        .map_err(|(_, error)| DbError::from(error))?;
    files::sync_path(target).map_err(DbError::File)
}
