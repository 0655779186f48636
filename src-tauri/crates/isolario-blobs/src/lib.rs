//! All file bytes: stage, place, read, remove, sweep. No other crate opens a data file.
//!
//! Bytes are written to `staging/` and then placed under a name that never existed before. They never change again.
//! Public files lie in a plain tree, those of the repository scheme in OCFL objects. The database says which blob is
//! which version of which file. Bytes that no live file uses move from the public tree to `files/retired/`. A purge
//! removes them.
//!
//! Of a repository with a bucket, new bytes go from `staging/` into the bucket (`in_bucket`), and never move there.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod beside;
mod blob_location;
mod bounds;
mod cache;
mod checksum;
mod disk;
mod disk_entry;
mod disk_name;
mod disk_space;
mod early_upload;
mod file_listing;
mod in_bucket;
mod in_flight;
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
mod stage;
mod stage_error;
mod stored_files;
mod sweep;
mod syncs;
mod tile_cache;
mod tree;
mod verify;

use isolario_model::content::file_url;
use std::path::Path;

pub use blob_location::BlobLocation;
pub use checksum::{Algorithm, Checksum};
pub use disk_entry::{DiskEntry, DiskVisitor};
pub use disk_name::portable_name;
pub use disk_space::{DiskSpace, disk_space};
pub use file_listing::PendingUploads;
pub use in_bucket::{BucketStatus, IN_BUCKET, ObjectVersion};
pub use ocfl::{ObjectReport, Signature};
pub use partial::{Append, AppendResult, Sums};
pub use place::{Deposit, Destination, PlacedBlob};
pub use read::OpenBlob;
pub use retire::retired_name;
pub use stage::StagedBlob;
pub use stage_error::StageError;
pub use stored_files::StoredFile;
pub use verify::{FileDigest, checksum_of, compared, digest_of_file};

use isolario_config::Config;
use isolario_model::content::FileUri;

/// Name of the file of notes.
const UNSETTLED: &str = "unsettled";

/// Name of the file of the reserve.
const RESERVE: &str = "reserve";

/// Name of the directory of tiles.
const TILES: &str = "tiles";

/// The bytes of one repository. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    tree: tree::Tree,
    objects: ocfl::StorageRoot,
    staging: std::path::PathBuf,
    /// The cache of tiles.
    tiles: std::path::PathBuf,
    uploads: std::path::PathBuf,
    /// Where new bytes go, if not into the trees.
    store: Option<in_bucket::Store>,
    schemes: [String; 2],
    bounds: bounds::Bounds,
    syncs: syncs::Syncs,
    unsettled: notes::Notes,
    /// Disk space for deletions.
    reserve: reserve::Reserve,
    /// Held while intents are carried out.
    relocating: std::sync::Arc<tokio::sync::Mutex<()>>,
    /// Locked for reading while a blob must not move, and for writing while one moves.
    places: std::sync::Arc<tokio::sync::RwLock<()>>,
}

impl Blobs {
    /// Opens the bytes below a data directory. Makes the directories that are missing: `staging/`, `uploads/`, `files/`
    /// with the public tree, and `ocfl/`. Staging lies on the same disk, so a blob is placed by a rename. The caller
    /// syncs the data directory.
    ///
    /// # Errors
    /// What the disk refuses; `InvalidData` when `ocfl/` is a storage root of another layout.
    pub fn open(data_directory: &Path, config: &Config) -> std::io::Result<Blobs> {
        let staging = data_directory.join("staging");
        let uploads = data_directory.join("uploads");
        std::fs::create_dir_all(&staging)?;
        std::fs::create_dir_all(&uploads)?;
        let tiles = data_directory.join(TILES);
        std::fs::create_dir_all(&tiles)?;
        let syncs = syncs::Syncs::default();
        Ok(Blobs {
            reserve: reserve::Reserve::at(data_directory.join(RESERVE)),
            tree: tree::Tree::open(&data_directory.join("files"), file_url::PUBLIC, &syncs)?,
            objects: ocfl::StorageRoot::open(&data_directory.join("ocfl"), &staging, &syncs)?,
            staging,
            tiles,
            uploads,
            store: store_of(data_directory, config)?,
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

    /// The bytes below a data directory, for reading. It makes no directory.
    ///
    /// # Errors
    /// `InvalidInput` in words, when the rules of its bucket are wrong.
    pub fn inspect(data_directory: &Path, config: &Config) -> std::io::Result<Blobs> {
        let staging = data_directory.join("staging");
        let syncs = syncs::Syncs::default();
        Ok(Blobs {
            reserve: reserve::Reserve::at(data_directory.join(RESERVE)),
            tree: tree::Tree::at(&data_directory.join("files"), &syncs),
            objects: ocfl::StorageRoot::at(&data_directory.join("ocfl"), &staging, &syncs),
            staging,
            tiles: data_directory.join(TILES),
            uploads: data_directory.join("uploads"),
            store: store_of(data_directory, config)?,
            schemes: [
                file_url::PUBLIC.to_owned(),
                config.repository_scheme.clone(),
            ],
            bounds: bounds::Bounds::new(&config.limits),
            syncs,
            unsettled: notes::Notes::at(&data_directory.join(UNSETTLED)),
            relocating: std::sync::Arc::default(),
            places: std::sync::Arc::default(),
        })
    }

    fn data_directory(&self) -> &Path {
        self.staging.parent().unwrap_or(Path::new(""))
    }

    /// Bytes that uploads may still use; `None` where the disk does not tell.
    #[must_use]
    pub fn space_for_uploads(&self) -> Option<u64> {
        self.bounds.available(&self.staging)
    }

    /// Reads the URI that a client names for a file.
    ///
    /// # Errors
    /// A sentence for the client: the rule that the name breaks.
    pub fn parse_uri(&self, text: &str) -> Result<FileUri, name::NameError> {
        let schemes = self.schemes.each_ref().map(String::as_str);
        name::parse(text, &schemes)
    }
}

fn store_of(data_directory: &Path, config: &Config) -> std::io::Result<Option<in_bucket::Store>> {
    let rules = config.bytes.as_ref();
    rules
        .map(|rules| in_bucket::Store::open(data_directory, rules))
        .transpose()
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
    use super::{BlobLocation, Blobs, Config, Deposit, Signature};
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
            location: BlobLocation {
                version,
                ..BlobLocation::new(FileUri::new(scheme, path))
            },
            signature: Signature {
                name: "admin".into(),
                address: None,
                message: "Stored".into(),
                at: 1_700_000_000,
            },
        }
    }
}
