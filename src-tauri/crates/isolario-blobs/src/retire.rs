//! Moves blobs that no live file uses out of the public tree, to `retired/`, each into a directory of its own. After a
//! crash, a move or removal can be repeated.

use isolario_model::content::file_url;
use std::io;
use std::path::Path;

use tokio::sync::{OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard};

use super::disk::sync_directory;
use super::ocfl::Location;
use super::{Blobs, name, on_disk};
use isolario_disk::durable::above;
use isolario_model::content::FileUri;
use isolario_platform::files::{self, identity_at};

/// The lock under which blobs are moved and removed.
pub struct RelocationGuard {
    _alone: OwnedMutexGuard<()>,
    _moving: OwnedRwLockWriteGuard<()>,
}

/// The tree beside the public one.
const RETIRED: &str = "retired";

/// The name of a blob after its file was deleted; `None` if it stays. The name is unique forever.
pub fn retired_name(blob: &str) -> Option<String> {
    let path = blob.strip_prefix(file_url::PUBLIC)?.strip_prefix('/')?;
    let basename = path.rsplit('/').next().unwrap_or(path);
    let own = uuid::Uuid::new_v4().simple();
    Some(format!("{RETIRED}/{own}/{basename}"))
}

impl Blobs {
    /// Waits until nobody else moves or removes blobs; `None` while blobs must stay.
    pub async fn relocating(&self) -> Option<RelocationGuard> {
        let alone = self.relocating.clone().lock_owned().await;
        let moving = self.places.clone().try_write_owned().ok()?;
        Some(RelocationGuard {
            _alone: alone,
            _moving: moving,
        })
    }

    /// Keeps all blobs where they are until the guard is dropped. The caller then carries out the intents that waited.
    pub async fn staying(&self) -> OwnedRwLockReadGuard<()> {
        self.places.clone().read_owned().await
    }

    /// The name of a retired blob that a live file uses again; `None` if it stays.
    pub fn revived_name(&self, blob: &str, uri: &FileUri, version: i64) -> Option<String> {
        blob.strip_prefix(RETIRED)?.strip_prefix('/')?;
        let natural = format!(
            "{}/{}",
            file_url::PUBLIC,
            name::of_version(&uri.path, version)
        );
        let free = self.tree.locate(&natural).is_ok_and(|path| !path.exists());
        Some(match free {
            true => natural,
            false => {
                let random = uuid::Uuid::new_v4().simple();
                name::marked(&natural, &format!(".{random}"))
            }
        })
    }

    /// Moves a blob, or finishes a move that a crash interrupted. Readers that have it open can read on.
    ///
    /// # Errors
    /// `NotFound` when the blob has neither name, `AlreadyExists` when another one has the new name;
    /// what else the disk refuses.
    pub async fn move_blob(&self, blob: &str, target: &str) -> io::Result<()> {
        let (from, to) = (self.tree.locate(blob)?, self.tree.locate(target)?);
        let tree = self.tree.clone();
        on_disk(move || {
            tree.make_parent(&to)?;
            carry(&from, &to)?;
            remove_own_directory(&from)
        })
        .await
    }

    /// Removes a blob of a tree, or the whole object of a file.
    ///
    /// # Errors
    /// What the disk or the bucket refuses.
    pub async fn erase(&self, blob: &str) -> io::Result<()> {
        if Blobs::is_in_bucket(blob) {
            return self.purge_in_bucket(blob).await;
        }
        let blobs = self.clone();
        let Some(location) = Location::parse(blob) else {
            let blob = blob.to_owned();
            return on_disk(move || {
                let path = blobs.tree.locate(&blob)?;
                if path.exists() {
                    blobs.tree.remove(&blob)?;
                }
                remove_own_directory(&path)
            })
            .await;
        };
        let turn = self.objects.turn(location.file()).await;
        on_disk(move || {
            let _turn = turn;
            blobs.objects.erase(&location)
        })
        .await
    }
}

