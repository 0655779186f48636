//! Recovers versions that a crash left between their renames or without a commit: finishes them or rolls them back.
//! Every step can be repeated after a crash in the middle of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::inventory::{INVENTORY, SIDECAR, VersionNumber, sidecar_of};
use super::object::repeat_inventory;
use super::{Location, StorageRoot};
use crate::disk::{Scratch, sync_directory};
use isolario_disk::regular_file;
use isolario_platform::files;

/// Name of the version or object that was rolled back, in its spare directory.
const WITHDRAWN: &str = "withdrawn";

impl StorageRoot {
    /// Ensures that the inventory of the object has a version that was committed.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(crate) fn finish(&self, location: &Location) -> io::Result<()> {
        let object = self.object(&location.id());
        match holds(&object, location.version) && !holds(&object, location.version.next()) {
            true => self.speak_for(location, location.version),
            false => Ok(()),
        }
    }

    /// Rolls back a version that was not committed; with the first version, the whole object. A version on which a later
    /// one was built stays, because versions never change. Returns whether the version was removed. It then lies in
    /// `spare`, which was made for this location. Because `spare` exists already, the rollback works on a full disk.
    ///
    /// # Errors
    /// What the disk refuses. The version is then still whole, or gone.
    pub(crate) fn take_back(&self, location: &Location, spare: &Scratch) -> io::Result<bool> {
        let object = self.object(&location.id());
        if holds(&object, location.version.next()) {
            return Ok(false);
        }
        match location.version.previous() {
            None => self.withdraw(&object, &spare.0)?,
            Some(previous) if holds(&object, location.version) => {
                self.speak_for_in(location, previous, spare)?;
                let version = object.join(location.version.to_string());
                self.withdraw(&version, &spare.0.join(WITHDRAWN))?;
            }
            Some(_) => {}
        }
        self.prune(&object)?;
        Ok(true)
    }

    /// The path in `spare` of the bytes of a version that was rolled back. `None` for a version whose bytes an earlier
    /// version has.
    pub(crate) fn withdrawn(location: &Location, spare: &Scratch) -> Option<PathBuf> {
        let own = location
            .content
            .strip_prefix(&format!("{}/", location.version))?;
        Some(match location.version.previous() {
            None => spare.0.join(&location.content),
            Some(_) => spare.0.join(WITHDRAWN).join(own),
        })
    }

    /// Removes a whole object, all its versions with it. One that is not there is removed already.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(crate) fn erase(&self, location: &Location) -> io::Result<()> {
        let object = self.object(&location.id());
        // It keeps its own name, because a full disk may have no space for a directory around it.
        let gone = Scratch(self.scratch_path());
        self.withdraw(&object, &gone.0)?;
        self.prune(&object)
    }

    /// Makes the inventory of a version that of the object.
    fn speak_for(&self, location: &Location, version: VersionNumber) -> io::Result<()> {
        self.speak_for_in(location, version, &self.scratch()?)
    }

    fn speak_for_in(
        &self,
        location: &Location,
        version: VersionNumber,
        built: &Scratch,
    ) -> io::Result<()> {
        let object = self.object(&location.id());
        let own = object.join(version.to_string());
        let bytes = regular_file::read(&own.join(INVENTORY))?;
        let speaks = regular_file::read(&object.join(INVENTORY)).is_ok_and(|found| found == bytes)
            && regular_file::read_to_string(&object.join(SIDECAR))
                .is_ok_and(|found| found == sidecar_of(&bytes));
        if speaks {
            return Ok(());
        }
        let copies = repeat_inventory(&own, &built.0)?;
        if !copies.is_empty() {
            self.syncs.sync_together(copies)?;
        }
        self.publish_inventory(location, built)
    }

    /// Removes a directory by one rename, to a place in staging.
    fn withdraw(&self, directory: &Path, to: &Path) -> io::Result<()> {
        match files::rename(directory, to) {
            Ok(()) => sync_directory(directory.parent().unwrap_or(&self.root)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Removes the directories above an object that it leaves empty: a root may hold none.
    fn prune(&self, object: &Path) -> io::Result<()> {
        let hierarchy = self.hierarchy.write();
        let alone = hierarchy.unwrap_or_else(PoisonError::into_inner);
        let above = object.ancestors().skip(1);
        for directory in above.take_while(|directory| *directory != self.root) {
            let removed = std::fs::remove_dir(directory);
            if removed.is_err() {
                break;
            }
            alone.forget(directory);
            sync_directory(directory.parent().unwrap_or(&self.root))?;
        }
        Ok(())
    }
}

fn holds(object: &Path, version: VersionNumber) -> bool {
    object.join(version.to_string()).is_dir()
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::digest;
    use uuid::Uuid;

    use super::super::Signature;
    use super::super::inventory::Inventory;
    use super::super::object::{Addition, build_inventory, build_version};
    use super::*;

    /// A storage root with one object, and what happens to it.
    struct Scene {
        disk: tempfile::TempDir,
        root: StorageRoot,
        file: Uuid,
    }

    impl Scene {
        /// An object with one version.
        fn new() -> Scene {
            let disk = tempfile::tempdir().unwrap();
            let staging = disk.path().join("staging");
            std::fs::create_dir(&staging).unwrap();
            let root = StorageRoot::open(&disk.path().join("ocfl"), &staging, &Default::default())
                .unwrap();
            let scene = Scene {
                disk,
                root,
                file: Uuid::new_v4(),
            };
            scene.add("one");
            scene
        }

        fn plan(&self, bytes: &str) -> Addition {
            let signature = Signature {
                name: "admin".into(),
                address: None,
                message: "Stored".into(),
                at: 0,
            };
            let digest = digest::digest(&digest::SHA512, bytes.as_bytes());
            let sha512 = hex::encode(digest);
            let plan = self.root.plan(self.file, &sha512, "dir/a.txt", &signature);
            plan.unwrap()
        }

        fn finished(&self, bytes: &str) -> PathBuf {
            let path = self.disk.path().join("staging/finished");
            std::fs::write(&path, bytes).unwrap();
            path
        }

        fn add(&self, bytes: &str) -> Location {
            let addition = self.plan(bytes);
            let built = self.root.build(&addition, &self.finished(bytes)).unwrap();
            self.root.publish(&addition.location, &built).unwrap();
            addition.location
        }

        /// Takes only the first renames of a new version.
        fn add_until(&self, bytes: &str, renames: usize) -> Location {
            let addition = self.plan(bytes);
            let (built, inventory) = (self.root.scratch().unwrap(), self.root.scratch().unwrap());
            build_version(&addition, &self.finished(bytes), &built.0).unwrap();
            build_inventory(&addition.inventory, &inventory.0).unwrap();
            let object = self.object();
            if renames > 0 {
                self.root
                    .publish_version(&addition.location, &built)
                    .unwrap();
            }
            for name in [INVENTORY, SIDECAR].iter().take(renames.saturating_sub(1)) {
                files::rename(inventory.0.join(name), object.join(name)).unwrap();
            }
            addition.location
        }

        fn take_back(&self, location: &Location) -> bool {
            let spare = self.root.scratch().unwrap();
            self.root.take_back(location, &spare).unwrap()
        }

        fn object(&self) -> PathBuf {
            self.root.object(&format!("urn:uuid:{}", self.file))
        }

        /// Everything below the object with its content, in order.
        fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
            let mut found = Vec::new();
            let mut open = vec![self.object()];
            while let Some(path) = open.pop() {
                match path.is_dir() {
                    true => {
                        open.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()))
                    }
                    false => found.push((path.clone(), std::fs::read(&path).unwrap())),
                }
            }
            found.sort();
            found
        }

        fn inventory(&self) -> Inventory {
            let read = |name| std::fs::read(self.object().join(name)).unwrap();
            Inventory::read(&read(INVENTORY), &read(SIDECAR)).unwrap()
        }
    }

    #[test]
    fn versions_stay_and_bytes_are_kept_once() {
        let scene = Scene::new();
        let second = scene.add("two");
        let before = scene.everything();
        let third = scene.add("one");
        assert_eq!(std::fs::read(scene.root.locate(&second)).unwrap(), b"two");
        assert_eq!(std::fs::read(scene.root.locate(&third)).unwrap(), b"one");
        assert_eq!(third.content, "v1/content/a.txt");
        assert!(!scene.object().join("v3/content").exists());
        let after = scene.everything();
        for (path, bytes) in before {
            let own = path.parent() != Some(&scene.object());
            assert!(!own || after.contains(&(path, bytes)));
        }
    }

    #[test]
    fn the_same_bytes_are_kept_again_where_they_were_lost_or_damaged() {
        for damage in [None, Some("on"), Some("One")] {
            let scene = Scene::new();
            let first = scene.object().join("v1/content/a.txt");
            match damage {
                Some(bytes) => std::fs::write(&first, bytes).unwrap(),
                None => std::fs::remove_file(&first).unwrap(),
            }
            let second = scene.add("one");
            assert_eq!(second.content, "v2/content/a.txt");
            assert_eq!(scene.add("one").content, "v2/content/a.txt");
            assert_eq!(std::fs::read(scene.root.locate(&second)).unwrap(), b"one");
        }
    }

    #[test]
    fn a_version_nobody_knows_is_taken_back_from_between_any_renames() {
        for renames in 0..=3 {
            let scene = Scene::new();
            let before = scene.everything();
            let location = scene.add_until("two", renames);
            assert!(scene.take_back(&location));
            assert_eq!(scene.everything(), before, "{renames} renames");
            assert!(scene.take_back(&location), "again");
            assert_eq!(scene.everything(), before, "{renames} renames");
            assert_eq!(scene.add("two"), location);
        }
    }

    #[test]
    fn a_version_that_is_known_is_finished_from_between_any_renames() {
        for renames in 1..=3 {
            let scene = Scene::new();
            let location = scene.add_until("two", renames);
            scene.root.finish(&location).unwrap();
            scene.root.finish(&location).unwrap();
            assert_eq!(scene.inventory().head.to_string(), "v2");
            assert_eq!(std::fs::read(scene.root.locate(&location)).unwrap(), b"two");
            assert_eq!(scene.add("three").version.to_string(), "v3");
        }
    }

    #[test]
    fn a_taking_back_that_was_cut_short_is_taken_up_again() {
        let scene = Scene::new();
        let before = scene.everything();
        let location = scene.add("two");
        scene
            .root
            .speak_for(&location, VersionNumber::FIRST)
            .unwrap();
        assert!(scene.take_back(&location));
        assert_eq!(scene.everything(), before);
    }

    #[test]
    fn an_object_that_nobody_knows_goes_with_its_directories() {
        let scene = Scene::new();
        let other = Uuid::new_v4();
        let location = Location {
            object: other,
            version: VersionNumber::FIRST,
            content: "v1/content/a".into(),
        };
        let above = scene.root.object(&location.id());
        let above = above.parent().unwrap().to_owned();
        let shared = above.exists();
        std::fs::create_dir_all(&above).unwrap();
        assert!(scene.take_back(&location));
        assert_eq!(above.exists(), shared);

        let location = scene.plan("two").location;
        let first = Location {
            version: VersionNumber::FIRST,
            ..location
        };
        assert!(scene.take_back(&first));
        let mut left: Vec<_> = scene.root.root.read_dir().unwrap().collect();
        left.retain(|entry| entry.as_ref().unwrap().path().is_dir());
        assert_eq!(left.len(), 1, "only the extensions: {left:?}");
    }

    #[test]
    fn a_version_that_another_was_built_on_stays() {
        let scene = Scene::new();
        let second = scene.add("two");
        scene.add("three");
        let before = scene.everything();
        assert!(!scene.take_back(&second));
        scene.root.finish(&second).unwrap();
        assert_eq!(scene.everything(), before);
    }

    #[test]
    fn nothing_is_built_on_a_damaged_object() {
        let scene = Scene::new();
        let path = scene.object().join(INVENTORY);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.push(b'\n');
        std::fs::write(&path, bytes).unwrap();
        let signature = Signature {
            name: String::new(),
            address: None,
            message: String::new(),
            at: 0,
        };
        let plan = scene.root.plan(scene.file, "two", "a.txt", &signature);
        assert_eq!(plan.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
