//! Disk space that is reserved for deletions: a file without meaning. A deletion needs space itself, for its rows; on a
//! full disk the reserve is released for it, a piece at a time, and made again as soon as there is space.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{FallocateFlags, fallocate};

use super::{Blobs, on_disk, room};
use isolario_disk::durable::PRIVATE_FILE;
use isolario_disk::regular_file;

/// Bytes of the whole reserve: what the log of the database takes before it is written back. A small disk keeps
/// less.
const MOST: u64 = 16 * 1024 * 1024;
/// The part of a small disk.
const PART: u64 = 20;
/// As many times something of it can be given up.
const PIECES: u64 = 8;

/// The reserve of a data directory. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Reserve(Arc<Mutex<PathBuf>>);

impl Reserve {
    /// The one in a file, which may not be there yet.
    pub(super) fn at(path: PathBuf) -> Reserve {
        Reserve(Arc::new(Mutex::new(path)))
    }

    /// Makes the reserve whole, if as much is left for everything else.
    fn fill(&self) -> io::Result<()> {
        self.change(|file, directory| {
            let (room, kept) = (room(directory)?, file.metadata()?.len());
            let whole = MOST.min(room.total / PART);
            let lacking = whole.saturating_sub(kept);
            if lacking > 0 && room.free >= lacking + whole {
                fallocate(file, FallocateFlags::empty(), 0, whole)?;
            }
            Ok(())
        })
    }

    /// Gives a piece up; whether there was one.
    fn give_up(&self) -> io::Result<bool> {
        self.change(|file, directory| {
            let (room, kept) = (room(directory)?, file.metadata()?.len());
            let piece = MOST.min(room.total / PART).div_ceil(PIECES).max(1);
            file.set_len(kept.saturating_sub(piece))?;
            Ok(kept > 0)
        })
    }

    /// One at a time.
    fn change<T>(&self, change: impl FnOnce(&File, &Path) -> io::Result<T>) -> io::Result<T> {
        let path = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        let file = regular_file::open_with(options.mode(PRIVATE_FILE), &path)?;
        change(&file, path.parent().unwrap_or(&path))
    }
}

impl Blobs {
    /// Gives some room up that was kept back for deleting; whether there was some.
    pub async fn give_up_room(&self) -> bool {
        let reserve = self.reserve.clone();
        let given_up = on_disk(move || reserve.give_up()).await;
        given_up.unwrap_or_else(|error| {
            tracing::error!(%error, "the room that is kept for deleting cannot be given up");
            false
        })
    }

    /// Keeps room back for deleting, if there is any.
    pub async fn keep_room(&self) {
        let reserve = self.reserve.clone();
        if let Err(error) = on_disk(move || reserve.fill()).await {
            tracing::warn!(%error, "no room is kept on the disk for deleting");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::blobs;

    #[tokio::test]
    async fn the_reserve_is_given_up_in_pieces_and_made_again() {
        let (disk, blobs) = blobs();
        let size = || disk.path().join("reserve").metadata().unwrap().len();
        blobs.keep_room().await;
        let whole = size();
        assert!(whole > 0);
        let mut pieces = 0;
        while blobs.give_up_room().await {
            pieces += 1;
        }
        assert_eq!((pieces, size()), (super::PIECES, 0));
        blobs.keep_room().await;
        assert_eq!(size(), whole);
    }
}