/// Renames a file, unless another one has the new name. The new name is on disk before the old one is removed.
fn carry(from: &Path, to: &Path) -> io::Result<()> {
    give_name(from, to)?;
    sync_directory(above(to))?;
    match files::remove_file(from) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    match sync_directory(above(from)) {
        // Its own directory was removed before a crash.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// Gives a file a second name, unless it has it already.
fn give_name(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => {
            match to.exists() {
                true => Ok(()),
                false => Err(error),
            }
        }
        Err(error) if to.exists() => match is_same_file(from, to)? {
            true => Ok(()),
            false => Err(error),
        },
        // Some file systems know no second name for a file.
        Err(_) => files::rename(from, to),
    }
}

fn is_same_file(one: &Path, other: &Path) -> io::Result<bool> {
    Ok(identity_at(one)? == identity_at(other)?)
}

/// Removes the directory of a retired blob.
fn remove_own_directory(blob: &Path) -> io::Result<()> {
    let Some(own) = blob.parent() else {
        return Ok(());
    };
    if own.parent().and_then(Path::file_name) != Some(RETIRED.as_ref()) {
        return Ok(());
    }
    match std::fs::remove_dir(own) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) => Ok(()),
        Ok(()) => sync_directory(own.parent().unwrap_or(own)),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::stream;

    use super::super::tests::{blobs, deposit};
    use super::*;

    async fn placed(blobs: &Blobs, scheme: &str, path: &str) -> String {
        let body = stream::iter([Ok::<_, String>(Bytes::from_static(b"bytes"))]);
        let staged = blobs.stage(body, None, &[]).await.unwrap();
        let placed = blobs
            .place(staged, &deposit(scheme, path, 1))
            .await
            .unwrap();
        let blob = placed.blob.clone();
        blobs.settle(placed).await;
        blob
    }

    #[tokio::test]
    async fn a_move_cut_short_at_any_point_is_finished() {
        let (disk, blobs) = blobs();
        for step in ["not begun", "linked", "renamed"] {
            let blob = placed(&blobs, "public", &format!("up/{step}.txt")).await;
            let target = retired_name(&blob).unwrap();
            let path = |name: &str| disk.path().join("files").join(name);
            if step != "not begun" {
                std::fs::create_dir_all(path(&target).parent().unwrap()).unwrap();
                std::fs::hard_link(path(&blob), path(&target)).unwrap();
            }
            if step == "renamed" {
                std::fs::remove_file(path(&blob)).unwrap();
            }
            blobs.move_blob(&blob, &target).await.unwrap();
            assert!(!path(&blob).exists(), "{step}");
            assert_eq!(std::fs::read(path(&target)).unwrap(), b"bytes", "{step}");
            for _ in ["moved", "not noted yet"] {
                blobs.move_blob(&target, &blob).await.unwrap();
            }
            assert!(path(&blob).exists() && !path(&target).parent().unwrap().exists());
        }
    }

    #[tokio::test]
    async fn nothing_is_moved_over_another() {
        let (_disk, blobs) = blobs();
        let one = placed(&blobs, "public", "one.txt").await;
        let other = placed(&blobs, "public", "other.txt").await;
        let error = blobs.move_blob(&one, &other).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        let lost = blobs
            .move_blob("public/none.txt", "retired/a/none.txt")
            .await;
        assert_eq!(lost.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[tokio::test]
    async fn erased_bytes_leave_nothing_and_can_be_erased_again() {
        let (disk, blobs) = blobs();
        let public = placed(&blobs, "public", "a.txt").await;
        let retired = retired_name(&public).unwrap();
        blobs.move_blob(&public, &retired).await.unwrap();
        let object = placed(&blobs, "fedora", "a.txt").await;
        assert_eq!(retired_name(&object), None);
        for blob in [&retired, &object, &retired, &object] {
            blobs.erase(blob).await.unwrap();
            assert!(blobs.open_blob(blob).await.is_err());
        }
        let left = disk.path().join("files/retired").read_dir().unwrap();
        assert_eq!(left.count(), 0);
    }
}
