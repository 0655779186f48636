//! Watches the working copies, and finds those that have been saved.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;

use super::store::{CopyStore, OriginalFile, WorkingCopy};
use isolario_platform::beneath;
use isolario_platform::files::identity_at;

/// Metadata of a file. When it changes, the bytes are read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStat {
    inode: u64,
    size: u64,
    /// Nanoseconds since 1970.
    written: i64,
}

/// A copy, and what was last observed of it.
#[derive(Debug, Clone)]
struct CopyState {
    copy: WorkingCopy,
    /// At the last observation.
    last: Option<FileStat>,
    /// When its bytes were read.
    read: Option<FileStat>,
    /// Hexadecimal SHA-512 of the bytes that were read.
    sha512: String,
}

/// A copy whose bytes differ from those in the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangedCopy {
    pub id: String,
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha512: String,
    #[serde(flatten)]
    pub original: OriginalFile,
}

/// Watches all copies of this run and of earlier ones.
pub struct CopyWatcher {
    pub store: CopyStore,
    states: Mutex<HashMap<String, CopyState>>,
}

impl CopyWatcher {
    /// A watcher of the copies that earlier runs left.
    pub fn new(store: CopyStore, left: Vec<WorkingCopy>) -> CopyWatcher {
        let watcher = CopyWatcher {
            store,
            states: Mutex::default(),
        };
        left.into_iter().for_each(|copy| watcher.add(copy));
        watcher
    }

    /// Watches a copy from now on.
    pub fn add(&self, copy: WorkingCopy) {
        let states = CopyState {
            last: None,
            read: None,
            sha512: copy.sha512.clone(),
            copy,
        };
        self.locked().insert(states.copy.id.clone(), states);
    }

    /// The copy of a media in the state that `original` tells of, to be opened once more.
    pub fn find(&self, original: &OriginalFile) -> Option<WorkingCopy> {
        let same = |copy: &WorkingCopy| {
            copy.original.mid == original.mid
                && copy.original.etag == original.etag
                && copy.original.may_replace == original.may_replace
        };
        let found = self
            .locked()
            .values()
            .find(|one| same(&one.copy))
            .map(|one| one.copy.clone())?;
        self.store.path(&found).exists().then_some(found)
    }

    /// Looks at every copy; true when another set of them is changed. What looks the same at two looks in a row
    /// has been written to its end.
    pub async fn look(&self) -> bool {
        let before = self.changed();
        let states: Vec<CopyState> = self.locked().values().cloned().collect();
        for one in states {
            let now = self.look_of(&one.copy);
            if now != one.last {
                self.update(&one.copy.id, |kept| kept.last = now);
            } else if now.is_some() && now != one.read {
                self.read(&one.copy, now).await;
            }
        }
        self.changed() != before
    }

    /// The changed copies that can replace their originals.
    pub fn changed(&self) -> Vec<ChangedCopy> {
        let mut changed: Vec<ChangedCopy> = self
            .locked()
            .values()
            .filter(|one| one.sha512 != one.copy.sha512 && one.copy.original.may_replace)
            .map(|one| ChangedCopy {
                id: one.copy.id.clone(),
                path: self.store.path(&one.copy),
                size: one.read.map_or(0, |look| look.size),
                sha512: one.sha512.clone(),
                original: one.copy.original.clone(),
            })
            .collect();
        changed.sort_by(|one, other| one.id.cmp(&other.id));
        changed
    }

    /// The repository has these bytes now (`etag` is its media's), or nobody wants them there: they are no change.
    pub fn settle(&self, id: &str, sha512: &str, etag: Option<String>) -> io::Result<()> {
        let copy = {
            let mut states = self.locked();
            let Some(one) = states.get_mut(id) else {
                return Ok(());
            };
            one.copy.sha512 = sha512.to_owned();
            if etag.is_some() {
                one.copy.original.etag = etag;
            }
            one.copy.clone()
        };
        self.store.note(&copy)
    }

    async fn read(&self, copy: &WorkingCopy, look: Option<FileStat>) {
        let Ok(sha512) = self.store.sha512(copy).await else {
            return;
        };
        // Written again while it was read: the next look decides.
        if self.look_of(copy) == look {
            self.update(&copy.id, |kept| {
                kept.read = look;
                kept.sha512 = sha512;
            });
        }
    }

    /// `None` while a program is replacing the file, or has emptied it to write it anew.
    fn look_of(&self, copy: &WorkingCopy) -> Option<FileStat> {
        let path = self.store.path(copy);
        let metadata = path.metadata().ok()?;
        let inode = identity_at(&path).ok()?.number;
        (metadata.is_file() && metadata.len() > 0).then(|| FileStat {
            inode,
            size: metadata.len(),
            written: beneath::modified(&metadata),
        })
    }

    fn update(&self, id: &str, change: impl FnOnce(&mut CopyState)) {
        if let Some(kept) = self.locked().get_mut(id) {
            change(kept);
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, CopyState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{
        super::store::{CopyStore, tests::filled},
        CopyWatcher,
    };

    async fn looks(watcher: &CopyWatcher, times: usize) -> bool {
        let mut told = false;
        for _ in 0..times {
            told |= watcher.look().await;
        }
        told
    }

    #[tokio::test]
    async fn a_save_is_told_once_it_is_over() {
        let disk = tempfile::tempdir().unwrap();
        let watcher = CopyWatcher::new(CopyStore::of(disk.path()), Vec::new());
        let copy = filled(&watcher.store, "map.png").await;
        watcher.add(copy.clone());
        assert!(!looks(&watcher, 3).await);

        let path = watcher.store.path(&copy);
        // As most programs save: beside it, then renamed over it.
        fs::write(path.with_file_name("map.new"), b"better").unwrap();
        fs::rename(path.with_file_name("map.new"), &path).unwrap();
        assert!(!watcher.look().await, "it may still be written");
        assert!(watcher.look().await);

        let [changed] = &watcher.changed()[..] else {
            panic!("one is changed");
        };
        assert_eq!((changed.size, &changed.path), (6, &path));
        watcher
            .settle(&copy.id, &changed.sha512, Some("\"2-b\"".to_owned()))
            .unwrap();
        assert!(watcher.changed().is_empty());
        assert!(watcher.store.clean_up().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_save_without_a_change_and_an_emptied_file_are_not_told() {
        let disk = tempfile::tempdir().unwrap();
        let watcher = CopyWatcher::new(CopyStore::of(disk.path()), Vec::new());
        let copy = filled(&watcher.store, "map.png").await;
        watcher.add(copy.clone());
        let path = watcher.store.path(&copy);

        fs::write(&path, b"as fetched").unwrap();
        assert!(!looks(&watcher, 3).await);
        fs::write(&path, b"").unwrap();
        assert!(!looks(&watcher, 3).await);
        fs::remove_file(&path).unwrap();
        assert!(!looks(&watcher, 3).await);
    }

    #[tokio::test]
    async fn what_an_earlier_run_left_is_told() {
        let disk = tempfile::tempdir().unwrap();
        let store = CopyStore::of(disk.path());
        let copy = filled(&store, "map.png").await;
        fs::write(store.path(&copy), b"better").unwrap();

        let left = store.clean_up().await.unwrap();
        let watcher = CopyWatcher::new(store, left);

        assert!(looks(&watcher, 2).await);
        assert_eq!(watcher.changed()[0].original.mid, 7);
    }
}
