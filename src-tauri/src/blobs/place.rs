//! Staged bytes get their lasting name.

use std::io;
use std::path::PathBuf;

use super::{Blobs, Staged, name, on_disk};
use crate::content::FileUri;

/// Bytes under their lasting name. Nobody can see them until the database says so; a marker in
/// staging names them until then, so that a start after a crash can tell and clear up.
#[derive(Debug)]
#[must_use = "settle it after the commit, discard it when the commit was refused"]
pub struct Placed {
    /// Name of the bytes, as the database keeps it.
    pub blob: String,
    marker: PathBuf,
}

impl Blobs {
    /// Gives staged bytes a name that never existed before: the natural one for a first version, a
    /// numbered one for a replacement, a random one beside it if something has that name already.
    /// Bytes, names and directories are on disk when this returns.
    ///
    /// # Errors
    /// `NotADirectory` when a file stands where the path needs a directory; what else the disk refuses.
    pub async fn place(&self, staged: Staged, uri: &FileUri, version: i64) -> io::Result<Placed> {
        let blobs = self.clone();
        let path = match version {
            1 => uri.path.clone(),
            replacement => name::marked(&uri.path, &format!(".r{replacement}")),
        };
        let scheme = uri.scheme.clone();
        on_disk(move || match blobs.try_place(&staged, &scheme, &path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let random = uuid::Uuid::new_v4().simple().to_string();
                blobs.try_place(
                    &staged,
                    &scheme,
                    &name::marked(&path, &format!(".{random}")),
                )
            }
            outcome => outcome,
        })
        .await
    }

    fn try_place(&self, staged: &Staged, scheme: &str, path: &str) -> io::Result<Placed> {
        let blob = format!("{scheme}/{path}");
        // A symbolic link is made and filled in one step. It is never followed.
        let marker = staged.temporary.0.with_extension("place");
        std::os::unix::fs::symlink(&blob, &marker)?;
        match self.tree.adopt(&staged.temporary.0, &blob) {
            Ok(()) => Ok(Placed { blob, marker }),
            Err(error) => {
                std::fs::remove_file(&marker)?;
                Err(error)
            }
        }
    }

    /// After the commit: the bytes belong to a file.
    pub async fn settle(&self, placed: Placed) {
        let removed = on_disk(move || std::fs::remove_file(placed.marker)).await;
        if let Err(error) = removed {
            // Harmless: the next start finds the bytes in the database and removes it.
            tracing::warn!(%error, "the marker of a placed upload could not be removed");
        }
    }

    /// After a refused commit: nobody will ever know the bytes.
    pub async fn discard(&self, placed: Placed) {
        let tree = self.tree.clone();
        let removed = on_disk(move || {
            tree.remove(&placed.blob)?;
            std::fs::remove_file(placed.marker)
        });
        if let Err(error) = removed.await {
            tracing::warn!(%error, "a refused upload is removed at the next start");
        }
    }
}
