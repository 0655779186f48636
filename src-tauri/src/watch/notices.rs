//! What the system tells of a folder (inotify): which paths have changed, and which are being written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

/// How many paths are kept in mind; with more the whole folder is looked through.
const MOST: usize = 10_000;

/// What was told since it was last asked for.
#[derive(Debug, Default)]
struct Told {
    changed: HashSet<PathBuf>,
    /// More than can be kept in mind, or than the system could.
    too_much: bool,
    /// Files that somebody has written to and not closed.
    writing: HashSet<PathBuf>,
    /// Files that somebody has closed who could write to them, and nobody has written to since.
    closed: HashSet<PathBuf>,
}

/// The ear at a folder; it listens as long as it lives.
pub struct Notices {
    told: Arc<Mutex<Told>>,
    wake: Arc<Notify>,
    _watcher: Option<RecommendedWatcher>,
}

impl Notices {
    /// One that hears nothing.
    pub fn deaf() -> Notices {
        Notices {
            told: Arc::default(),
            wake: Arc::default(),
            _watcher: None,
        }
    }

    /// Listens at a folder and those in it, or only at itself.
    ///
    /// # Errors
    /// When the system does not tell, or not of so many folders.
    pub fn of(folder: &Path, deep: bool) -> notify::Result<Notices> {
        let (told, wake) = (Arc::<Mutex<Told>>::default(), Arc::<Notify>::default());
        let (into, waking) = (told.clone(), wake.clone());
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let mut told = into.lock().unwrap_or_else(PoisonError::into_inner);
                match event {
                    Ok(event) => {
                        if !told.hear(event) {
                            return;
                        }
                    }
                    Err(_) => told.too_much = true,
                }
                waking.notify_one();
            })?;
        let mode = match deep {
            true => RecursiveMode::Recursive,
            false => RecursiveMode::NonRecursive,
        };
        watcher.watch(folder, mode)?;
        Ok(Notices {
            told,
            wake,
            _watcher: Some(watcher),
        })
    }

    /// Returns when there is something to ask for.
    pub async fn heard(&self) {
        self.wake.notified().await;
    }

    /// The paths that have changed since this was last asked; `None` when that is not known.
    pub fn changed(&self) -> Option<Vec<PathBuf>> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = std::mem::take(&mut told.changed);
        match std::mem::take(&mut told.too_much) {
            true => None,
            false => Some(changed.into_iter().collect()),
        }
    }

    /// What was told of a file's writers; that is asked once, before it is taken.
    pub fn writer_of(&self, path: &Path) -> Writer {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        match (told.writing.contains(path), told.closed.remove(path)) {
            (true, _) => Writer::Writing,
            (false, true) => Writer::Closed,
            (false, false) => Writer::Unknown,
        }
    }
}

/// What is known of the one who writes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    Writing,
    Closed,
    /// Nobody told of one: it may have begun before anybody listened.
    Unknown,
}

impl Told {
    /// Whether it is worth waking somebody for.
    fn hear(&mut self, event: notify::Event) -> bool {
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
        let mut told = Told::default();
        let path = PathBuf::from("/a/b.tif");
        let event = |kind| Event::new(kind).add_path(path.clone());
        assert!(told.hear(event(EventKind::Modify(ModifyKind::Data(DataChange::Any)))));
        assert!(told.writing.contains(&path));
        assert!(!told.hear(event(EventKind::Access(AccessKind::Close(
            AccessMode::Read
        )))));
        assert!(told.hear(event(EventKind::Access(AccessKind::Close(
            AccessMode::Write
        )))));
        assert!(told.writing.is_empty() && told.changed.contains(&path));
    }

    #[test]
    fn more_than_can_be_kept_is_looked_through_as_a_whole() {
        let notices = Notices::deaf();
        for number in 0..=MOST {
            let path = PathBuf::from(format!("/a/{number}"));
            let event =
                Event::new(EventKind::Create(notify::event::CreateKind::File)).add_path(path);
            notices.told.lock().unwrap().hear(event);
        }
        assert_eq!(notices.changed(), None);
        assert_eq!(notices.changed(), Some(Vec::new()));
    }
}
