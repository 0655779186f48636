//! One component of a path after the other, and none that is a link.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Component, Path};

use rustix::fs::{CWD, Mode, OFlags, fstatfs, openat};

use crate::files::FileIdentity;

/// How something is opened just to be looked at.
pub(super) const LOOK: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK);

/// A drive of this machine (statfs(2), `MNT_LOCAL`).
const LOCAL: u32 = 0x1000;

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

pub(super) fn open_directory(path: &Path) -> io::Result<File> {
    let start = if path.is_absolute() { "/" } else { "." };
    let mut opened = File::from(openat(
        CWD,
        start,
        DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?);
    for component in path.components() {
        match component {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(name) => {
                opened = step(&opened, Path::new(name), DIRECTORY, Mode::empty())?
            }
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
    }
    Ok(opened)
}

pub(super) fn open(directory: &File, path: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
    let mut names = path.split('/').peekable();
    let mut above = directory.try_clone()?;
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        let name = match name {
            "." if path == "." => ".",
            "" | "." | ".." => return Err(io::ErrorKind::InvalidInput.into()),
            name => name,
        };
        above = match is_last {
            true => return step(&above, Path::new(name), flags, mode),
            false => step(&above, Path::new(name), DIRECTORY, Mode::empty())?,
        };
    }
    Err(io::ErrorKind::NotFound.into())
}

fn step(directory: &File, name: &Path, flags: OFlags, mode: Mode) -> io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(directory, name, flags, mode)?.into())
}

pub(super) fn is_told_of_changes(directory: &File) -> bool {
    fstatfs(directory).is_ok_and(|disk| disk.f_flags & LOCAL != 0)
}

/// The system does not tell. Whether a file still grows is seen by looking at it twice.
pub(super) fn open_to_write(_: &HashSet<FileIdentity>) -> HashSet<FileIdentity> {
    HashSet::new()
}
