//! Disk space that is reserved for deletions: a file without meaning. A deletion needs space itself, for its rows; on a
//! full disk the reserve is released for it, a piece at a time, and made again as soon as there is space.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Blobs, disk_space, on_disk};
use isolario_disk::durable::PRIVATE_FILE;
use isolario_disk::regular_file;
use isolario_platform::files::{WithMode, allocate};

/// Bytes of the whole reserve: as many as the log of the database takes before SQLite writes it back. A small disk has
/// a smaller reserve.
const MOST: u64 = 16 * 1024 * 1024;
/// On a small disk the reserve is one part in so many.
const PART: u64 = 20;
/// The reserve is released in so many pieces.
const PIECES: u64 = 8;

/// The reserve of a data directory. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Reserve(Arc<Mutex<PathBuf>>);

impl Reserve {
    /// The one in a file, which may not be there yet.
    pub(super) fn at(path: PathBuf) -> Reserve {
        Reserve(Arc::new(Mutex::new(path)))
    }

    /// Fills the reserve, if the disk has twice the missing space.
    fn fill(&self) -> io::Result<()> {
        self.change(|file, directory| {
            let (space, kept) = (disk_space(directory)?, file.metadata()?.len());
            let whole = MOST.min(space.total / PART);
            let lacking = whole.saturating_sub(kept);
            if lacking > 0 && space.free >= lacking + whole {
                allocate(file, whole)?;
            }
            Ok(())
        })
    }

    /// Releases a piece. Returns whether there was one.
    fn release(&self) -> io::Result<bool> {
        self.change(|file, directory| {
            let (space, kept) = (disk_space(directory)?, file.metadata()?.len());
            let piece = MOST.min(space.total / PART).div_ceil(PIECES).max(1);
            file.set_len(kept.saturating_sub(piece))?;
            Ok(kept > 0)
        })
    }

    /// Changes the file. The lock lets one change run at a time.
    fn change<T>(&self, change: impl FnOnce(&File, &Path) -> io::Result<T>) -> io::Result<T> {
        let path = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        let file = regular_file::open_with(options.mode(PRIVATE_FILE), &path)?;
        change(&file, path.parent().unwrap_or(&path))
    }
}

impl Blobs {
    /// Releases a piece of the reserve for a deletion. Returns whether there was one.
    pub async fn release_reserve(&self) -> bool {
        let reserve = self.reserve.clone();
        let released = on_disk(move || reserve.release()).await;
        released.unwrap_or_else(|error| {
            tracing::error!(%error, "the disk space that is reserved for deletions cannot be released");
            false
        })
    }

    /// Fills the reserve, if there is space.
    pub async fn fill_reserve(&self) {
        let reserve = self.reserve.clone();
        if let Err(error) = on_disk(move || reserve.fill()).await {
            tracing::warn!(%error, "no disk space is reserved for deletions");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::blobs;

    #[tokio::test]
    async fn the_reserve_is_released_in_pieces_and_filled_again() {
        let (disk, blobs) = blobs();
        let size = || disk.path().join("reserve").metadata().unwrap().len();
        blobs.fill_reserve().await;
        let whole = size();
        assert!(whole > 0);
        let mut pieces = 0;
        while blobs.release_reserve().await {
            pieces += 1;
        }
        assert_eq!((pieces, size()), (super::PIECES, 0));
        blobs.fill_reserve().await;
        assert_eq!(size(), whole);
    }
}
