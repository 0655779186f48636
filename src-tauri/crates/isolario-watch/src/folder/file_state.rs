//! The look of a file (size, times, inode), and whether it is locked.

use std::fs::{File, Metadata, TryLockError};
use std::io;

use super::Folder;
use isolario_model::content::FileLook;
use isolario_platform::beneath;

/// Whether a file is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockState {
    Yes,
    No,
}

/// How a file looks.
pub fn look_of(metadata: &Metadata) -> FileLook {
    FileLook {
        size: metadata.len(),
        modified: beneath::modified(metadata),
        inode: beneath::number(metadata),
    }
}

/// Whether another program has locked a file, in either of the ways that there are.
pub fn lock_of(file: &File) -> LockState {
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => return LockState::Yes,
        Ok(()) => drop(file.unlock()),
        // Where there are no such locks, nobody has one.
        Err(TryLockError::Error(_)) => {}
    }
    match beneath::is_locked(file) {
        true => LockState::Yes,
        false => LockState::No,
    }
}

impl Folder {
    /// How a plain file in it looks; `None` where there is none.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn look(&self, path: &str) -> io::Result<Option<FileLook>> {
        match self.file(path) {
            Ok(file) => Ok(Some(look_of(&file.metadata()?))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, NotADirectory, NotFound};
    // A link stands in the way: what it leads to is not in the folder.
    beneath::is_link(error) || matches!(error.kind(), NotFound | NotADirectory | InvalidInput)
}
