//! The watched folder on this machine's disk. Nothing here leaves it: no link is followed, no `..`.

mod file_moves;
mod file_state;
mod walk;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use file_state::{LockState, lock_of, look_of};
use isolario_disk::regular_file;
use isolario_platform::beneath::Directory;
use isolario_platform::files::FileIdentity;
pub use walk::{Entry, walk};

/// Longest description that is read, bytes.
const LONGEST_SIDECAR: u64 = 64 * 1024 * 1024;

/// Whether the system tells of everything that changes in a folder.
pub fn is_told_of_changes(folder: &Path) -> bool {
    Directory::open(folder).is_ok_and(|folder| folder.is_told_of_changes())
}

/// A watched folder as it was found. What is reached through it lies in it. It is not held open: a drive can be taken away.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    /// Another drive in its place is told by it.
    pub identity: FileIdentity,
}

impl Folder {
    /// Finds a folder, whose path is without links.
    ///
    /// # Errors
    /// When it is not there, is none, or a link has taken its place.
    pub fn find(path: &Path) -> io::Result<Folder> {
        Ok(Folder {
            identity: Directory::open(path)?.identity()?,
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
    fn open(&self) -> io::Result<Directory> {
        let folder = Directory::open(&self.path)?;
        match folder.identity()? == self.identity {
            true => Ok(folder),
            false => Err(io::ErrorKind::StaleNetworkFileHandle.into()),
        }
    }

    /// Opens a regular file in it to read.
    ///
    /// # Errors
    /// When it is not there, is no regular file, or is reached through a link.
    pub fn file(&self, path: &str) -> io::Result<File> {
        regular_file::regular(self.open()?.read(path)?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_of_this_disk() {
        assert!(is_told_of_changes(Path::new(env!("CARGO_MANIFEST_DIR"))));
        assert!(!is_told_of_changes(Path::new("/nowhere/at/all")));
    }
}
