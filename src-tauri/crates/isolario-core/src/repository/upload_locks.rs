//! Locks resumable uploads, so that each has one request at a time. A newer request ends an older one, because its
//! client has lost the older connection, even if the server does not know that yet.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use isolario_blobs::Sums;

/// The locks of resumable uploads, with the checksums of the received bytes.
#[derive(Clone, Default)]
pub struct UploadLocks(Arc<Mutex<HashMap<Uuid, Slot>>>);

/// The checksums of so many bytes.
pub type ReceivedSums = Option<(u64, Sums)>;

#[derive(Default)]
struct Slot {
    carried: Arc<AsyncMutex<ReceivedSums>>,
    newest: CancellationToken,
}

/// The right to append to one upload.
pub struct UploadLock {
    pub carried: OwnedMutexGuard<ReceivedSums>,
    /// Cancelled when a newer request waits for the lock.
    pub superseded: CancellationToken,
}

impl UploadLocks {
    /// Waits for the lock, and asks its holder to end.
    pub async fn take(&self, id: Uuid) -> UploadLock {
        let (carried, superseded) = {
            let mut slots = self.locked();
            let slot = slots.entry(id).or_default();
            slot.newest.cancel();
            slot.newest = CancellationToken::new();
            (slot.carried.clone(), slot.newest.clone())
        };
        UploadLock {
            carried: carried.lock_owned().await,
            superseded,
        }
    }

    /// Takes the lock, unless another request has it.
    pub fn take_if_free(&self, id: Uuid) -> Option<UploadLock> {
        let mut slots = self.locked();
        let slot = slots.entry(id).or_default();
        Some(UploadLock {
            carried: slot.carried.clone().try_lock_owned().ok()?,
            superseded: slot.newest.clone(),
        })
    }

    /// Removes the lock of an upload that has ended.
    pub fn forget(&self, id: Uuid) {
        self.locked().remove(&id);
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Uuid, Slot>> {
        // The map is whole whenever a panic could happen.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newer_request_ends_the_older_one() {
        let (turns, id) = (UploadLocks::default(), Uuid::new_v4());
        let older = turns.take(id).await;
        assert!(turns.take_if_free(id).is_none());
        let (newer, ()) = tokio::join!(turns.take(id), async {
            older.superseded.cancelled().await;
            drop(older);
        });
        assert!(!newer.superseded.is_cancelled());
    }

    #[tokio::test]
    async fn uploads_do_not_wait_for_each_other() {
        let turns = UploadLocks::default();
        let one = turns.take(Uuid::new_v4()).await;
        let other = turns.take(Uuid::new_v4()).await;
        assert!(!one.superseded.is_cancelled() && !other.superseded.is_cancelled());
    }
}
