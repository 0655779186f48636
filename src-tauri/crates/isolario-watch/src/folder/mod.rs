//! The watched folder on this machine's disk. Nothing here leaves it: no link is followed, no `..`.

mod drive;
mod file_moves;
mod file_state;
mod walk;
mod writers;

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

pub use drive::is_told_of_changes;
pub use file_state::{LockState, lock_of, look_of};
use isolario_disk::regular_file;
pub use walk::{Entry, walk};
pub use writers::{Identity, identity, open_to_write};

/// Longest description that is read, bytes.
const LONGEST_SIDECAR: u64 = 64 * 1024 * 1024;

fn open_folder(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    Ok(File::from(opened))
}

/// Device and inode.
fn identity_of(folder: &File) -> io::Result<(u64, u64)> {
    let metadata = folder.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

/// A watched folder as it was found. What is reached through it lies in it. It is not held open: a drive can be taken away.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    /// Device and inode, by which another drive in its place is told.
    pub identity: (u64, u64),
}

impl Folder {
    /// Finds a folder, whose path is without links.
    ///
    /// # Errors
    /// When it is not there, is none, or a link has taken its place.
    pub fn find(path: &Path) -> io::Result<Folder> {
        Ok(Folder {
            identity: identity_of(&open_folder(path)?)?,
            path: path.to_owned(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is still the one that was found.
    pub fn is_still_there(&self) -> bool {
        self.open().is_ok()
    }

    /// The folder, opened for as long as it is needed.
    fn open(&self) -> io::Result<File> {
        let folder = open_folder(&self.path)?;
        match identity_of(&folder)? == self.identity {
            true => Ok(folder),
            false => Err(io::ErrorKind::StaleNetworkFileHandle.into()),
        }
    }

    /// Opens a regular file in it to read.
    ///
    /// # Errors
    /// When it is not there, is no regular file, or is reached through a link.
    pub fn file(&self, path: &str) -> io::Result<File> {
        let file = self.beneath(path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty())?;
        regular_file::regular(file)
    }

    fn beneath(&self, path: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
        let path = if path.is_empty() { "." } else { path };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let opened = openat2(self.open()?, path, flags | OFlags::CLOEXEC, mode, resolve)?;
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
