//! The new database, and the one that it replaces.

use std::io;
use std::path::{Path, PathBuf};

use super::RebuildError;
use crate::records::contradiction;
use isolario_db::DATABASE;
use isolario_db::{DatabaseState, Db, DbError, Read, look_into, state_of};
use isolario_disk::durable::sync_directory;
use isolario_platform::files;

/// The files of SQLite beside a database.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Whether there is a usable database.
///
/// # Errors
/// `DbError::Newer`; what the disk refuses.
pub(super) fn is_whole(data_directory: &Path) -> Result<bool, DbError> {
    let whole = |read: &Read<'_>| -> Result<bool, DbError> {
        Ok(read.unsoundness()?.is_empty() && read.content_model()?.is_some())
    };
    ask(data_directory, whole)
}

/// Whether the records were written from another database, or later.
///
/// # Errors
/// As `is_whole`.
pub(super) fn is_contradicted(data_directory: &Path) -> Result<bool, DbError> {
    ask(data_directory, |read| {
        Ok(contradiction(data_directory, read)?.is_some())
    })
}

/// Runs a query on the database of a repository. For a damaged or missing one the answer is no.
fn ask(
    data_directory: &Path,
    question: impl FnOnce(&Read<'_>) -> Result<bool, DbError>,
) -> Result<bool, DbError> {
    let path = data_directory.join(DATABASE);
    match state_of(&path)? {
        DatabaseState::Filled => Ok(look_into(&path, question).unwrap_or(false)),
        _ => Ok(false),
    }
}

/// A new database beside the old.
pub(super) fn begin(data_directory: &Path) -> Result<Db, RebuildError> {
    let path = data_directory.join("isolario.db.rebuilding");
    remove(&path).map_err(disk(&path))?;
    Ok(Db::open(&path)?)
}

/// Replaces the old database by the new one. Returns the new path of the old one.
pub(super) async fn finish(db: Db, data_directory: &Path) -> Result<Option<PathBuf>, RebuildError> {
    let new = data_directory.join("isolario.db.new");
    remove(&new).map_err(disk(&new))?;
    db.copy_to(&new, |_, _| {}).await?;
    drop(db);
    let moved = move_aside(data_directory).map_err(disk(data_directory))?;
    let place = data_directory.join(DATABASE);
    files::rename(&new, &place).map_err(disk(&place))?;
    let built = data_directory.join("isolario.db.rebuilding");
    remove(&built).map_err(disk(&built))?;
    sync_directory(data_directory).map_err(disk(data_directory))?;
    Ok(moved)
}

fn move_aside(data_directory: &Path) -> io::Result<Option<PathBuf>> {
    let place = data_directory.join(DATABASE);
    let aside = free_name(data_directory, "isolario.db.damaged");
    let was_there = place.exists();
    for ending in BESIDE {
        match files::rename(with(&place, ending), with(&aside, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(was_there.then_some(aside))
}

/// The first unused name of `NAME-1`, `NAME-2` …, also with the files beside a database.
pub(super) fn free_name(directory: &Path, name: &str) -> PathBuf {
    let names = (1_u64..).map(|number| directory.join(format!("{name}-{number}")));
    let is_free = |path: &PathBuf| BESIDE.iter().all(|ending| !with(path, ending).exists());
    let mut free = names.filter(is_free);
    free.next().unwrap_or_else(|| directory.join(name))
}

fn remove(path: &Path) -> io::Result<()> {
    for ending in BESIDE {
        match files::remove_file(with(path, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn with(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

pub(super) fn disk(path: &Path) -> impl FnOnce(io::Error) -> RebuildError {
    let path = path.to_owned();
    move |error| RebuildError::Disk { path, error }
}
