//! The look of a file (size, times, inode), and whether it is locked.

use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;

use rustix::fs::{FlockOperation, fcntl_lock};

use super::Folder;
use isolario_model::content::FileLook;

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
        modified: metadata
            .mtime()
            .saturating_mul(1_000_000_000)
            .saturating_add(metadata.mtime_nsec()),
        inode: metadata.ino(),
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
    match fcntl_lock(file, FlockOperation::NonBlockingLockShared) {
        Err(rustix::io::Errno::ACCESS | rustix::io::Errno::AGAIN) => LockState::Yes,
        _ => LockState::No,
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
    let link = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    link || matches!(error.kind(), NotFound | NotADirectory | InvalidInput)
}
