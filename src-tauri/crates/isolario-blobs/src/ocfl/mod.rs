//! An OCFL 1.1 storage root (<https://ocfl.io/1.1/spec/>): one object per file, named by the file's
//! UUID. Each replacement of the bytes adds a version, which never changes.
//!
//! A new object is built in staging and is published by one rename. A new version is published by three renames: its
//! directory, the inventory, the sidecar of the inventory. After a crash between them, the next start finishes the
//! version or rolls it back (`recover`). A note names the object, so the start need not walk the root.

mod files;
mod inventory;
mod layout;
mod location;
mod object;
mod object_locks;
mod recover;
mod rules;
mod signature;
mod stored_version;
mod validate;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

pub(super) use inventory::Inventory;
pub(super) use location::Location;
pub(super) use object_locks::ObjectLock;
pub use signature::Signature;
pub use validate::ObjectReport;

use super::disk::{DurableDirectories, Scratch, make_directory, sync_directory, write_synced};
use crate::syncs::Syncs;
use isolario_disk::regular_file;
use object_locks::ObjectLocks;

/// File that says what the directory is, and its content.
pub(super) const DECLARATION: (&str, &str) = ("0=ocfl_1.1", "ocfl_1.1\n");

/// The storage root. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct StorageRoot {
    root: PathBuf,
    /// A directory on the same disk.
    staging: PathBuf,
    turns: ObjectLocks,
    syncs: Syncs,
    /// Locked for writing while empty directories are removed, so that none is removed that a new object needs.
    hierarchy: Arc<RwLock<DurableDirectories>>,
}

impl StorageRoot {
    /// Opens the root, declaring a new one.
    ///
    /// # Errors
    /// `InvalidData` when the root has another layout; what the disk refuses.
    pub(super) fn open(root: &Path, staging: &Path, syncs: &Syncs) -> io::Result<StorageRoot> {
        std::fs::create_dir_all(root)?;
        make_directory(&root.join("extensions").join(layout::NAME))?;
        for (name, content) in declarations()? {
            declare(staging, &root.join(name), &content)?;
        }
        Ok(StorageRoot::at(root, staging, syncs))
    }

    /// The root as it is.
    pub(super) fn at(root: &Path, staging: &Path, syncs: &Syncs) -> StorageRoot {
        StorageRoot {
            root: root.to_owned(),
            staging: staging.to_owned(),
            turns: ObjectLocks::default(),
            syncs: syncs.clone(),
            hierarchy: Arc::default(),
        }
    }

    /// The path of the bytes of a location.
    pub(super) fn locate(&self, location: &Location) -> PathBuf {
        self.object(&location.id()).join(&location.content)
    }

    /// Locks the object of a file.
    pub(super) async fn turn(&self, file: uuid::Uuid) -> ObjectLock {
        self.turns.of(file).await
    }

    fn object(&self, id: &str) -> PathBuf {
        self.root.join(layout::path_of(id))
    }

    /// A new empty directory in staging.
    pub(super) fn scratch(&self) -> io::Result<Scratch> {
        Scratch::make(self.scratch_path())
    }

    /// A directory in staging for a version that is rolled back. It is made before it is needed. A whole object is
    /// moved to staging under its own name, which needs no directory.
    pub(super) fn spare(&self, location: &Location) -> io::Result<Scratch> {
        match location.version.previous() {
            None => Ok(Scratch(self.scratch_path())),
            Some(_) => self.scratch(),
        }
    }

    fn scratch_path(&self) -> PathBuf {
        let name = format!("{}.object", uuid::Uuid::new_v4().simple());
        self.staging.join(name)
    }
}

/// The files that declare a storage root, by their paths from it. The last one makes it one.
///
/// # Errors
/// None that is known.
pub(super) fn declarations() -> io::Result<[(String, Vec<u8>); 3]> {
    let (name, content) = DECLARATION;
    Ok([
        (
            format!("extensions/{}/config.json", layout::NAME),
            pretty(&layout::parameters())?,
        ),
        (
            "ocfl_layout.json".to_owned(),
            pretty(&layout::declaration())?,
        ),
        (name.to_owned(), content.into()),
    ])
}

/// The file that says what the directory of an object is, and its content.
pub(super) fn object_declaration() -> (&'static str, &'static str) {
    object::DECLARATION
}

fn pretty(value: &serde_json::Value) -> io::Result<Vec<u8>> {
    serde_json::to_vec_pretty(value).map_err(io::Error::other)
}

/// Makes a file that never changes. It gets its name when it is complete.
fn declare(staging: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    match regular_file::read(path) {
        Ok(found) if found == content => Ok(()),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{} is of another storage root than ours", path.display()),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let temporary = staging.join(format!("{}.part", uuid::Uuid::new_v4().simple()));
            write_synced(&temporary, content)?;
            isolario_platform::files::rename(&temporary, path)?;
            sync_directory(path.parent().unwrap_or(path))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_declared_once_and_kept() {
        let disk = tempfile::tempdir().unwrap();
        let (root, staging) = (disk.path().join("ocfl"), disk.path().join("staging"));
        std::fs::create_dir(&staging).unwrap();
        StorageRoot::open(&root, &staging, &Syncs::default()).unwrap();
        StorageRoot::open(&root, &staging, &Syncs::default()).unwrap();
        let said = std::fs::read_to_string(root.join("0=ocfl_1.1")).unwrap();
        assert_eq!(said, "ocfl_1.1\n");
        assert_eq!(staging.read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_root_with_another_layout_is_refused() {
        let disk = tempfile::tempdir().unwrap();
        let (root, staging) = (disk.path().join("ocfl"), disk.path().join("staging"));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir(&staging).unwrap();
        std::fs::write(root.join("ocfl_layout.json"), "{}").unwrap();
        let error = StorageRoot::open(&root, &staging, &Syncs::default()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
