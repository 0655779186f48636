//! Makes an object, or its next version, of staged bytes (OCFL 1.1, section 3).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use uuid::Uuid;

use super::Signature;
use super::inventory::{Content, INVENTORY, Inventory, SIDECAR, VersionNumber, sidecar_of};
use super::location::id_of;
use super::{Location, StorageRoot};
use crate::Algorithm;
use crate::checksum::Sum;
use crate::disk::{Scratch, sync_directory};
use isolario_disk::faults;
use isolario_disk::regular_file;
use isolario_platform::files;

/// File that says what the directory of an object is, and its content.
pub(super) const DECLARATION: (&str, &str) = ("0=ocfl_object_1.1", "ocfl_object_1.1\n");

/// The plan of a new version of an object, or of a new object.
#[derive(Debug)]
pub(crate) struct Addition {
    /// The location that the bytes will have.
    pub(crate) location: Location,
    pub(super) inventory: Inventory,
}

/// A complete version in staging that is not synced yet. It is removed when this is dropped, unless it was published.
#[derive(Debug)]
pub(crate) struct BuiltVersion {
    /// The paths to sync before it is published, without its bytes.
    pub(crate) made: Vec<PathBuf>,
    /// Its bytes, unless the object has them already.
    pub(crate) content: Option<PathBuf>,
    /// The whole object, or its next version.
    directory: Scratch,
    /// What is to be the inventory of the object, where that has one already.
    inventory: Option<Scratch>,
}

impl StorageRoot {
    /// Plans the next version of the object of a file, or its first one. The caller holds the lock of the object.
    ///
    /// # Errors
    /// `InvalidData` when the object is damaged; what the disk refuses.
    pub(crate) fn plan(
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

    /// The path of the same bytes in an earlier version, if those are intact. Lost or damaged bytes are stored again.
    fn kept(&self, inventory: &Inventory, sha512: &str) -> Option<String> {
        let object = self.object(&inventory.id);
        let mut paths = inventory.content_paths(sha512).iter();
        let intact =
            paths.find(|path| digest_of(&object.join(path)).is_ok_and(|found| found == sha512));
        intact.cloned()
    }

    /// Refuses an object that is lost, because its next version cannot be its first one.
    ///
    /// # Errors
    /// `InvalidData`.
    pub(crate) fn refuse_lost(&self, location: &Location) -> io::Result<()> {
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
        let bytes = match regular_file::read(&object.join(INVENTORY)) {
            // An object without an inventory is damaged, and not a place for another.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !object.exists() => {
                return Ok(None);
            }
            outcome => outcome?,
        };
        Inventory::read(&bytes, &regular_file::read(&object.join(SIDECAR))?).map(Some)
    }

    /// Builds a planned version in staging. It moves the bytes from `finished`, unless the object has them already.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(crate) fn build(&self, addition: &Addition, finished: &Path) -> io::Result<BuiltVersion> {
        let directory = self.scratch()?;
        match addition.location.version.previous() {
            None => build_object(addition, finished, directory),
            Some(_) => {
                let (made, content) = build_version(addition, finished, &directory.0)?;
                let inventory = self.scratch()?;
                let repeated = repeat_inventory(&directory.0, &inventory.0)?;
                Ok(BuiltVersion {
                    made: [made, repeated].concat(),
                    content,
                    directory,
                    inventory: Some(inventory),
                })
            }
        }
    }

    /// Publishes a built version that is on disk. When this returns, its names are on disk too.
    ///
    /// # Errors
    /// What the disk refuses; part of the version may then be there.
    pub(crate) fn publish(&self, location: &Location, built: &BuiltVersion) -> io::Result<()> {
        match &built.inventory {
            None => self.publish_object(location, &built.directory),
            Some(inventory) => {
                self.publish_version(location, &built.directory)?;
                self.publish_inventory(location, inventory)
            }
        }
    }

    fn publish_object(&self, location: &Location, built: &Scratch) -> io::Result<()> {
        let object = self.object(&location.id());
        let above = object.parent().unwrap_or(&self.root);
        let hierarchy = self.hierarchy.read();
        let standing = hierarchy.unwrap_or_else(PoisonError::into_inner);
        let made = standing.make_unsynced(above, &self.root)?;
        files::rename(&built.0, &object)?;
        let mut named = made.above();
        named.push(above.to_owned());
        // Nobody removes them now: they hold the object.
        self.syncs.sync_together(named)?;
        standing.remember(made);
        Ok(())
    }

    pub(super) fn publish_version(&self, location: &Location, built: &Scratch) -> io::Result<()> {
        let object = self.object(&location.id());
        let version = object.join(location.version.to_string());
        files::rename(&built.0, version)?;
        sync_directory(&object)
    }

    /// Makes the inventory of a built version that of the object.
    pub(super) fn publish_inventory(&self, location: &Location, built: &Scratch) -> io::Result<()> {
        let object = self.object(&location.id());
        for name in [INVENTORY, SIDECAR] {
            faults::point(name);
            files::rename(built.0.join(name), object.join(name))?;
        }
        sync_directory(&object)
    }
}

