//! What is known of the index of searches: whether it can be asked, and which changes it shows.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::futures::Notified;
use tokio::sync::{Notify, watch};

use isolario_search::SearchIndex;

/// How the index stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchStatus {
    /// All changes up to this event are shown.
    pub settled: i64,
    /// Items that wait to be indexed again.
    pub waiting: usize,
    /// How far the new index is that is being made.
    pub rebuild: Option<RebuildProgress>,
    /// How many indexes were made anew since the start.
    pub rebuilds: u64,
    /// Why changes are not shown, as a sentence. They are tried again.
    pub problem: Option<String>,
}

/// How far an index is that is being made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RebuildProgress {
    /// The last item that was indexed, and the last that there was.
    pub done: i64,
    pub of: i64,
}

/// Connects those who search with the task that owns the index.
#[derive(Default)]
pub struct SearchState {
    index: RwLock<Option<Arc<SearchIndex>>>,
    status: watch::Sender<SearchStatus>,
    /// Searches that wait for the index.
    waiting: AtomicUsize,
    wake: Notify,
    is_rebuild_asked: AtomicBool,
    /// Whether a task owns the index.
    is_followed: AtomicBool,
}

impl SearchState {
    /// The index, if it can be asked.
    pub fn index(&self) -> Option<Arc<SearchIndex>> {
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        index.clone()
    }

    /// Sets the index that is asked.
    pub(crate) fn set_index(&self, index: Option<Arc<SearchIndex>>) {
        *self.index.write().unwrap_or_else(PoisonError::into_inner) = index;
        self.tell(|_| {});
    }

    /// The index, once it can be asked. It is waited for no longer than a time.
    pub async fn opened(&self, patience: Duration) -> Option<Arc<SearchIndex>> {
        if let Some(index) = self.index() {
            return Some(index);
        }
        let mut changes = self.status.subscribe();
        let is_over = |status: &SearchStatus| self.index().is_some() || status.problem.is_some();
        // Whether it came in time is seen below.
        let _ = tokio::time::timeout(patience, changes.wait_for(is_over)).await;
        self.index()
    }

    /// How the index stands.
    pub fn status(&self) -> SearchStatus {
        self.status.borrow().clone()
    }

    /// Tells how the index stands.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut SearchStatus)) {
        self.status.send_modify(change);
    }

    /// Waits until the index shows all changes up to an event, no longer than a time. Returns whether it does.
    pub async fn shows(&self, event: i64, patience: Duration) -> bool {
        let is_settled = |status: &SearchStatus| status.settled >= event;
        if is_settled(&self.status.borrow()) {
            return true;
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.wake.notify_one();
        let mut changes = self.status.subscribe();
        let is_over = |status: &SearchStatus| is_settled(status) || status.problem.is_some();
        let waited = tokio::time::timeout(patience, changes.wait_for(is_over)).await;
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        matches!(waited, Ok(Ok(status)) if is_settled(&status))
    }

    /// Whether a task owns the index.
    pub fn is_followed(&self) -> bool {
        self.is_followed.load(Ordering::SeqCst)
    }

    pub(crate) fn set_followed(&self, is_followed: bool) {
        self.is_followed.store(is_followed, Ordering::SeqCst);
    }

    /// Whether a search waits for the index.
    pub(crate) fn is_awaited(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Waits until the task has something to do that is no event.
    pub(crate) fn woken(&self) -> Notified<'_> {
        self.wake.notified()
    }

    /// Wakes the task that owns the index.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Asks for a new index. The present one serves until it is complete.
    pub fn ask_for_rebuild(&self) {
        self.is_rebuild_asked.store(true, Ordering::SeqCst);
        self.wake.notify_one();
    }

    /// Takes the request for a new index.
    pub(crate) fn takes_rebuild(&self) -> bool {
        self.is_rebuild_asked.swap(false, Ordering::SeqCst)
    }
}
