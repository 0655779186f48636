//! Plain trees of files, below one directory. A blob is named by its tree and its path in it.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::disk::{DurableDirectories, make_directory, sync_directory};
use super::syncs::Syncs;
use isolario_platform::files;

/// The trees.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    root: PathBuf,
    directories: Arc<DurableDirectories>,
    syncs: Syncs,
}

impl Tree {
    /// Opens the trees below `root`, making the named one if it is missing.
    pub(super) fn open(root: &Path, name: &str, syncs: &Syncs) -> io::Result<Tree> {
        std::fs::create_dir_all(root.join(name))?;
        Ok(Tree::at(root, syncs))
    }

    /// The trees below `root` as they are.
    pub(super) fn at(root: &Path, syncs: &Syncs) -> Tree {
        Tree {
            root: root.to_owned(),
            directories: Arc::default(),
            syncs: syncs.clone(),
        }
    }

    /// The directory above the trees.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The name of the blob at a path, if a blob can have this path.
    pub(super) fn name_of(&self, path: &Path) -> Option<String> {
        let name = Path::new(path.strip_prefix(&self.root).ok()?.to_str()?);
        let name = files::with_slashes(name);
        self.locate(&name).is_ok().then_some(name)
    }

    /// The path of a blob.
    pub(super) fn locate(&self, blob: &str) -> io::Result<PathBuf> {
        let relative = Path::new(blob);
        let inside = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        match inside && relative.components().count() > 1 {
            true => Ok(self.root.join(relative)),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not the name of a blob",
            )),
        }
    }

    /// Makes the directory of a file.
    pub(super) fn make_parent(&self, target: &Path) -> io::Result<()> {
        make_directory(target.parent().unwrap_or(&self.root))
    }

    /// Gives a finished file the name of a blob. The file may keep its former name too.
    ///
    /// # Errors
    /// `AlreadyExists` when anything has that name, because nothing is ever overwritten.
    pub(super) fn adopt(&self, finished: &Path, blob: &str) -> io::Result<()> {
        let target = self.locate(blob)?;
        let directory = target.parent().unwrap_or(&self.root);
        self.directories.make(directory, &self.root)?;
        name(finished, &target)?;
        let adopted = self.syncs.sync_names(directory);
        if adopted.is_err() {
            let _ = files::remove_file(&target);
        }
        adopted
    }

    /// Takes back a blob that was not committed.
    pub(super) fn take_back(&self, blob: &str, target: &Path) -> io::Result<()> {
        let place = self.locate(blob)?;
        match target.exists() {
            true => files::remove_file(&place)?,
            false => files::rename(&place, target)?,
        }
        sync_directory(place.parent().unwrap_or(&self.root))
    }

    /// Removes a blob, if it is there.
    pub(super) fn remove(&self, blob: &str) -> io::Result<()> {
        let target = self.locate(blob)?;
        match files::remove_file(&target) {
            Ok(()) => sync_directory(target.parent().unwrap_or(&self.root)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Removes the directories that a removed blob leaves empty. The caller ensures that nobody places a blob
    /// meanwhile.
    pub(super) fn prune(&self, blob: &str) -> io::Result<()> {
        let target = self.locate(blob)?;
        let above = target.ancestors().skip(1);
        for directory in above.take_while(|directory| directory.parent() != Some(&self.root)) {
            if std::fs::remove_dir(directory).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Gives a file a new name, unless another file has it. A rename alone would overwrite that file.
fn name(finished: &Path, target: &Path) -> io::Result<()> {
    match std::fs::hard_link(finished, target) {
        Err(error) if is_no_second_name(&error) => {
            // The name is claimed by a file of our own first.
            drop(File::create_new(target)?);
            files::rename(finished, target).inspect_err(|_| {
                let _ = files::remove_file(target);
            })
        }
        outcome => outcome,
    }
}

/// Whether the error may mean that the file system has no hard links, as FAT has none.
fn is_no_second_name(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported | io::ErrorKind::TooManyLinks
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> (tempfile::TempDir, Tree) {
        let disk = tempfile::tempdir().unwrap();
        let tree = Tree::open(&disk.path().join("files"), "public", &Syncs::default()).unwrap();
        (disk, tree)
    }

    fn finished(disk: &tempfile::TempDir, bytes: &[u8]) -> PathBuf {
        let path = disk.path().join("finished");
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn nothing_is_written_over() {
        let (disk, tree) = tree();
        let first = finished(&disk, b"one");
        tree.adopt(&first, "public/a/b.txt").unwrap();
        std::fs::remove_file(first).unwrap();
        let second = finished(&disk, b"two");
        let error = tree.adopt(&second, "public/a/b.txt").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(
            std::fs::read(tree.locate("public/a/b.txt").unwrap()).unwrap(),
            b"one"
        );
        assert!(second.exists());
        tree.take_back("public/a/b.txt", &second).unwrap();
        assert!(!tree.locate("public/a/b.txt").unwrap().exists() && second.exists());
    }

    #[test]
    fn a_file_is_no_directory() {
        let (disk, tree) = tree();
        tree.adopt(&finished(&disk, b"one"), "public/a.txt")
            .unwrap();
        let error = tree
            .adopt(&finished(&disk, b"two"), "public/a.txt/b.txt")
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn names_that_lead_out_are_no_blobs() {
        let (_disk, tree) = tree();
        for name in ["", "public", "../x/y", "/etc/passwd", "public/../../x"] {
            assert!(tree.locate(name).is_err(), "{name}");
        }
    }

    #[test]
    fn empty_directories_go_but_not_the_tree() {
        let (disk, tree) = tree();
        tree.adopt(&finished(&disk, b"one"), "public/a/b/c.txt")
            .unwrap();
        tree.remove("public/a/b/c.txt").unwrap();
        tree.prune("public/a/b/c.txt").unwrap();
        assert!(!disk.path().join("files/public/a").exists());
        assert!(disk.path().join("files/public").exists());
    }
}
