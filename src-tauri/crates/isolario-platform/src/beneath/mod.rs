//! What lies in a directory that somebody else may change meanwhile: it is reached through no link, and nothing outside
//! is.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "macos")]
use macos as system;
mod entries;
mod unix;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;

pub use entries::{Entries, EntryName};
pub use unix::{
    FileIdentity, identity, is_link, is_locked, make_directory, modified, number, remove,
    rename_to_new,
};

/// How something is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// To be read, without waiting.
    Read,
    /// As a directory.
    Directory,
    /// To be written anew, whether or not it is there.
    Replace,
}

/// Opens a directory by a path without links.
///
/// # Errors
/// When it is not there, is none, or a link is on the way.
pub fn open_directory(path: &Path) -> io::Result<File> {
    system::open_directory(path)
}

/// Opens something in a directory, by a path with `/`; the directory itself where the path is empty.
///
/// # Errors
/// When it is not there, lies elsewhere, or a link is on the way.
pub fn open(directory: &File, path: &str, opening: Opening) -> io::Result<File> {
    system::open(directory, path, opening)
}

/// Whether the system tells of everything that changes in a directory: not of drives of other machines.
pub fn is_told_of_changes(directory: &File) -> bool {
    system::is_told_of_changes(directory)
}

/// Those of some files that a program has open to write, where the system tells.
pub fn open_to_write(files: &HashSet<FileIdentity>) -> HashSet<FileIdentity> {
    system::open_to_write(files)
}
