//! The entries that a walk of the data directory reports.

use std::ops::ControlFlow;
use std::path::PathBuf;

/// An entry of the data directory.
#[derive(Debug)]
pub enum DiskEntry {
    /// A file of a plain tree, by the name of its blob.
    Blob(String),
    /// An object of the storage root, by its directory.
    Object(PathBuf),
    /// Something that is no data of the program, with the reason.
    Foreign { path: PathBuf, why: String },
}

/// Called with each entry. It may end the walk.
pub type DiskVisitor<'v> = dyn FnMut(DiskEntry) -> ControlFlow<()> + 'v;

/// Makes the entry of something that does not belong there.
pub(crate) fn foreign(path: PathBuf, why: &str) -> DiskEntry {
    DiskEntry::Foreign {
        path,
        why: why.into(),
    }
}
