//! Checks that the database of a data directory belongs there. With another database, the program would give ids again
//! and overwrite files.

use std::io;
use std::path::Path;

use super::OpenError;
use crate::backup::RESTORING;
use crate::records;
use isolario_db::DATABASE;
use isolario_db::{DatabaseState, DbError, look_into, state_of};

/// The directories of a repository whose contents its database names.
const KEPT: [&str; 4] = ["records", "files", "ocfl", "uploads"];

/// Refuses a database that does not belong to the files beside it. A new database is made only if there are no such
/// files.
pub(super) fn refuse_unfit(directory: &Path) -> Result<(), OpenError> {
    let database = directory.join(DATABASE);
    let path = directory.to_owned();
    let why = match state_of(&database)? {
        DatabaseState::Missing if directory.join(RESTORING).exists() => {
            return Err(OpenError::HalfRestored { path });
        }
        DatabaseState::Unusable(why) => why,
        DatabaseState::Missing if keeps_anything(directory)? => "is missing".into(),
        DatabaseState::Unfilled if keeps_anything(directory)? => "is empty".into(),
        DatabaseState::Missing | DatabaseState::Unfilled => return Ok(()),
        DatabaseState::Filled => {
            let found = look_into(&database, |read| records::contradiction(directory, read))?;
            let refused = |why| Err(OpenError::OtherDatabase { path, why });
            return found.map_or(Ok(()), refused);
        }
    };
    Err(OpenError::LostDatabase { path, why })
}

/// What is wrong with a database before a check, as a sentence; `None` if it can be read.
pub(super) fn unreadable(directory: &Path) -> Result<Option<String>, DbError> {
    Ok(match state_of(&directory.join(DATABASE))? {
        DatabaseState::Filled => None,
        DatabaseState::Missing => Some("It is missing.".into()),
        DatabaseState::Unfilled => Some("It is empty.".into()),
        DatabaseState::Unusable(why) => Some(format!("It {why}.")),
    })
}

fn keeps_anything(directory: &Path) -> Result<bool, OpenError> {
    for name in KEPT {
        let path = directory.join(name);
        let kept = holds_a_file(&path);
        if kept.map_err(|error| OpenError::Directory { path, error })? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether there is anything but directories below a path.
fn holds_a_file(path: &Path) -> io::Result<bool> {
    let entries = match path.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        outcome => outcome?,
    };
    for entry in entries {
        let entry = entry?;
        // That of a disk of its own is for its owner only.
        if entry.file_name() == "lost+found" {
            continue;
        }
        if !entry.file_type()?.is_dir() || holds_a_file(&entry.path())? {
            return Ok(true);
        }
    }
    Ok(false)
}
