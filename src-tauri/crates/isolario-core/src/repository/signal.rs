//! Wakes a worker, and notifies observers.

use tokio::sync::futures::Notified;
use tokio::sync::{Notify, watch};

/// Connects those who change something with a worker and with observers.
pub struct Signal {
    wake: Notify,
    changes: watch::Sender<u64>,
}

impl Default for Signal {
    fn default() -> Signal {
        Signal {
            wake: Notify::new(),
            changes: watch::channel(0).0,
        }
    }
}

impl Signal {
    /// Wakes the worker that waits in `woken`.
    pub fn wake(&self) {
        self.wake.notify_waiters();
        self.happened();
    }

    /// Waits for `wake`.
    pub fn woken(&self) -> Notified<'_> {
        self.wake.notified()
    }

    /// Notifies the observers.
    pub fn happened(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// The number of notifications. A change of it wakes the observer.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
