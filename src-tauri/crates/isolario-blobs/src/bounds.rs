//! What uploads may cost: bytes, time, room on the disk, and how many come at the same time.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::StageError;
use isolario_config::Limits;

/// Bounds of uploads, and the places that are free. Clones share the places.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    most: Option<u64>,
    /// Silence of a sender.
    pub idle: Duration,
    /// Of one body.
    pub time: Duration,
    /// Bytes of the disk that are left for everything else.
    spare: u64,
    places: Arc<Semaphore>,
}

impl Bounds {
    /// The bounds that a configuration sets.
    pub fn new(limits: &Limits) -> Bounds {
        Bounds {
            most: limits.upload_bytes,
            idle: limits.upload_idle_time,
            time: limits.upload_time,
            spare: limits.spare_megabytes.saturating_mul(1_000_000),
            places: Arc::new(Semaphore::new(limits.uploads.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// A place for one upload, for as long as the permit lives.
    pub fn enter(&self) -> Result<OwnedSemaphorePermit, StageError> {
        let entered = self.places.clone().try_acquire_owned();
        entered.map_err(|_| StageError::Busy)
    }

    /// Refuses a file of so many bytes.
    pub fn refuse_size(&self, size: u64) -> Result<(), StageError> {
        match self.most {
            Some(most) if size > most => Err(StageError::TooLarge { most }),
            _ => Ok(()),
        }
    }

    /// Refuses so many bytes more where the disk of `place` has no room to spare for them: a small disk
    /// keeps a twentieth. One that cannot be asked says itself when it is full.
    pub fn refuse_without_room(&self, place: &Path, more: u64) -> io::Result<()> {
        let Ok(disk) = rustix::fs::statvfs(place) else {
            return Ok(());
        };
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        let whole = disk.f_blocks.saturating_mul(disk.f_frsize);
        match free.saturating_sub(self.spare.min(whole / 20)) < more {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }
}
