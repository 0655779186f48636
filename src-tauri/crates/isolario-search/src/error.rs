//! What can go wrong with an index.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tantivy::TantivyError;
use tantivy::directory::error::{OpenDirectoryError, OpenReadError, OpenWriteError};

/// Why an index cannot be used. Whatever it is, the index is made anew.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// There is none.
    #[error("there is no index")]
    Missing,
    /// It was never completed.
    #[error("the index was not completed")]
    Unfinished,
    /// Another release wrote it.
    #[error("another release of the program wrote the index")]
    OtherVersion,
    /// The directory holds what no index has.
    #[error("{0} does not belong to an index")]
    Foreign(String),
    /// A file is missing, cut or changed.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// The disk did not give it.
    #[error("the index cannot be read: {0}")]
    Unreadable(io::Error),
}

/// Why a search or a change of the index failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The index is no longer sound: it is made anew.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// The disk failed or is full.
    #[error("{0}")]
    Disk(io::Error),
    /// The engine refused.
    #[error("the search engine failed: {0}")]
    Engine(String),
}

impl SearchError {
    /// Whether there was no space on the disk: the index is sound, and the same succeeds once there is.
    pub fn is_full(&self) -> bool {
        matches!(self, SearchError::Disk(error) if says_full(error))
    }
}

/// Whether an error says that there is no space: on the disk, or of what somebody may take of it.
pub fn says_full(error: &io::Error) -> bool {
    let kind = error.kind();
    kind == io::ErrorKind::StorageFull || kind == io::ErrorKind::QuotaExceeded
}

impl From<io::Error> for SearchError {
    fn from(error: io::Error) -> SearchError {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof | io::ErrorKind::NotFound => {
                SearchError::Damaged(error.to_string())
            }
            _ => SearchError::Disk(error),
        }
    }
}

impl From<TantivyError> for SearchError {
    fn from(error: TantivyError) -> SearchError {
        let disk = match &error {
            TantivyError::IoError(error)
            | TantivyError::OpenReadError(OpenReadError::IoError {
                io_error: error, ..
            })
            | TantivyError::OpenWriteError(OpenWriteError::IoError {
                io_error: error, ..
            })
            | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError {
                io_error: error,
                ..
            }) => Some(error),
            _ => None,
        };
        // The engine shares its errors; the number is what says more than the kind.
        if let Some(disk) = disk {
            return SearchError::from(match disk.raw_os_error() {
                Some(number) => io::Error::from_raw_os_error(number),
                None => io::Error::new(disk.kind(), disk.to_string()),
            });
        }
        match error {
            TantivyError::DataCorruption(_)
            | TantivyError::IncompatibleIndex(_)
            | TantivyError::OpenReadError(_) => SearchError::Damaged(error.to_string()),
            _ => SearchError::Engine(error.to_string()),
        }
    }
}

impl From<SearchError> for Unusable {
    fn from(error: SearchError) -> Unusable {
        match error {
            SearchError::Disk(error) => Unusable::Unreadable(error),
            SearchError::Damaged(words) | SearchError::Engine(words) => Unusable::Damaged(words),
        }
    }
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Unusable {
        SearchError::from(error).into()
    }
}

impl From<TantivyError> for Unusable {
    fn from(error: TantivyError) -> Unusable {
        SearchError::from(error).into()
    }
}

/// Runs the engine. It trusts its files and panics over some that it did not write, which here is one more damage.
pub fn guarded<T, E: From<SearchError>>(run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        let words = words.unwrap_or("the engine gave up").to_owned();
        Err(SearchError::Damaged(words).into())
    })
}
