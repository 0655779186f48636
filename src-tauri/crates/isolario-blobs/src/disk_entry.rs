//! What lies on disk, as it is told to who looks.

use std::ops::ControlFlow;
use std::path::PathBuf;

/// An entry of the data directory.
#[derive(Debug)]
pub enum DiskEntry {
    /// A file of a plain tree, by the name that the database would keep.
    Blob(String),
    /// An object of the storage root, by its directory.
    Object(PathBuf),
    /// Something that is no data of ours, and why.
    Foreign { path: PathBuf, why: String },
}

/// Visits each entry; may break off.
pub type DiskVisitor<'v> = dyn FnMut(DiskEntry) -> ControlFlow<()> + 'v;

/// Something that does not belong where it lies.
pub(crate) fn foreign(path: PathBuf, why: &str) -> DiskEntry {
    DiskEntry::Foreign {
        path,
        why: why.into(),
    }
}
