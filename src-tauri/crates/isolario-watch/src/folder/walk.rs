//! Walks a folder, a few names at a time, however many there are.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::{Folder, look_of};
use isolario_model::content::FileLook;
use isolario_platform::beneath::{Entries, EntryName};
use isolario_platform::files::with_slashes;

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
/// Folders are entered where `enters` says so. Links are not followed, whenever they take the place of a folder.
///
/// # Errors
/// When the first folder cannot be read; what cannot be read further down is left out.
pub fn walk(
    folder: &Folder,
    below: &str,
    enters: &dyn Fn(&str) -> bool,
    visit: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut open = vec![Level {
        inside: below.to_owned(),
        entries: folder.inner(below)?.entries()?,
    }];
    while let Some(level) = open.last_mut() {
        let Some(entry) = level.entries.next() else {
            open.pop();
            continue;
        };
        let Ok(name) = entry else { continue };
        let path = joined(&level.inside, &name);
        // What goes away meanwhile is left out.
        let looked = level.entries.look(&name);
        let looked = looked.and_then(|found| Ok((found.metadata()?, found)));
        let Ok((found, opened)) = looked else {
            continue;
        };
        if found.is_file()
            && let Ok(look) = look_of(&opened, &found)
            && visit(seen(&name, path.clone(), look)).is_break()
        {
            return Ok(());
        }
        if found.is_dir()
            && enters(&path)
            && let Ok(entries) = level.entries.enter(&name)
            && open.len() < DEEPEST
        {
            open.push(Level {
                inside: path,
                entries,
            });
        }
    }
    Ok(())
}

/// A folder that is being gone through: its path from the watched folder, and what is left of it.
struct Level {
    inside: String,
    entries: Entries,
}

fn joined(inside: &str, name: &EntryName) -> String {
    let name = name.to_text();
    match inside {
        "" => name.into_owned(),
        inside => format!("{inside}/{name}"),
    }
}

fn seen(name: &EntryName, path: String, look: FileLook) -> Entry {
    Entry {
        path,
        unspeakable: !name.is_text(),
        look,
    }
}

impl Folder {
    /// A path that was reported by its whole name, from the watched folder; `None` for one that is not in it.
    pub fn inside(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(self.path()).ok()?;
        let inside = Path::new(inside.to_str().filter(|inside| !inside.is_empty())?);
        Some(with_slashes(inside))
    }

    /// Whether a path in it is a folder, and not reached through a link.
    pub fn is_folder(&self, path: &str) -> bool {
        self.inner(path).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use isolario_platform::files;

    use super::*;

    fn walked(folder: &Folder, below: &str) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        walk(folder, below, &|_| true, &mut |entry| {
            found.push(entry.path);
            ControlFlow::Continue(())
        })?;
        found.sort();
        Ok(found)
    }

    #[test]
    fn links_are_not_gone_through_whenever_they_take_the_place_of_a_folder() {
        let (disk, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = disk.path().canonicalize().unwrap().join("scans");
        std::fs::create_dir_all(path.join("a/b")).unwrap();
        std::fs::create_dir(other.path().join("b")).unwrap();
        for file in [
            path.join("a/1"),
            path.join("a/b/2"),
            other.path().join("b/secret"),
        ] {
            std::fs::write(file, "x").unwrap();
        }
        symlink(other.path(), path.join("out")).unwrap();
        let folder = Folder::find(&path).unwrap();
        assert_eq!(walked(&folder, "").unwrap(), ["a/1", "a/b/2"]);
        assert_eq!(walked(&folder, "a/b").unwrap(), ["a/b/2"]);
        for link in ["out", "out/b"] {
            assert!(
                walked(&folder, link).is_err() && !folder.is_folder(link),
                "{link}"
            );
        }
        files::rename(&path, disk.path().join("moved")).unwrap();
        symlink(other.path(), &path).unwrap();
        assert!(walked(&folder, "").is_err() && Folder::find(&path).is_err());
        symlink(disk.path(), other.path().join("up")).unwrap();
        assert!(Folder::find(&other.path().join("up/moved")).is_err());
    }
}
