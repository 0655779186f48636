//! Why there is no derivative.

use std::io;

use thiserror::Error;

/// Why a derivative was not made: one plain sentence for a curator.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeriveError {
    /// The file cannot be read; trying again is of no use.
    #[error("{0}")]
    Unreadable(String),
    /// Something is not on this machine.
    #[error("{0}")]
    Missing(String),
    /// The disk or the pipe failed; another try may succeed.
    #[error("{0}")]
    Failed(String),
}

impl DeriveError {
    /// The file cannot be read, in these words.
    pub fn unreadable(words: impl Into<String>) -> DeriveError {
        DeriveError::Unreadable(words.into())
    }

    /// The file ends before what it promised.
    pub fn truncated(what: &str) -> DeriveError {
        DeriveError::Unreadable(format!("The file ends in the middle of the {what}."))
    }

    /// What a reader said about a part of the file that should be otherwise.
    pub fn damaged(what: &str, said: impl std::fmt::Display) -> DeriveError {
        let said = said.to_string();
        let said = said.trim().trim_end_matches('.');
        DeriveError::Unreadable(format!("The {what} is damaged: {said}."))
    }

    /// The derivative could not be written.
    pub fn not_written(error: impl std::fmt::Display) -> DeriveError {
        DeriveError::Failed(format!("The product could not be written: {error}."))
    }

    /// The source could not be read from its disk, or ended too early.
    pub fn not_read(what: &str, error: &io::Error) -> DeriveError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => DeriveError::truncated(what),
            _ if error.raw_os_error().is_some() => {
                DeriveError::Failed(format!("The file could not be read: {error}."))
            }
            _ => DeriveError::damaged(what, error),
        }
    }
}
