//! Makes directories and small files durable.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) use isolario_disk::durable::sync_directory;
use isolario_disk::durable::{self, USUAL_DIRECTORY, USUAL_FILE};
use isolario_platform::files;

/// A directory that is being filled. It is removed when this is dropped, unless it was renamed.
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
        let _ = files::remove_dir_all(&self.0);
    }
}

/// Directories whose names are synced to disk. Another directory may exist without that: a concurrent upload or a
/// killed run may have made it and not synced it.
#[derive(Debug, Default)]
pub(super) struct DurableDirectories(Mutex<HashSet<PathBuf>>);

/// New directories, whose names may not be synced to disk.
#[derive(Debug, Default)]
pub(super) struct NewDirectories(Vec<PathBuf>);

impl NewDirectories {
    /// The directories in which they have their names.
    pub(super) fn above(&self) -> Vec<PathBuf> {
        let above = self.0.iter().map(|made| durable::above(made).to_owned());
        above.collect()
    }
}

/// How many directories are remembered. To sync one again costs little.
const REMEMBERED: usize = 10_000;

impl DurableDirectories {
    /// Makes a directory and its parents below `root`, which exists.
    ///
    /// # Errors
    /// `NotADirectory` when a file has one of the names; what the disk refuses.
    pub(super) fn make(&self, directory: &Path, root: &Path) -> io::Result<()> {
        let made = self.make_unsynced(directory, root)?;
        made.above()
            .iter()
            .try_for_each(|above| sync_directory(above))?;
        self.remember(made);
        Ok(())
    }

    /// As `make`, for a caller that syncs the directories and then remembers them.
    ///
    /// # Errors
    /// As `make`.
    pub(super) fn make_unsynced(
        &self,
        directory: &Path,
        root: &Path,
    ) -> io::Result<NewDirectories> {
        if directory == root || (self.known().contains(directory) && directory.is_dir()) {
            return Ok(NewDirectories::default());
        }
        let mut made = self.make_unsynced(directory.parent().unwrap_or(root), root)?;
        durable::create(directory, USUAL_DIRECTORY)?;
        made.0.push(directory.to_owned());
        Ok(made)
    }

    /// Remembers directories that are on disk. The caller ensures that nobody removes them meanwhile.
    pub(super) fn remember(&self, made: NewDirectories) {
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.extend(made.0);
    }

    /// Forgets a directory that is removed. The caller ensures that nobody makes it meanwhile.
    pub(super) fn forget(&self, directory: &Path) {
        self.known().remove(directory);
    }

    /// Ignores poison, because no panic can leave the set half changed.
    fn known(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As `DurableDirectories::make`, for directories that only one thread makes. Those that exist are on disk.
pub(super) fn make_directory(directory: &Path) -> io::Result<()> {
    durable::make_directory(directory, USUAL_DIRECTORY)
}

/// Writes a new file and syncs its bytes. The caller syncs its directory.
pub(super) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    durable::write_synced(path, bytes, USUAL_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_made_again_where_they_went() {
        let disk = tempfile::tempdir().unwrap();
        let (root, lasting) = (disk.path(), DurableDirectories::default());
        let deep = root.join("a/b/c");
        for _ in 0..2 {
            lasting.make(&deep, root).unwrap();
            lasting.make(&deep, root).unwrap();
            assert!(deep.is_dir());
            std::fs::remove_dir_all(root.join("a")).unwrap();
        }
        std::fs::write(root.join("file"), "").unwrap();
        for place in ["file", "file/below"] {
            let error = lasting.make(&root.join(place), root).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        }
        assert!(lasting.make(root, root).is_ok());
    }
}
