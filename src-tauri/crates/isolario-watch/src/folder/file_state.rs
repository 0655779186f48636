//! The look of a file (size, times, inode), and whether it is locked.

use std::fs::{File, Metadata};
use std::io;

use super::Folder;
use isolario_model::content::FileLook;
use isolario_platform::beneath;
use isolario_platform::files::identity_of;

/// Whether a file is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockState {
    Yes,
    No,
}

/// How an open file looks, of which `found` has been told.
///
/// # Errors
/// What the disk refuses.
pub fn look_of(file: &File, found: &Metadata) -> io::Result<FileLook> {
    Ok(FileLook {
        size: found.len(),
        modified: beneath::modified(found),
        inode: identity_of(file, found)?.number,
    })
}

/// Whether another program has locked a file, in either of the ways that there are.
pub fn lock_of(file: &File) -> LockState {
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
            Ok(file) => look_of(&file, &file.metadata()?).map(Some),
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
