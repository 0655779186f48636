//! Wakes a task, and tells everybody who looks that something has happened.

use tokio::sync::futures::Notified;
use tokio::sync::{Notify, watch};

/// Between those who change something and those who work on it or look at it.
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
    /// Wakes who waits in `woken` now.
    pub fn wake(&self) {
        self.wake.notify_waiters();
        self.happened();
    }

    /// Waits for `wake`.
    pub fn woken(&self) -> Notified<'_> {
        self.wake.notified()
    }

    /// Tells those who look that something has happened.
    pub fn happened(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Counts what happens; wakes those who wait for it.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
