//! The database that is built, and the one whose place it takes.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::RebuildError;
use crate::db::{Db, DbError, in_copy};

const DATABASE: &str = "isolario.db";
/// What SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Whether there is a database that can be served.
pub(super) fn is_sound(data_directory: &Path) -> bool {
    let path = data_directory.join(DATABASE);
    let sound = || {
        in_copy(&path, |read| -> Result<bool, DbError> {
            Ok(read.unsoundness()?.is_empty() && read.content_model()?.is_some())
        })
    };
    path.exists() && sound().unwrap_or(false)
}

/// A new database beside the old.
pub(super) fn begin(data_directory: &Path) -> Result<Db, RebuildError> {
    let path = data_directory.join("isolario.db.rebuilding");
    remove(&path).map_err(disk(&path))?;
    Ok(Db::open(&path)?)
}

/// Puts the new database in the place of the old, which is moved aside. Returns where to.
pub(super) async fn finish(db: Db, data_directory: &Path) -> Result<Option<PathBuf>, RebuildError> {
    let new = data_directory.join("isolario.db.new");
    remove(&new).map_err(disk(&new))?;
    db.copy_to(&new, |_, _| {}).await?;
    drop(db);
    let moved = move_aside(data_directory).map_err(disk(data_directory))?;
    let place = data_directory.join(DATABASE);
    std::fs::rename(&new, &place).map_err(disk(&place))?;
    let built = data_directory.join("isolario.db.rebuilding");
    remove(&built).map_err(disk(&built))?;
    let synced = File::open(data_directory).and_then(|directory| directory.sync_all());
    synced.map_err(disk(data_directory))?;
    Ok(moved)
}

fn move_aside(data_directory: &Path) -> io::Result<Option<PathBuf>> {
    let place = data_directory.join(DATABASE);
    let aside = (1..)
        .map(|number| data_directory.join(format!("isolario.db.damaged-{number}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| data_directory.join("isolario.db.damaged"));
    let was_there = place.exists();
    for ending in BESIDE {
        match std::fs::rename(with(&place, ending), with(&aside, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(was_there.then_some(aside))
}

fn remove(path: &Path) -> io::Result<()> {
    for ending in BESIDE {
        match std::fs::remove_file(with(path, ending)) {
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

fn disk(path: &Path) -> impl FnOnce(io::Error) -> RebuildError {
    let path = path.to_owned();
    move |error| RebuildError::Disk { path, error }
}
