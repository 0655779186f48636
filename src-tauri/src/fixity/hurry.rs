//! A pass that somebody waits for goes as fast as the configuration lets it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Whether somebody waits for the pass under way.
#[derive(Debug, Default)]
pub struct Audit {
    hurry: Hurry,
    asked: Notify,
}

/// Set while somebody waits.
#[derive(Debug, Clone, Default)]
pub(super) struct Hurry(Arc<AtomicBool>);

impl Hurry {
    pub(super) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Audit {
    /// Verifies everything now: the pass under way goes on at full speed, or one begins.
    pub fn check_now(&self) {
        self.hurry.0.store(true, Ordering::Relaxed);
        self.asked.notify_one();
    }

    /// Whether somebody waits for the pass under way.
    pub fn in_hurry(&self) -> bool {
        self.hurry.is_on()
    }

    pub(super) fn hurry(&self) -> Hurry {
        self.hurry.clone()
    }

    /// Waits until somebody asks for a check.
    pub(super) async fn asked(&self) {
        self.asked.notified().await;
    }

    /// The pass that was waited for has ended.
    pub(super) fn calm(&self) {
        self.hurry.0.store(false, Ordering::Relaxed);
    }
}
