//! In which way a disk did not do what was asked of it, and the sentence that says so.

use std::io::{self, ErrorKind};

use isolario_platform::files::{is_device_failure, is_held};

/// What was wrong. A sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiskFault {
    /// The disk is full. Of all faults, only this one ends when something is deleted.
    #[error("The disk of the repository is full.")]
    Full,
    #[error("The disk of the repository can only be read.")]
    ReadOnly,
    #[error("The program may not read or write everything in its data directory: {0}.")]
    Denied(String),
    #[error("Another program holds a file of the repository: {0}.")]
    Held(String),
    /// The device itself.
    #[error("The disk of the repository failed: {0}.")]
    Failed(String),
    #[error("A file of the repository has vanished from its disk: {0}.")]
    Vanished(String),
    /// What is there is not what was stored.
    #[error("What is stored is damaged: {0}.")]
    Damaged(String),
    /// The bucket that holds the bytes.
    #[error("{0}")]
    Store(StoreFault),
    #[error("The disk refused: {0}.")]
    Other(String),
}

/// In which way a bucket did not do what was asked of it. It is what an `io::Error` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreFault {
    #[error("The store of the bytes does not answer as it should.")]
    Unreachable,
    #[error("The store of the bytes refuses the credentials of the program.")]
    Denied,
    #[error("The store of the bytes has no such bucket any more.")]
    NoBucket,
}

impl From<StoreFault> for io::Error {
    fn from(fault: StoreFault) -> io::Error {
        io::Error::other(fault)
    }
}

impl DiskFault {
    /// The fault that the system or `blobs` tells of.
    pub fn of(error: &io::Error) -> DiskFault {
        if let Some(fault) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
            return DiskFault::Store(*fault);
        }
        let words = error.to_string();
        if is_device_failure(error) {
            return DiskFault::Failed(words);
        }
        if is_held(error) {
            return DiskFault::Held(words);
        }
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => DiskFault::Full,
            ErrorKind::ReadOnlyFilesystem => DiskFault::ReadOnly,
            ErrorKind::PermissionDenied => DiskFault::Denied(words),
            ErrorKind::NotFound => DiskFault::Vanished(words),
            ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::UnexpectedEof
            | ErrorKind::NotADirectory => DiskFault::Damaged(words),
            _ => DiskFault::Other(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn every_fault_has_its_own_words() {
        for (errno, words) in [
            (Errno::NOSPC, "is full"),
            (Errno::DQUOT, "is full"),
            (Errno::ROFS, "can only be read"),
            (Errno::ACCESS, "may not read or write"),
            (Errno::PERM, "may not read or write"),
            (Errno::IO, "failed"),
            (Errno::BUSY, "Another program holds"),
            (Errno::NOENT, "vanished"),
            (Errno::NOTDIR, "damaged"),
            (Errno::MFILE, "refused"),
        ] {
            let fault = DiskFault::of(&errno.into());
            assert!(fault.to_string().contains(words), "{fault}");
            assert_eq!(fault == DiskFault::Full, words == "is full");
        }
        let stalled = StoreFault::Unreachable;
        assert_eq!(DiskFault::of(&stalled.into()), DiskFault::Store(stalled));
        let short = DiskFault::of(&ErrorKind::UnexpectedEof.into());
        assert!(matches!(short, DiskFault::Damaged(_)));
    }
}
