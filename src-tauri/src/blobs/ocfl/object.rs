//! How bytes become an object, or its next version (OCFL 1.1, section 3).

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use uuid::Uuid;

use super::inventory::{Content, INVENTORY, Inventory, SIDECAR, VersionNumber, sidecar_of};
use super::location::id_of;
use super::{Location, StorageRoot};
use crate::blobs::checksum::Sum;
use crate::blobs::disk::{Scratch, sync_directory};
use crate::blobs::{Algorithm, Signature};
use crate::faults;

/// File that says what the directory of an object is, and its content.
pub(super) const DECLARATION: (&str, &str) = ("0=ocfl_object_1.1", "ocfl_object_1.1\n");

/// A version that is about to be added to an object, or to become one.
#[derive(Debug)]
pub(in crate::blobs) struct Addition {
    /// Where its bytes will lie.
    pub(in crate::blobs) location: Location,
    pub(super) inventory: Inventory,
}

impl StorageRoot {
    /// Plans the next version of a file's object, the first if there is none. Only in one's turn.
    ///
    /// # Errors
    /// `InvalidData` when the object is damaged; what the disk refuses.
    pub(in crate::blobs) fn plan(
        &self,
        file: Uuid,
        sha512: &str,
        path: &str,
        signature: &Signature,
    ) -> io::Result<Addition> {
        let found = self.inventory(&id_of(file))?;
        let kept = found
            .as_ref()
            .and_then(|inventory| self.kept(inventory, sha512));
        let content = Content {
            sha512,
            path,
            kept: kept.as_deref(),
        };
        let inventory = match found {
            Some(inventory) => inventory.next(content, signature),
            None => Inventory::first(id_of(file), content, signature),
        };
        Ok(Addition {
            location: Location {
                object: file,
                version: inventory.head,
                content: kept.unwrap_or_else(|| inventory.own_path(path)),
            },
            inventory,
        })
    }

    /// Path of the same bytes in an object, where they are still what they were: lost or damaged
    /// ones are no reason to let good ones go.
    fn kept(&self, inventory: &Inventory, sha512: &str) -> Option<String> {
        let object = self.object(&inventory.id);
        let mut paths = inventory.content_paths(sha512).iter();
        let intact =
            paths.find(|path| digest_of(&object.join(path)).is_ok_and(|found| found == sha512));
        intact.cloned()
    }

    /// Refuses an object that has vanished: its next version cannot be its first.
    ///
    /// # Errors
    /// `InvalidData`.
    pub(in crate::blobs) fn refuse_lost(&self, location: &Location) -> io::Result<()> {
        match self.object(&location.id()).is_dir() {
            true => Ok(()),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the object that holds the former bytes of this file is missing",
            )),
        }
    }

    fn inventory(&self, id: &str) -> io::Result<Option<Inventory>> {
        let object = self.object(id);
        let bytes = match std::fs::read(object.join(INVENTORY)) {
            // An object without an inventory is damaged, and not a place for another.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !object.exists() => {
                return Ok(None);
            }
            outcome => outcome?,
        };
        Inventory::read(&bytes, &std::fs::read(object.join(SIDECAR))?).map(Some)
    }

    /// Carries a plan out. The bytes are taken from `finished`, unless the object has them already.
    /// All of it is on disk when this returns.
    ///
    /// # Errors
    /// What the disk refuses; part of the version may then be there.
    pub(in crate::blobs) fn add(&self, addition: &Addition, finished: &Path) -> io::Result<()> {
        let built = self.scratch()?;
        match addition.location.version.previous() {
            None => {
                let made = build_object(addition, finished, &built.0)?;
                self.syncs.sync_together(made)?;
                self.publish_object(addition, &built)
            }
            Some(_) => {
                let inventory = self.scratch()?;
                let mut made = build_version(addition, finished, &built.0)?;
                made.extend(build_inventory(&addition.inventory, &inventory.0)?);
                self.syncs.sync_together(made)?;
                self.publish_version(addition, &built)?;
                self.publish_inventory(&addition.location, &inventory)
            }
        }
    }

    fn publish_object(&self, addition: &Addition, built: &Scratch) -> io::Result<()> {
        let object = self.object(&addition.location.id());
        let above = object.parent().unwrap_or(&self.root);
        let hierarchy = self.hierarchy.read();
        let standing = hierarchy.unwrap_or_else(PoisonError::into_inner);
        let made = standing.make_unsynced(above, &self.root)?;
        std::fs::rename(&built.0, &object)?;
        let mut named = made.above();
        named.push(above.to_owned());
        // Nobody removes them now: they hold the object.
        self.syncs.sync_together(named)?;
        standing.remember(made);
        Ok(())
    }

    pub(super) fn publish_version(&self, addition: &Addition, built: &Scratch) -> io::Result<()> {
        let object = self.object(&addition.location.id());
        let version = object.join(addition.location.version.to_string());
        std::fs::rename(&built.0, version)?;
        sync_directory(&object)
    }

    /// Makes a built inventory that of the whole object.
    pub(super) fn publish_inventory(&self, location: &Location, built: &Scratch) -> io::Result<()> {
        let object = self.object(&location.id());
        for name in [INVENTORY, SIDECAR] {
            faults::point(name);
            std::fs::rename(built.0.join(name), object.join(name))?;
        }
        sync_directory(&object)
    }
}

/// SHA-512 of a file, hexadecimal.
fn digest_of(path: &Path) -> io::Result<String> {
    let mut sum = Sum::new(Algorithm::Sha512);
    io::copy(&mut File::open(path)?, &mut sum)?;
    Ok(sum.finish().hex())
}

/// Returns what is to be brought to the disk.
fn build_object(addition: &Addition, finished: &Path, object: &Path) -> io::Result<Vec<PathBuf>> {
    let (name, content) = DECLARATION;
    let declaration = object.join(name);
    std::fs::write(&declaration, content)?;
    let version = object.join(VersionNumber::FIRST.to_string());
    std::fs::create_dir(&version)?;
    let mut made = build_version(addition, finished, &version)?;
    made.extend(build_inventory(&addition.inventory, object)?);
    made.push(declaration);
    Ok(made)
}

/// Fills the directory of a version. Returns what is to be brought to the disk.
pub(super) fn build_version(
    addition: &Addition,
    finished: &Path,
    version: &Path,
) -> io::Result<Vec<PathBuf>> {
    let mut made = build_inventory(&addition.inventory, version)?;
    let prefix = format!("{}/", addition.location.version);
    if let Some(content) = addition.location.content.strip_prefix(&prefix) {
        let content = version.join(content);
        let directory = content.parent().unwrap_or(version);
        std::fs::create_dir_all(directory)?;
        std::fs::rename(finished, &content)?;
        let directories = directory.ancestors();
        let directories = directories.take_while(|directory| *directory != version);
        made.extend(directories.map(Path::to_owned));
    }
    Ok(made)
}

/// Writes an inventory and its sidecar into a directory. Returns what is to be brought to the disk.
pub(super) fn build_inventory(inventory: &Inventory, directory: &Path) -> io::Result<Vec<PathBuf>> {
    write_inventory(&inventory.to_bytes()?, directory)
}

/// As `build_inventory`, from the bytes of one.
pub(super) fn write_inventory(bytes: &[u8], directory: &Path) -> io::Result<Vec<PathBuf>> {
    let (inventory, sidecar) = (directory.join(INVENTORY), directory.join(SIDECAR));
    std::fs::write(&inventory, bytes)?;
    std::fs::write(&sidecar, sidecar_of(bytes))?;
    Ok(vec![inventory, sidecar, directory.to_owned()])
}
