//! Locks objects, so that each has one change at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use uuid::Uuid;

/// Held from the read of an object's inventory until its new version is settled or rolled back.
pub(crate) type ObjectLock = OwnedMutexGuard<()>;

/// The locks of the objects that are being changed.
#[derive(Debug, Clone, Default)]
pub(super) struct ObjectLocks(Arc<Mutex<HashMap<Uuid, Weak<AsyncMutex<()>>>>>);

impl ObjectLocks {
    pub(super) async fn of(&self, file: Uuid) -> ObjectLock {
        self.lock_of(file).lock_owned().await
    }

    fn lock_of(&self, file: Uuid) -> Arc<AsyncMutex<()>> {
        // The map is whole whenever a panic could happen.
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(&file).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::new(AsyncMutex::new(()));
        locks.insert(file, Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_object_waits_and_another_does_not() {
        let turns = ObjectLocks::default();
        let (one, other) = (Uuid::new_v4(), Uuid::new_v4());
        let held = turns.of(one).await;
        let _other = turns.of(other).await;
        assert!(turns.lock_of(one).try_lock().is_err());
        drop(held);
        let _again = turns.of(one).await;
    }

    #[tokio::test]
    async fn what_nobody_changes_is_forgotten() {
        let turns = ObjectLocks::default();
        drop(turns.of(Uuid::new_v4()).await);
        let _held = turns.of(Uuid::new_v4()).await;
        assert_eq!(turns.0.lock().unwrap().len(), 1);
    }
}
