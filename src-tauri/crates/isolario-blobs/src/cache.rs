//! A directory of files that can be made or fetched again. The least recently used go first.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use aws_lc_rs::digest;

use super::stage::Temporary;
use isolario_disk::regular_file;
use isolario_platform::files;

/// A cache of blobs. Cheap to clone. The names of files are digests of the names of blobs, whose bytes never change.
#[derive(Debug, Clone)]
pub(super) struct Cache(Arc<CacheState>);

#[derive(Debug)]
struct CacheState {
    directory: PathBuf,
    /// Bytes.
    most: u64,
    /// Bytes that were kept since the last look at the whole.
    kept_since: AtomicU64,
    /// Bytes that the last look at the whole has found.
    found: AtomicU64,
}

impl Cache {
    /// The cache in a directory, which is made when something is kept.
    pub(super) fn at(directory: PathBuf, most: u64) -> Cache {
        Cache(Arc::new(CacheState {
            directory,
            most,
            // A former run may have left more than may be kept now.
            kept_since: AtomicU64::new(most),
            found: AtomicU64::new(0),
        }))
    }

    /// Opens a blob; `None` where it is not kept.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn open(&self, blob: &str) -> io::Result<Option<(File, u64)>> {
        match regular_file::open_sized(&self.place(blob)) {
            Ok((file, size)) => {
                // The time of the last use. Without it, the blob may be fetched once more than needed.
                let _ = file.set_modified(SystemTime::now());
                Ok(Some((file, size)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps a file under the name of a blob.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn keep(&self, blob: &str, file: &Temporary, size: u64) -> io::Result<()> {
        let CacheState {
            directory,
            most,
            kept_since,
            found,
        } = &*self.0;
        if size > *most {
            return Ok(());
        }
        let place = self.place(blob);
        match files::rename(&file.0, &place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::create_dir_all(directory)?;
                files::rename(&file.0, &place)?;
            }
            renamed => renamed?,
        }
        // A look at the whole costs as much as there are files.
        let since = kept_since.fetch_add(size, Ordering::Relaxed) + size;
        if found.load(Ordering::Relaxed) + since > *most {
            kept_since.store(0, Ordering::Relaxed);
            found.store(evict(directory, most - most / 16)?, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Bytes that are kept, about, and how many may be.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn size(&self) -> io::Result<(u64, u64)> {
        let state = &*self.0;
        let since = state.kept_since.load(Ordering::Relaxed);
        if since >= state.most && state.directory.exists() {
            // Nobody has looked in this run.
            let found = evict(&state.directory, state.most)?;
            state.found.store(found, Ordering::Relaxed);
            state.kept_since.store(0, Ordering::Relaxed);
        }
        let since = state.kept_since.load(Ordering::Relaxed) % state.most.max(1);
        Ok((state.found.load(Ordering::Relaxed) + since, state.most))
    }

    /// Forgets a blob.
    pub(super) fn forget(&self, blob: &str) {
        let _ = files::remove_file(self.place(blob));
    }

    fn place(&self, blob: &str) -> PathBuf {
        let name = hex::encode(digest::digest(&digest::SHA256, blob.as_bytes()));
        self.0.directory.join(name)
    }
}

/// Removes the least recently used files of a directory until the others have at most so many bytes. Returns how many
/// they have.
///
/// # Errors
/// What the disk refuses.
pub(super) fn evict(cache: &Path, most: u64) -> io::Result<u64> {
    let mut files = Vec::new();
    for entry in cache.read_dir()? {
        let entry = entry?;
        match entry.metadata() {
            Ok(about) => files.push((about.modified()?, about.len(), entry.path())),
            // Somebody else has removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    files.sort();
    let (mut seen, mut kept) = (0, 0);
    for (_, size, path) in files.into_iter().rev() {
        seen += size;
        if seen <= most {
            kept = seen;
        } else {
            match files::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn those_used_last_stay() {
        let cache = tempfile::tempdir().unwrap();
        for (age, name) in [(1, "new"), (2, "old"), (3, "oldest")] {
            let file = File::create(cache.path().join(name)).unwrap();
            file.set_len(10).unwrap();
            let used = SystemTime::now() - Duration::from_secs(age * 100);
            file.set_modified(used).unwrap();
        }
        evict(cache.path(), 20).unwrap();
        let left = |name: &str| cache.path().join(name).exists();
        assert_eq!(["new", "old", "oldest"].map(left), [true, true, false]);
        assert_eq!(evict(cache.path(), 1_000).unwrap(), 20);
    }

    #[test]
    fn a_cache_never_has_much_more_than_it_may() {
        let disk = tempfile::tempdir().unwrap();
        let cache = Cache::at(disk.path().join("cache"), 1_600);
        assert!(cache.open("public/0").unwrap().is_none());
        for number in 0..100 {
            let file = Temporary(disk.path().join("fetched"));
            std::fs::write(&file.0, [7; 50]).unwrap();
            cache.keep(&format!("public/{number}"), &file, 50).unwrap();
        }
        let kept = disk.path().join("cache").read_dir().unwrap().count();
        assert!((20..=33).contains(&kept), "{kept}");
        assert!(cache.open("public/99").unwrap().is_some());
        assert_eq!(cache.size().unwrap(), (kept as u64 * 50, 1_600));
        cache.forget("public/99");
        assert!(cache.open("public/99").unwrap().is_none());
    }
}
