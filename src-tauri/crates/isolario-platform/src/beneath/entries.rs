//! The names in a directory, one after the other.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;

use rustix::fs::{Dir, Mode, OFlags, openat};

use super::system::LOOK;

/// What is left of the names in an open directory.
#[derive(Debug)]
pub struct Entries(Dir);

/// A name in a directory. It may be no text.
#[derive(Debug, Clone)]
pub struct EntryName(CString);

impl EntryName {
    /// The name, or what resembles it most.
    pub fn to_text(&self) -> Cow<'_, str> {
        self.0.to_string_lossy()
    }

    /// Whether it is a text.
    pub fn is_text(&self) -> bool {
        self.0.to_str().is_ok()
    }
}

impl Entries {
    /// Those of an open directory.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn of(directory: File) -> io::Result<Entries> {
        Ok(Entries(Dir::new(directory)?))
    }

    /// Opens what has a name here, just to be looked at. It may be a link itself.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn look(&self, name: &EntryName) -> io::Result<File> {
        self.open(&name.0, LOOK)
    }

    /// The names in a directory that is here.
    ///
    /// # Errors
    /// For links; what the disk refuses.
    pub fn enter(&self, name: &EntryName) -> io::Result<Entries> {
        Entries::of(self.open(&name.0, OFlags::RDONLY | OFlags::DIRECTORY)?)
    }

    fn open(&self, name: &CStr, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(self.0.fd()?, name, flags, Mode::empty())?.into())
    }
}

impl Iterator for Entries {
    type Item = io::Result<EntryName>;

    fn next(&mut self) -> Option<io::Result<EntryName>> {
        loop {
            let entry = match self.0.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = entry.file_name();
            if ![c".", c".."].contains(&name) {
                return Some(Ok(EntryName(name.to_owned())));
            }
        }
    }
}
