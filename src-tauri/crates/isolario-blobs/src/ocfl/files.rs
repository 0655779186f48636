//! The files of an object, as they were at one of its versions.

use std::io;
use std::path::{Path, PathBuf};

use super::inventory::{INVENTORY, SIDECAR, VersionNumber};
use super::{DECLARATION, Location, StorageRoot, object};

impl StorageRoot {
    /// The files of an object at a version: their paths, and the paths of their contents of then. The inventory of an
    /// object is that of its latest version (OCFL 1.1, section 3.5), so it is read from the directory of that version.
    pub(crate) fn files_at(&self, location: &Location) -> io::Result<Vec<(PathBuf, PathBuf)>> {
        let object = self.object(&location.id());
        let latest = object.join(location.version.to_string());
        let declaration = object.join(object::DECLARATION.0);
        let mut files = vec![(declaration.clone(), declaration)];
        for name in [INVENTORY, SIDECAR] {
            files.push((object.join(name), latest.join(name)));
        }
        let mut version = VersionNumber::FIRST;
        while version <= location.version {
            let own = files_below(&object.join(version.to_string()))?;
            files.extend(own.into_iter().map(|path| (path.clone(), path)));
            version = version.next();
        }
        Ok(files)
    }

    /// The files that declare the root.
    pub(crate) fn declarations(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = files_below(&self.root.join("extensions"))?;
        files.push(self.root.join(DECLARATION.0));
        files.push(self.root.join("ocfl_layout.json"));
        Ok(files)
    }
}

/// All files below a directory, in order.
fn files_below(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in directory.read_dir()? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => open.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.sort();
    Ok(files)
}
