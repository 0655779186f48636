//! Looks through a folder, a few names at a time, however many there are.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Folder, look_of};
use crate::content::FileLook;

/// A plain file that was found.
#[derive(Debug, Clone)]
pub struct Entry {
    /// From the watched folder, with `/`.
    pub path: String,
    pub look: FileLook,
    /// Whether the name is not UTF-8; then `path` only resembles it.
    pub unspeakable: bool,
}

/// Most folders inside one another.
const DEEPEST: usize = 64;

/// Hands over every plain file below a folder of a watched folder (the watched folder itself when empty), until `visit` breaks off.
/// Folders are entered where `enters` says so. Links are not followed.
///
/// # Errors
/// When the first folder cannot be read; what cannot be read further down is left out.
pub fn walk(
    folder: &Folder,
    below: &str,
    enters: &dyn Fn(&str) -> bool,
    visit: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> io::Result<()> {
    let first = folder.path().join(below);
    let mut open = vec![(below.to_owned(), first.read_dir()?)];
    while let Some((inside, entries)) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        let Ok(entry) = entry else { continue };
        let path = joined(inside, &entry.file_name());
        match kind(&entry) {
            Kind::File => {
                let seen = seen(&entry, path);
                match visit(seen) {
                    ControlFlow::Break(()) => return Ok(()),
                    ControlFlow::Continue(()) => {}
                }
            }
            Kind::Folder if open.len() < DEEPEST && enters(&path) => {
                // Names that are not UTF-8 have to be gone by as they are.
                if let Ok(inner) = entry.path().read_dir() {
                    open.push((path, inner));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

enum Kind {
    File,
    Folder,
    Other,
}

fn kind(entry: &DirEntry) -> Kind {
    match entry.file_type() {
        Ok(kind) if kind.is_file() => Kind::File,
        Ok(kind) if kind.is_dir() => Kind::Folder,
        _ => Kind::Other,
    }
}

fn joined(inside: &str, name: &OsStr) -> String {
    let name = name.to_string_lossy();
    match inside {
        "" => name.into_owned(),
        inside => format!("{inside}/{name}"),
    }
}

fn seen(entry: &DirEntry, path: String) -> Entry {
    let look = entry.metadata().map(|metadata| look_of(&metadata));
    Entry {
        path,
        unspeakable: std::str::from_utf8(entry.file_name().as_bytes()).is_err(),
        look: look.unwrap_or(FileLook {
            size: 0,
            modified: 0,
            inode: 0,
        }),
    }
}

impl Folder {
    /// A path that was reported by its whole name, from the watched folder; `None` for one that is not in it.
    pub fn inside(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(self.path()).ok()?;
        inside
            .to_str()
            .filter(|inside| !inside.is_empty())
            .map(str::to_owned)
    }

    /// Whether a path in it is a folder, and no link to one.
    pub fn is_folder(&self, path: &str) -> bool {
        let whole: PathBuf = self.path().join(path);
        std::fs::symlink_metadata(whole).is_ok_and(|found| found.is_dir())
    }
}
