//! The watched folder on this machine's disk. Nothing here leaves it: no link is followed, no `..`.

mod aftermath;
mod drive;
mod look;
mod walk;
mod writers;

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};

pub use drive::is_told_of_changes;
pub use look::{Locked, lock_of, look_of};
pub use walk::{Entry, walk};
pub use writers::{Identity, identity, open_to_write};

/// Longest description that is read, bytes.
const LONGEST_SIDECAR: u64 = 64 * 1024 * 1024;

/// A watched folder, opened. What is reached through it lies in it.
#[derive(Debug, Clone)]
pub struct Folder {
    root: Arc<File>,
    path: PathBuf,
    /// Device and inode, by which another drive in its place is told.
    pub identity: (u64, u64),
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When it is not there, or is none.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = File::from(open(path, flags, Mode::empty())?);
        let metadata = root.metadata()?;
        Ok(Folder {
            identity: (metadata.dev(), metadata.ino()),
            root: Arc::new(root),
            path: path.to_owned(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is still the one that was opened.
    pub fn is_still_there(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|found| (found.dev(), found.ino()) == self.identity)
    }

    /// Opens a plain file in it to read.
    ///
    /// # Errors
    /// When it is not there, is no plain file, or is reached through a link.
    pub fn file(&self, path: &str) -> io::Result<File> {
        let file = self.beneath(path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty())?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file")),
        }
    }

    fn beneath(&self, path: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
        let path = if path.is_empty() { "." } else { path };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let opened = openat2(&*self.root, path, flags | OFlags::CLOEXEC, mode, resolve)?;
        Ok(File::from(opened))
    }

    /// The bytes of a description; `None` where there is none.
    ///
    /// # Errors
    /// What the disk refuses; `FileTooLarge` beyond 64 MB.
    pub fn sidecar(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let file = match self.file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut bytes = Vec::new();
        file.take(LONGEST_SIDECAR + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > LONGEST_SIDECAR {
            true => Err(io::ErrorKind::FileTooLarge.into()),
            false => Ok(Some(bytes)),
        }
    }
}
