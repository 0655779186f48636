//! The copies that programs work on now, and which of them have been saved since.

use std::{
    collections::HashMap,
    io,
    os::unix::fs::MetadataExt,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;

use super::shelf::{Original, Shelf, WorkingCopy};

/// How a file looks from outside; another one is looked at inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    written: (i64, i64),
}

/// A copy, and what was seen of it.
#[derive(Debug, Clone)]
struct Watched {
    copy: WorkingCopy,
    /// At the last look.
    last: Option<Look>,
    /// When its bytes were read.
    read: Option<Look>,
    /// Hexadecimal SHA-512 of the bytes that were read.
    sha512: String,
}

/// A copy whose bytes are others than the repository has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub id: String,
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha512: String,
    #[serde(flatten)]
    pub original: Original,
}

/// All copies of this run and those that earlier ones left.
pub struct Desk {
    pub shelf: Shelf,
    watched: Mutex<HashMap<String, Watched>>,
}

impl Desk {
    /// With what earlier runs left.
    pub fn new(shelf: Shelf, left: Vec<WorkingCopy>) -> Desk {
        let desk = Desk {
            shelf,
            watched: Mutex::default(),
        };
        left.into_iter().for_each(|copy| desk.add(copy));
        desk
    }

    /// Watches a copy from now on.
    pub fn add(&self, copy: WorkingCopy) {
        let watched = Watched {
            last: None,
            read: None,
            sha512: copy.sha512.clone(),
            copy,
        };
        self.locked().insert(watched.copy.id.clone(), watched);
    }

    /// The copy of a media in the state that `original` tells of, to be opened once more.
    pub fn find(&self, original: &Original) -> Option<WorkingCopy> {
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
        self.shelf.path(&found).exists().then_some(found)
    }

    /// Looks at every copy; true when another set of them is changed. What looks the same at two looks in a row
    /// has been written to its end.
    pub async fn look(&self) -> bool {
        let before = self.changed();
        let watched: Vec<Watched> = self.locked().values().cloned().collect();
        for one in watched {
            let now = self.look_of(&one.copy);
            if now != one.last {
                self.update(&one.copy.id, |kept| kept.last = now);
            } else if now.is_some() && now != one.read {
                self.read(&one.copy, now).await;
            }
        }
        self.changed() != before
    }

    /// Those that somebody has to decide about.
    pub fn changed(&self) -> Vec<Changed> {
        let mut changed: Vec<Changed> = self
            .locked()
            .values()
            .filter(|one| one.sha512 != one.copy.sha512 && one.copy.original.may_replace)
            .map(|one| Changed {
                id: one.copy.id.clone(),
                path: self.shelf.path(&one.copy),
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
            let mut watched = self.locked();
            let Some(one) = watched.get_mut(id) else {
                return Ok(());
            };
            one.copy.sha512 = sha512.to_owned();
            if etag.is_some() {
                one.copy.original.etag = etag;
            }
            one.copy.clone()
        };
        self.shelf.note(&copy)
    }

    async fn read(&self, copy: &WorkingCopy, look: Option<Look>) {
        let Ok(sha512) = self.shelf.sha512(copy).await else {
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
    fn look_of(&self, copy: &WorkingCopy) -> Option<Look> {
        let metadata = self.shelf.path(copy).metadata().ok()?;
        (metadata.is_file() && metadata.len() > 0).then(|| Look {
            inode: metadata.ino(),
            size: metadata.len(),
            written: (metadata.mtime(), metadata.mtime_nsec()),
        })
    }

    fn update(&self, id: &str, change: impl FnOnce(&mut Watched)) {
        if let Some(kept) = self.locked().get_mut(id) {
            change(kept);
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{
        super::shelf::{Shelf, tests::filled},
        Desk,
    };

    async fn looks(desk: &Desk, times: usize) -> bool {
        let mut told = false;
        for _ in 0..times {
            told |= desk.look().await;
        }
        told
    }

    #[tokio::test]
    async fn a_save_is_told_once_it_is_over() {
        let disk = tempfile::tempdir().unwrap();
        let desk = Desk::new(Shelf::of(disk.path()), Vec::new());
        let copy = filled(&desk.shelf, "map.png").await;
        desk.add(copy.clone());
        assert!(!looks(&desk, 3).await);

        let path = desk.shelf.path(&copy);
        // As most programs save: beside it, then renamed over it.
        fs::write(path.with_file_name("map.new"), b"better").unwrap();
        fs::rename(path.with_file_name("map.new"), &path).unwrap();
        assert!(!desk.look().await, "it may still be written");
        assert!(desk.look().await);

        let [changed] = &desk.changed()[..] else {
            panic!("one is changed");
        };
        assert_eq!((changed.size, &changed.path), (6, &path));
        desk.settle(&copy.id, &changed.sha512, Some("\"2-b\"".to_owned()))
            .unwrap();
        assert!(desk.changed().is_empty());
        assert!(desk.shelf.tidy().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_save_without_a_change_and_an_emptied_file_are_not_told() {
        let disk = tempfile::tempdir().unwrap();
        let desk = Desk::new(Shelf::of(disk.path()), Vec::new());
        let copy = filled(&desk.shelf, "map.png").await;
        desk.add(copy.clone());
        let path = desk.shelf.path(&copy);

        fs::write(&path, b"as fetched").unwrap();
        assert!(!looks(&desk, 3).await);
        fs::write(&path, b"").unwrap();
        assert!(!looks(&desk, 3).await);
        fs::remove_file(&path).unwrap();
        assert!(!looks(&desk, 3).await);
    }

    #[tokio::test]
    async fn what_an_earlier_run_left_is_told() {
        let disk = tempfile::tempdir().unwrap();
        let shelf = Shelf::of(disk.path());
        let copy = filled(&shelf, "map.png").await;
        fs::write(shelf.path(&copy), b"better").unwrap();

        let left = shelf.tidy().await.unwrap();
        let desk = Desk::new(shelf, left);

        assert!(looks(&desk, 2).await);
        assert_eq!(desk.changed()[0].original.mid, 7);
    }
}
