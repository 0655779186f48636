//! Notices of the system about a folder (inotify): which paths have changed, and which are being written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

/// How many paths are remembered; with more the whole folder is scanned.
const MOST: usize = 10_000;

/// The notices since the last call of `changed`.
#[derive(Debug, Default)]
struct PendingNotices {
    changed: HashSet<PathBuf>,
    /// Whether notices were lost, because there were too many for this list or for the system.
    too_much: bool,
    /// Files that a program has written to and not closed.
    writing: HashSet<PathBuf>,
    /// Files that a writer has closed, and that nobody has written to since.
    closed: HashSet<PathBuf>,
}

/// The notices about a folder, until it is dropped.
pub struct Notices {
    pending: Arc<Mutex<PendingNotices>>,
    wake: Arc<Notify>,
    _watcher: Option<RecommendedWatcher>,
}

impl Notices {
    /// No notices, for a folder that is polled.
    pub fn disabled() -> Notices {
        Notices {
            pending: Arc::default(),
            wake: Arc::default(),
            _watcher: None,
        }
    }

    /// Notices about a folder; with `deep`, also about its subfolders.
    ///
    /// # Errors
    /// When the system gives no notices, or not of so many folders.
    pub fn of(folder: &Path, deep: bool) -> notify::Result<Notices> {
        let (pending, wake) = (
            Arc::<Mutex<PendingNotices>>::default(),
            Arc::<Notify>::default(),
        );
        let (into, waking) = (pending.clone(), wake.clone());
        let record = move |event: notify::Result<notify::Event>| {
            let mut pending = into.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Ok(event) => {
                    if !pending.record(event) {
                        return;
                    }
                }
                Err(_) => pending.too_much = true,
            }
            waking.notify_one();
        };
        // What a link leads to does not lie in the folder.
        let config = notify::Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(record, config)?;
        let mode = match deep {
            true => RecursiveMode::Recursive,
            false => RecursiveMode::NonRecursive,
        };
        watcher.watch(folder, mode)?;
        Ok(Notices {
            pending,
            wake,
            _watcher: Some(watcher),
        })
    }

    /// Returns when `changed` has something to return.
    pub async fn heard(&self) {
        self.wake.notified().await;
    }

    /// The paths that have changed since the last call; `None` when notices were lost.
    pub fn changed(&self) -> Option<Vec<PathBuf>> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = std::mem::take(&mut pending.changed);
        match std::mem::take(&mut pending.too_much) {
            true => None,
            false => Some(changed.into_iter().collect()),
        }
    }

    /// Whether a program still writes to a file. The watcher asks once, before the ingest.
    pub fn writer_of(&self, path: &Path) -> Writer {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        match (pending.writing.contains(path), pending.closed.remove(path)) {
            (true, _) => Writer::Writing,
            (false, true) => Writer::Closed,
            (false, false) => Writer::Unknown,
        }
    }
}

/// The state of the program that writes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    Writing,
    Closed,
    /// There was no notice. The program may have opened the file before the watch began.
    Unknown,
}

impl PendingNotices {
    /// Records an event. Returns whether the watcher must wake.
    fn record(&mut self, event: notify::Event) -> bool {
        if event.need_rescan() {
            self.too_much = true;
            return true;
        }
        match event.kind {
            EventKind::Modify(ModifyKind::Data(_)) if self.writing.len() < MOST => {
                for path in &event.paths {
                    self.closed.remove(path);
                    self.writing.insert(path.clone());
                }
            }
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
                for path in &event.paths {
                    self.writing.remove(path);
                    if self.closed.len() < MOST {
                        self.closed.insert(path.clone());
                    }
                }
            }
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                for path in &event.paths {
                    self.writing.remove(path);
                    self.closed.remove(path);
                }
            }
            EventKind::Access(_) => return false,
            _ => {}
        }
        match self.changed.len() + event.paths.len() > MOST {
            true => self.too_much = true,
            false => self.changed.extend(event.paths),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{DataChange, Event};

    use super::*;

    #[test]
    fn a_file_is_being_written_until_it_is_closed() {
        let mut pending = PendingNotices::default();
        let path = PathBuf::from("/a/b.tif");
        let event = |kind| Event::new(kind).add_path(path.clone());
        assert!(pending.record(event(EventKind::Modify(ModifyKind::Data(DataChange::Any)))));
        assert!(pending.writing.contains(&path));
        assert!(!pending.record(event(EventKind::Access(AccessKind::Close(
            AccessMode::Read
        )))));
        assert!(pending.record(event(EventKind::Access(AccessKind::Close(
            AccessMode::Write
        )))));
        assert!(pending.writing.is_empty() && pending.changed.contains(&path));
    }

    #[test]
    fn more_than_can_be_kept_is_looked_through_as_a_whole() {
        let notices = Notices::disabled();
        for number in 0..=MOST {
            let path = PathBuf::from(format!("/a/{number}"));
            let event =
                Event::new(EventKind::Create(notify::event::CreateKind::File)).add_path(path);
            notices.pending.lock().unwrap().record(event);
        }
        assert_eq!(notices.changed(), None);
        assert_eq!(notices.changed(), Some(Vec::new()));
    }
}
