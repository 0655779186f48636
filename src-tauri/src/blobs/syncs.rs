//! Files and directories brought to the disk together, by whoever waits for it at the same time.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// More of them cost less with everything else that waits for the disk.
const SYNCED_SINGLY: usize = 16;

/// Who waits for the disk. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Syncs(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    wishes: Mutex<Vec<Arc<Wish>>>,
    /// Held by the one who fulfils the wishes of all.
    leading: Mutex<()>,
}

/// What one of them waits for.
#[derive(Debug)]
struct Wish {
    paths: Vec<PathBuf>,
    /// How it ended. A disk tells of a failure only once, so that all are told of it.
    outcome: OnceLock<Result<(), io::ErrorKind>>,
}

impl Syncs {
    /// Brings the bytes of files and the names in directories to the disk, all in one file system.
    ///
    /// # Errors
    /// What the disk refuses, to this one or to another that waited at the same time.
    pub(super) fn sync_together(&self, paths: Vec<PathBuf>) -> io::Result<()> {
        let wish = Arc::new(Wish {
            paths,
            outcome: OnceLock::new(),
        });
        whole(&self.0.wishes).push(wish.clone());
        let _leading = whole(&self.0.leading);
        if wish.outcome.get().is_none() {
            let wishes = std::mem::take(&mut *whole(&self.0.wishes));
            let paths: BTreeSet<&Path> = wishes.iter().flat_map(|wish| wish.paths()).collect();
            let outcome = sync_each(&paths).map_err(|error| error.kind());
            for wish in wishes {
                wish.outcome.get_or_init(|| outcome);
            }
        }
        let outcome = wish.outcome.get().copied();
        outcome.unwrap_or(Err(io::ErrorKind::Other))?;
        Ok(())
    }

    /// The same for the names in one directory.
    ///
    /// # Errors
    /// As `sync_together`.
    pub(super) fn sync_names(&self, directory: &Path) -> io::Result<()> {
        self.sync_together(vec![directory.to_owned()])
    }
}

impl Wish {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }
}

fn sync_each(paths: &BTreeSet<&Path>) -> io::Result<()> {
    match paths.first() {
        Some(any) if paths.len() > SYNCED_SINGLY => Ok(rustix::fs::syncfs(File::open(any)?)?),
        _ => paths
            .iter()
            .try_for_each(|path| File::open(path)?.sync_all()),
    }
}

/// What is in there is whole whenever a panic could happen.
fn whole<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_told_how_it_ended() {
        let disk = tempfile::tempdir().unwrap();
        let (syncs, missing) = (Syncs::default(), disk.path().join("missing"));
        let leading = whole(&syncs.0.leading);
        std::thread::scope(|scope| {
            let waiting: Vec<_> = [disk.path(), &missing]
                .map(|path| scope.spawn(|| syncs.sync_names(path)))
                .into();
            while whole(&syncs.0.wishes).len() < waiting.len() {
                std::thread::yield_now();
            }
            drop(leading);
            for outcome in waiting {
                let error = outcome.join().unwrap().unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::NotFound);
            }
        });
        assert!(syncs.sync_names(disk.path()).is_ok());
    }

    #[test]
    fn many_are_synced_as_one() {
        let disk = tempfile::tempdir().unwrap();
        let names = (0..=SYNCED_SINGLY).map(|number| disk.path().join(number.to_string()));
        let paths: Vec<PathBuf> = names.collect();
        paths
            .iter()
            .for_each(|path| std::fs::write(path, "bytes").unwrap());
        assert!(Syncs::default().sync_together(paths).is_ok());
    }
}
