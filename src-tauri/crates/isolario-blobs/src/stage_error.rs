//! Why bytes are not taken.

use std::io;
use std::time::Duration;

/// Why a body was not staged. Its bytes are removed.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error("The body broke off: {0}.")]
    Broken(String),
    #[error("No bytes arrived for {} seconds.", .0.as_secs())]
    Stalled(Duration),
    #[error("The upload did not come within {} seconds.", .0.as_secs())]
    TooSlow(Duration),
    #[error("A file may not be larger than {most} bytes.")]
    TooLarge { most: u64 },
    #[error("Too many uploads are coming in at the same time. Try again in a moment.")]
    Busy,
    #[error("The body has {received} bytes where {declared} were declared.")]
    Length { declared: u64, received: u64 },
    #[error("The bytes could not be written: {0}.")]
    Disk(#[from] io::Error),
}
