//! Bounds of uploads: bytes, time, disk space, and how many run at the same time.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::StageError;
use super::disk_space::disk_space;
use isolario_config::Limits;

/// The bounds, and the permits that are free. Clones share the permits.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    most: Option<u64>,
    /// How long a sender may send nothing.
    pub idle: Duration,
    /// How long one body may take.
    pub time: Duration,
    /// Bytes of the disk that uploads do not use.
    spare: u64,
    permits: Arc<Semaphore>,
}

impl Bounds {
    /// The bounds that a configuration sets.
    pub fn new(limits: &Limits) -> Bounds {
        Bounds {
            most: limits.upload_bytes,
            idle: limits.upload_idle_time,
            time: limits.upload_time,
            spare: limits.spare_megabytes.saturating_mul(1_000_000),
            permits: Arc::new(Semaphore::new(limits.uploads.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// Admits one upload until the permit is dropped.
    pub fn enter(&self) -> Result<OwnedSemaphorePermit, StageError> {
        let entered = self.permits.clone().try_acquire_owned();
        entered.map_err(|_| StageError::Busy)
    }

    /// Refuses a file of so many bytes.
    pub fn refuse_size(&self, size: u64) -> Result<(), StageError> {
        match self.most {
            Some(most) if size > most => Err(StageError::TooLarge { most }),
            _ => Ok(()),
        }
    }

    /// Bytes of the disk of `directory` that uploads may still use: all but the spare space. On a small disk that is a
    /// twentieth. `None` where the disk does not tell.
    pub fn available(&self, directory: &Path) -> Option<u64> {
        let space = disk_space(directory).ok()?;
        Some(space.free.saturating_sub(self.spare.min(space.total / 20)))
    }

    /// Refuses so many more bytes where they would use the spare space of the disk of `directory`. A disk that does not
    /// tell its space refuses the write itself when it is full.
    pub fn refuse_without_space(&self, directory: &Path, more: u64) -> io::Result<()> {
        match self.available(directory).is_some_and(|free| free < more) {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }
}
