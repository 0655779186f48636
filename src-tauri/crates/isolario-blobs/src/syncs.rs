//! Syncs files and directories to disk. Requests that wait at the same time share a sync.

use std::collections::BTreeSet;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::beside::Beside;
use isolario_platform::files::{sync_path, sync_whole_disk};

/// With more paths, one sync of the whole file system costs less.
const SYNCED_SINGLY: usize = 16;

/// The queue of sync requests. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Syncs(Arc<SyncQueue>);

#[derive(Debug, Default)]
struct SyncQueue {
    requests: Mutex<Vec<Arc<SyncRequest>>>,
    /// Held by the thread that syncs for all requests.
    leading: Mutex<()>,
}

/// A request to sync paths.
#[derive(Debug)]
struct SyncRequest {
    paths: Vec<PathBuf>,
    /// The outcome. A disk reports a failure only once, so every waiting request gets it.
    outcome: OnceLock<Result<(), Failure>>,
}

/// An error of the disk that can be copied: the number of the system, or the kind of error.
type Failure = (Option<i32>, io::ErrorKind);

impl Syncs {
    /// Syncs files and directories, all in one file system.
    ///
    /// # Errors
    /// What the disk refuses, to this one or to another that waited at the same time.
    pub(super) fn sync_together(&self, paths: Vec<PathBuf>) -> io::Result<()> {
        let request = Arc::new(SyncRequest {
            paths,
            outcome: OnceLock::new(),
        });
        whole(&self.0.requests).push(request.clone());
        let _leading = whole(&self.0.leading);
        if request.outcome.get().is_none() {
            let requests = std::mem::take(&mut *whole(&self.0.requests));
            let paths: BTreeSet<&Path> = requests
                .iter()
                .flat_map(|request| request.paths())
                .collect();
            let outcome = sync_each(&paths).map_err(|error| (error.raw_os_error(), error.kind()));
            for request in requests {
                request.outcome.get_or_init(|| outcome);
            }
        }
        let outcome = request.outcome.get().copied();
        let failed = |(number, kind): Failure| match number {
            Some(number) => io::Error::from_raw_os_error(number),
            None => kind.into(),
        };
        outcome
            .unwrap_or(Err((None, io::ErrorKind::Other)))
            .map_err(failed)
    }

    /// Syncs one directory.
    ///
    /// # Errors
    /// As `sync_together`.
    pub(super) fn sync_names(&self, directory: &Path) -> io::Result<()> {
        self.sync_together(vec![directory.to_owned()])
    }
}

impl SyncRequest {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }
}

fn sync_each(paths: &BTreeSet<&Path>) -> io::Result<()> {
    let mut paths = paths.iter().copied();
    let Some(first) = paths.next() else {
        return Ok(());
    };
    if paths.len() >= SYNCED_SINGLY
        && let Some(outcome) = sync_whole_disk(first)
    {
        return outcome;
    }
    // At the same time: the disk then writes what it has in its memory once, and not for each.
    std::thread::scope(|scope| {
        let others = paths.map(|path| Beside::begin(scope, move || sync_path(path)));
        let others: Vec<_> = others.collect();
        let others = others.into_iter().map(Beside::outcome);
        iter::once(sync_path(first)).chain(others).collect()
    })
}

/// Ignores poison, because no panic can leave the value half changed.
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
            while whole(&syncs.0.requests).len() < waiting.len() {
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
