//! Directories by their paths. Each is held open while it is used, so that nobody gives its name to another: a directory
//! is not renamed or removed while somebody has it or something in it open, and does not share that (CreateFileW,
//! `FILE_SHARE_DELETE`).

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, ReadDir};
use std::io;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf, Prefix};
use std::sync::Arc;

use crate::files::{
    self, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FileIdentity, identity,
};

/// Numbers of Windows (winnt.h).
const FILE_ATTRIBUTE_REPARSE_POINT: u32 = 0x400;
const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;

/// An open directory. What is reached through it lies in it.
#[derive(Debug, Clone)]
pub struct Directory {
    path: PathBuf,
    /// It and those above it that were gone through.
    held: Arc<Vec<File>>,
}

impl Directory {
    /// Opens a directory by a path without links.
    ///
    /// # Errors
    /// When it is not there, is none, or a link is on the way.
    pub fn open(path: &Path) -> io::Result<Directory> {
        let (mut opened, mut held) = (PathBuf::new(), Vec::new());
        for component in path.components() {
            opened.push(component);
            if let Component::Normal(_) = component {
                held.push(open_itself(&opened, true)?);
            }
        }
        Ok(Directory {
            path: opened,
            held: Arc::new(held),
        })
    }

    /// Its identity, by which another one in its place is told.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn identity(&self) -> io::Result<FileIdentity> {
        match self.held.last() {
            Some(directory) => identity(directory),
            None => crate::files::identity_at(&self.path),
        }
    }

    /// Whether the system tells of everything that changes in it: not on drives of other machines.
    pub fn is_told_of_changes(&self) -> bool {
        let prefix = self.path.components().next();
        !matches!(prefix, Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)))
    }

    /// Opens something in it to be read, by a path with `/`.
    ///
    /// # Errors
    /// When it is not there, lies elsewhere, or a link is on the way.
    pub fn read(&self, path: &str) -> io::Result<File> {
        let (above, name) = self.above(path)?;
        open_itself(&above.path.join(name), false)
    }

    /// Opens a file in it to be written anew, whether or not it is there.
    ///
    /// # Errors
    /// As `read`.
    pub fn replace(&self, path: &str) -> io::Result<File> {
        let (above, name) = self.above(path)?;
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        let options = options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
        let file = unless_link(options.open(above.path.join(name))?)?;
        file.set_len(0)?;
        Ok(file)
    }

    /// Opens a directory in it; itself where the path is empty.
    ///
    /// # Errors
    /// As `read`; when it is no directory.
    pub fn inner(&self, path: &str) -> io::Result<Directory> {
        let mut opened = self.path.clone();
        let mut held = Vec::new();
        for name in path.split('/').filter(|_| !path.is_empty()) {
            opened.push(plain(name)?);
            held.push(open_itself(&opened, true)?);
        }
        Ok(Directory {
            path: opened,
            held: match held.is_empty() {
                true => Arc::clone(&self.held),
                false => Arc::new(held),
            },
        })
    }

    /// Moves something in it to another directory, under a name that nothing has there.
    ///
    /// # Errors
    /// `AlreadyExists`; what else the disk refuses.
    pub fn rename_to_new(&self, name: &str, to: &Directory, new: &str) -> io::Result<()> {
        let (from, to) = (self.path.join(plain(name)?), to.path.join(plain(new)?));
        // A second name is never given to two files; a file system without such names has to be looked at.
        match std::fs::hard_link(&from, &to) {
            Ok(()) => files::remove_file(from),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => files::rename(from, to),
        }
    }

    /// Removes a file from it.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        files::remove_file(self.path.join(plain(name)?))
    }

    /// Makes a directory in it, unless something has its name.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn create_inner(&self, name: &str) -> io::Result<()> {
        match std::fs::create_dir(self.path.join(plain(name)?)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    /// The names in it, one after the other.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn entries(self) -> io::Result<Entries> {
        let names = self.path.read_dir()?;
        Ok(Entries {
            directory: self,
            names,
        })
    }

    /// The directory in which a path ends, and the last name.
    fn above<'p>(&self, path: &'p str) -> io::Result<(Directory, &'p str)> {
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok((self.inner(above)?, plain(name)?))
    }
}

/// What is left of the names in an open directory.
#[derive(Debug)]
pub struct Entries {
    directory: Directory,
    names: ReadDir,
}

/// A name in a directory. It may be no text.
#[derive(Debug, Clone)]
pub struct EntryName(OsString);

impl EntryName {
    /// The name, or what resembles it most.
    pub fn to_text(&self) -> Cow<'_, str> {
        self.0.to_string_lossy()
    }

    /// Whether it is a text.
    pub fn is_text(&self) -> bool {
        self.0.to_str().is_some()
    }
}

impl Entries {
    /// Opens what has a name here, just to be looked at.
    ///
    /// # Errors
    /// For links; what the disk refuses.
    pub fn look(&self, name: &EntryName) -> io::Result<File> {
        open_itself(&self.directory.path.join(&name.0), false)
    }

    /// The names in a directory that is here.
    ///
    /// # Errors
    /// For links; what the disk refuses.
    pub fn enter(&self, name: &EntryName) -> io::Result<Entries> {
        let path = self.directory.path.join(&name.0);
        let held = Arc::new(vec![open_itself(&path, true)?]);
        Directory { path, held }.entries()
    }
}

impl Iterator for Entries {
    type Item = io::Result<EntryName>;

    fn next(&mut self) -> Option<io::Result<EntryName>> {
        let entry = self.names.next()?;
        Some(entry.map(|entry| EntryName(entry.file_name())))
    }
}

/// Opens something, but no link. A directory is held: nobody renames or removes it meanwhile.
fn open_itself(path: &Path, hold: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
    options.read(true).custom_flags(flags);
    if hold {
        options.share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE);
    }
    let opened = unless_link(options.open(path)?)?;
    match hold && !opened.metadata()?.is_dir() {
        true => Err(io::ErrorKind::NotADirectory.into()),
        false => Ok(opened),
    }
}

fn unless_link(opened: File) -> io::Result<File> {
    match opened.metadata()?.file_attributes() & FILE_ATTRIBUTE_REPARSE_POINT {
        0 => Ok(opened),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// A name that is one name, and not that of a stream of a file.
fn plain(name: &str) -> io::Result<&str> {
    let is_plain = !["", ".", ".."].contains(&name) && !name.contains(['/', '\\', ':']);
    is_plain
        .then_some(name)
        .ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// The system does not tell: whoever writes does not share that, so opening the file fails.
pub(super) fn open_to_write(_: &HashSet<FileIdentity>) -> HashSet<FileIdentity> {
    HashSet::new()
}

pub(super) fn is_locked_otherwise(_: &File) -> bool {
    false
}

/// Links are met by what they are; no error tells of them.
pub(super) fn is_link_on_the_way(_: &io::Error) -> bool {
    false
}
