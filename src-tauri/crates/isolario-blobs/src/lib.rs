//! All file bytes: stage, place, read, remove, sweep. No other crate opens a data file.
//!
//! Bytes arrive in `staging/`, are placed once under a name that never existed before, and are never
//! written to again: public files in a plain tree, those of the repository in OCFL objects. The
//! database says which blob is which version of which file. Bytes that no live file shows any more
//! leave the public tree for `files/retired/`, and are removed when the trash is emptied.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod bounds;
mod checksum;
mod disk;
mod disk_entry;
mod intake;
pub mod local_copy;
pub mod local_source;
pub mod name;
mod notes;
mod ocfl;
mod partial;
mod place;
mod read;
mod reserve;
mod restage;
mod retire;
mod room;
mod stage;
mod stored_files;
mod survey;
mod sweep;
mod syncs;
mod tree;
mod verify;

use isolario_model::content::file_url;
use std::path::Path;

pub use checksum::{Algorithm, Checksum};
pub use disk_entry::{DiskEntry, DiskVisitor};
pub use ocfl::ObjectReport;
pub use partial::{Append, AppendResult, Sums};
pub use place::{Deposit, PlacedBlob, Signature};
pub use read::OpenBlob;
pub use retire::retired_name;
pub use room::{Room, room};
pub use stage::{StageError, StagedBlob};
pub use stored_files::StoredFile;
pub use survey::PendingUploads;
pub use verify::{FileDigest, compared};

use isolario_config::Config;
use isolario_model::content::FileUri;

/// Name of the file that notes what is being placed.
const UNSETTLED: &str = "unsettled";

/// Name of the file that keeps room back.
const RESERVE: &str = "reserve";

/// The bytes of one repository. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    tree: tree::Tree,
    objects: ocfl::StorageRoot,
    staging: std::path::PathBuf,
    uploads: std::path::PathBuf,
    schemes: [String; 2],
    bounds: bounds::Bounds,
    syncs: syncs::Syncs,
    unsettled: notes::Notes,
    /// Room that is kept back for deleting.
    reserve: reserve::Reserve,
    /// Held by whoever carries out what is intended with bytes.
    relocating: std::sync::Arc<tokio::sync::Mutex<()>>,
    /// Read by those for whom bytes have to stay where they are, written by whoever moves them.
    places: std::sync::Arc<tokio::sync::RwLock<()>>,
}

impl Blobs {
    /// Opens the bytes below a data directory, making what is missing: `staging/` and
    /// `uploads/`, `files/` with the public tree, and `ocfl/`. Staging lies on the same disk, so placing is a rename.
    /// Whoever opens them brings the names in the data directory to the disk.
    ///
    /// # Errors
    /// What the disk refuses; `InvalidData` when `ocfl/` is a storage root of another layout.
    pub fn open(data_directory: &Path, config: &Config) -> std::io::Result<Blobs> {
        let staging = data_directory.join("staging");
        let uploads = data_directory.join("uploads");
        std::fs::create_dir_all(&staging)?;
        std::fs::create_dir_all(&uploads)?;
        let syncs = syncs::Syncs::default();
        Ok(Blobs {
            reserve: reserve::Reserve::at(data_directory.join(RESERVE)),
            tree: tree::Tree::open(&data_directory.join("files"), file_url::PUBLIC, &syncs)?,
            objects: ocfl::StorageRoot::open(&data_directory.join("ocfl"), &staging, &syncs)?,
            staging,
            uploads,
            schemes: [
                file_url::PUBLIC.to_owned(),
                config.repository_scheme.clone(),
            ],
            bounds: bounds::Bounds::new(&config.limits),
            syncs,
            unsettled: notes::Notes::open(&data_directory.join(UNSETTLED))?,
            relocating: std::sync::Arc::default(),
            places: std::sync::Arc::default(),
        })
    }

    /// The bytes below a data directory as they are, to look at them: nothing is made.
    pub fn inspect(data_directory: &Path, config: &Config) -> Blobs {
        let staging = data_directory.join("staging");
        let syncs = syncs::Syncs::default();
        Blobs {
            reserve: reserve::Reserve::at(data_directory.join(RESERVE)),
            tree: tree::Tree::at(&data_directory.join("files"), &syncs),
            objects: ocfl::StorageRoot::at(&data_directory.join("ocfl"), &staging, &syncs),
            staging,
            uploads: data_directory.join("uploads"),
            schemes: [
                file_url::PUBLIC.to_owned(),
                config.repository_scheme.clone(),
            ],
            bounds: bounds::Bounds::new(&config.limits),
            syncs,
            unsettled: notes::Notes::at(&data_directory.join(UNSETTLED)),
            relocating: std::sync::Arc::default(),
            places: std::sync::Arc::default(),
        }
    }

    /// Reads the address a client wants for a file.
    ///
    /// # Errors
    /// A sentence for the client that says which rule the name breaks.
    pub fn parse_uri(&self, text: &str) -> Result<FileUri, name::NameError> {
        let schemes = self.schemes.each_ref().map(String::as_str);
        name::parse(text, &schemes)
    }
}

/// Runs work on the disk off the async threads.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    joined(tokio::task::spawn_blocking(work)).await
}

async fn joined<T>(
    task: impl Future<Output = Result<std::io::Result<T>, tokio::task::JoinError>>,
) -> std::io::Result<T> {
    match task.await {
        Ok(outcome) => outcome,
        Err(error) => Err(std::io::Error::other(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Blobs, Config, Deposit, Signature};
    use isolario_model::content::FileUri;

    /// No bytes yet, on a disk of their own.
    pub(super) fn blobs() -> (tempfile::TempDir, Blobs) {
        let disk = tempfile::tempdir().expect("a temporary directory");
        let blobs = Blobs::open(disk.path(), &Config::default()).expect("a fresh directory");
        (disk, blobs)
    }

    /// Bytes for a file of their own.
    pub(super) fn deposit(scheme: &str, path: &str, version: i64) -> Deposit {
        Deposit {
            uuid: uuid::Uuid::new_v4(),
            uri: FileUri::new(scheme, path),
            version,
            replaced: None,
            signature: Signature {
                name: "admin".into(),
                address: None,
                message: "Stored".into(),
                at: 1_700_000_000,
            },
        }
    }
}
