//! One request at a time for each upload. A newer one ends the part that an older one is receiving:
//! who asks anew has lost the older connection, whatever this end still believes of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::blobs::Sums;

/// Who is going on with what, and the checksums of what has come.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<Uuid, Slot>>>);

/// Checksums of that many bytes.
pub(super) type Carried = Option<(u64, Sums)>;

#[derive(Default)]
struct Slot {
    carried: Arc<AsyncMutex<Carried>>,
    newest: CancellationToken,
}

/// The right to go on with one upload.
pub(super) struct Turn {
    pub carried: OwnedMutexGuard<Carried>,
    /// Cancelled when a newer request wants the turn.
    pub superseded: CancellationToken,
}

impl Turns {
    /// Waits for the turn, and asks whoever has it to make room.
    pub(super) async fn take(&self, id: Uuid) -> Turn {
        let (carried, superseded) = {
            let mut slots = self.locked();
            let slot = slots.entry(id).or_default();
            slot.newest.cancel();
            slot.newest = CancellationToken::new();
            (slot.carried.clone(), slot.newest.clone())
        };
        Turn {
            carried: carried.lock_owned().await,
            superseded,
        }
    }

    /// The turn, unless somebody has it.
    pub(super) fn take_if_free(&self, id: Uuid) -> Option<Turn> {
        let mut slots = self.locked();
        let slot = slots.entry(id).or_default();
        Some(Turn {
            carried: slot.carried.clone().try_lock_owned().ok()?,
            superseded: slot.newest.clone(),
        })
    }

    /// Forgets an upload that is over.
    pub(super) fn forget(&self, id: Uuid) {
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
        let (turns, id) = (Turns::default(), Uuid::new_v4());
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
        let turns = Turns::default();
        let one = turns.take(Uuid::new_v4()).await;
        let other = turns.take(Uuid::new_v4()).await;
        assert!(!one.superseded.is_cancelled() && !other.superseded.is_cancelled());
    }
}
