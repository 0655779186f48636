//! Remembers that the disk was full. The engine writes in threads of its own, and of their errors tells only that there
//! was one.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{SearchError, says_full};

/// Whether there was space for what was written.
#[derive(Debug, Default)]
pub struct Space {
    is_full: AtomicBool,
    /// Bytes after which a test's disk is full; with 0 it never is.
    #[cfg(test)]
    limit: std::sync::atomic::AtomicUsize,
}

impl Space {
    /// Does what may fail for want of space.
    pub fn watch<T>(&self, write: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let written = write();
        if let Err(error) = &written
            && says_full(error)
        {
            self.is_full.store(true, Ordering::Relaxed);
        }
        written
    }

    /// Writes bytes.
    pub fn take(
        &self,
        bytes: &[u8],
        write: impl FnOnce(&[u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        self.watch(|| {
            #[cfg(test)]
            self.count(bytes.len())?;
            write(bytes)
        })
    }

    /// Whether the disk was full since this was asked.
    pub fn was_full(&self) -> bool {
        self.is_full.swap(false, Ordering::Relaxed)
    }

    /// Says of a failure that the disk was full, if it was.
    pub fn explain<T>(&self, result: Result<T, SearchError>) -> Result<T, SearchError> {
        match result {
            Err(_) if self.was_full() => Err(SearchError::Disk(io::ErrorKind::StorageFull.into())),
            result => result,
        }
    }

    /// Fills the disk after so many bytes.
    #[cfg(test)]
    pub fn set_limit(&self, bytes: usize) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    #[cfg(test)]
    fn count(&self, bytes: usize) -> io::Result<()> {
        let limit = self.limit.load(Ordering::Relaxed);
        if limit == 0 {
            return Ok(());
        }
        if limit <= bytes {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.limit.store(limit - bytes, Ordering::Relaxed);
        Ok(())
    }
}