/// SHA-512 of a file, hexadecimal.
fn digest_of(path: &Path) -> io::Result<String> {
    let mut sum = Sum::new(Algorithm::Sha512);
    io::copy(&mut regular_file::open(path)?, &mut sum)?;
    Ok(sum.finish().hex())
}

fn build_object(
    addition: &Addition,
    finished: &Path,
    directory: Scratch,
) -> io::Result<BuiltVersion> {
    let (name, content) = DECLARATION;
    let declaration = directory.0.join(name);
    std::fs::write(&declaration, content)?;
    let version = directory.0.join(VersionNumber::FIRST.to_string());
    std::fs::create_dir(&version)?;
    let (mut made, content) = build_version(addition, finished, &version)?;
    made.extend(repeat_inventory(&version, &directory.0)?);
    made.extend([declaration, directory.0.clone()]);
    Ok(BuiltVersion {
        made,
        content,
        directory,
        inventory: None,
    })
}

/// Fills the directory of a version. Returns the paths to sync, and the new path of the bytes if it moved them.
pub(super) fn build_version(
    addition: &Addition,
    finished: &Path,
    version: &Path,
) -> io::Result<(Vec<PathBuf>, Option<PathBuf>)> {
    let mut made = build_inventory(&addition.inventory, version)?;
    let prefix = format!("{}/", addition.location.version);
    let Some(content) = addition.location.content.strip_prefix(&prefix) else {
        return Ok((made, None));
    };
    let content = version.join(content);
    let directory = content.parent().unwrap_or(version);
    std::fs::create_dir(directory)?;
    files::rename(finished, &content)?;
    made.push(directory.to_owned());
    Ok((made, Some(content)))
}

/// Writes an inventory and its sidecar into a directory. Returns the paths to sync.
pub(super) fn build_inventory(inventory: &Inventory, directory: &Path) -> io::Result<Vec<PathBuf>> {
    let bytes = inventory.to_bytes()?;
    let (inventory, sidecar) = (directory.join(INVENTORY), directory.join(SIDECAR));
    std::fs::write(&inventory, &bytes)?;
    std::fs::write(&sidecar, sidecar_of(&bytes))?;
    Ok(vec![inventory, sidecar, directory.to_owned()])
}

/// Links the inventory of a version and its sidecar into another directory. Both never change, and a hard link costs
/// less than a file. Where the file system has no hard links, it copies them. Returns the copies, which must be synced.
///
/// # Errors
/// What the disk refuses.
pub(super) fn repeat_inventory(version: &Path, directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut made = Vec::new();
    for name in [INVENTORY, SIDECAR] {
        let (own, second) = (version.join(name), directory.join(name));
        if std::fs::hard_link(&own, &second).is_err() {
            regular_file::copy(&own, &second)?;
            made.push(second);
        }
    }
    Ok(made)
}
