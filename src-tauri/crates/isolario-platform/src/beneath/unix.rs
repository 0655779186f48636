//! Directories by their descriptors, as every Unix has them.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{
    AtFlags, Dir, FlockOperation, Mode, OFlags, RenameFlags, fcntl_lock, mkdirat, openat, renameat,
    renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use super::system;
use crate::files::{FileIdentity, identity};

/// An open directory. What is reached through it lies in it.
#[derive(Debug)]
pub struct Directory(File);

impl Directory {
    /// Opens a directory by a path without links.
    ///
    /// # Errors
    /// When it is not there, is none, or a link is on the way.
    pub fn open(path: &Path) -> io::Result<Directory> {
        system::open_directory(path).map(Directory)
    }

    /// Its identity, by which another one in its place is told.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn identity(&self) -> io::Result<FileIdentity> {
        identity(&self.0)
    }

    /// Whether the system tells of everything that changes in it: not on drives of other machines.
    pub fn is_told_of_changes(&self) -> bool {
        system::is_told_of_changes(&self.0)
    }

    /// Opens something in it to be read, without waiting, by a path with `/`.
    ///
    /// # Errors
    /// When it is not there, lies elsewhere, or a link is on the way.
    pub fn read(&self, path: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        system::open(&self.0, path, flags, Mode::empty())
    }

    /// Opens a file in it to be written anew, whether or not it is there.
    ///
    /// # Errors
    /// As `read`.
    pub fn replace(&self, path: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        system::open(&self.0, path, flags, Mode::from_raw_mode(0o666))
    }

    /// Opens a directory in it; itself where the path is empty.
    ///
    /// # Errors
    /// As `read`; when it is no directory.
    pub fn inner(&self, path: &str) -> io::Result<Directory> {
        let path = if path.is_empty() { "." } else { path };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        system::open(&self.0, path, flags, Mode::empty()).map(Directory)
    }

    /// Moves something in it to another directory, under a name that nothing has there.
    ///
    /// # Errors
    /// `AlreadyExists`; what else the disk refuses.
    pub fn rename_to_new(&self, name: &str, to: &Directory, new: &str) -> io::Result<()> {
        match renameat_with(&self.0, name, &to.0, new, RenameFlags::NOREPLACE) {
            // File systems that know no such renaming.
            Err(Errno::INVAL | Errno::NOTSUP) => {
                match statat(&to.0, new, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                    true => Err(io::ErrorKind::AlreadyExists.into()),
                    false => Ok(renameat(&self.0, name, &to.0, new)?),
                }
            }
            renamed => Ok(renamed?),
        }
    }

    /// Removes a file from it.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Makes a directory in it, unless something has its name.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn create_inner(&self, name: &str) -> io::Result<()> {
        match mkdirat(&self.0, name, Mode::from_raw_mode(0o777)) {
            Err(Errno::EXIST) => Ok(()),
            made => Ok(made?),
        }
    }

    /// The names in it, one after the other.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn entries(self) -> io::Result<Entries> {
        Ok(Entries(Dir::new(self.0)?))
    }
}

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
    /// Opens what has a name here, just to be looked at. It may be a link itself.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn look(&self, name: &EntryName) -> io::Result<File> {
        self.open(&name.0, system::LOOK)
    }

    /// The names in a directory that is here.
    ///
    /// # Errors
    /// For links; what the disk refuses.
    pub fn enter(&self, name: &EntryName) -> io::Result<Entries> {
        let inner = self.open(&name.0, OFlags::RDONLY | OFlags::DIRECTORY)?;
        Directory(inner).entries()
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

/// By fcntl(2).
pub(super) fn is_locked_otherwise(file: &File) -> bool {
    let locked = fcntl_lock(file, FlockOperation::NonBlockingLockShared);
    matches!(locked, Err(Errno::ACCESS | Errno::AGAIN))
}

pub(super) fn is_link_on_the_way(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}
