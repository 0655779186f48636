//! Directories and small files that are on disk when they are said to be.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A directory that is being filled; gone with this value unless it was renamed.
#[derive(Debug)]
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    /// Makes it, empty.
    pub(super) fn make(path: PathBuf) -> io::Result<Scratch> {
        std::fs::create_dir(&path)?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What a crash or a failing disk leaves, the next start clears up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes a directory and those above it, each on disk before it is used.
pub(super) fn make_directory(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        make_directory(parent)?;
        match std::fs::create_dir(directory) {
            Ok(()) => sync_directory(parent)?,
            // Somebody else made it meanwhile, unless it is a file.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    match directory.is_dir() {
        true => Ok(()),
        false => Err(io::Error::from(io::ErrorKind::NotADirectory)),
    }
}

/// Brings the names in a directory to the disk.
pub(super) fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Writes a new file and brings its bytes to the disk; its name follows with its directory.
pub(super) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
