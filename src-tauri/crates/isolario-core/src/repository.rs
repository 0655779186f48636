//! An open repository: its data directory, configuration, database, bytes and content model. Every origin uses it. The
//! program owns the background tasks.

mod current_model;
mod search_state;
mod signal;
mod tile_jobs;
mod upload_locks;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::container::Crc32Cache;
use isolario_auth::authenticator::Authenticator;
use isolario_blobs::Blobs;
use isolario_config::Config;
use isolario_config::allowed_folders::AllowedFolders;
use isolario_db::{Db, DbError};
use isolario_model::content::ContentModel;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub use current_model::CurrentModel;
pub use search_state::{RebuildProgress, SearchState, SearchStatus};
pub use signal::Signal;
pub use tile_jobs::TileJobs;
pub use upload_locks::{ReceivedSums, UploadLock, UploadLocks};

/// An open repository. Shared by all channels.
pub struct Repository {
    pub directory: PathBuf,
    pub config: Config,
    pub db: Db,
    pub blobs: Blobs,
    pub(crate) current_model: CurrentModel,
    pub authenticator: Authenticator,
    /// The allowed folders.
    pub folders: AllowedFolders,
    /// Wakes the workers of derivatives, and notifies those who follow them.
    pub derivatives: Signal,
    /// Notifies those who follow batches.
    pub batches: Signal,
    /// The index of searches.
    pub search: SearchState,
    /// The jobs that make tiles.
    pub tile_jobs: TileJobs,
    /// Held while a page of a file is made into an item.
    pub page_turn: tokio::sync::Semaphore,
    /// Held while the item and the files of a page are stored, so that an undo meets no half of one.
    pub row_storing: tokio::sync::Mutex<()>,
    /// Held by the import that runs.
    pub import_turn: Arc<tokio::sync::Mutex<()>>,
    /// Held while the tables of OAI-PMH are brought up to date.
    pub(crate) harvest_turn: tokio::sync::Mutex<()>,
    /// The checksums that ZIPs tell of their files.
    pub checksums_in_zips: Crc32Cache,
    /// The locks of resumable uploads.
    pub uploading: UploadLocks,
    /// Cancelled when the program closes. It ends the responses that would never end.
    pub closing: CancellationToken,
    /// Held while bytes are moved from the disk into the bucket or back.
    pub(crate) moving_bytes: tokio::sync::Mutex<()>,
    /// Held while records are written, and by a backup until it has read them, so that they agree with its database.
    pub recording: Arc<tokio::sync::Mutex<()>>,
}

/// Lets all records be written, because a bucket has none of them yet.
///
/// # Errors
/// What the database refuses.
pub(crate) async fn make_records_due(db: &Db) -> std::io::Result<()> {
    let due = db.write(|write| write.record_everything()).await;
    due.map_err(|error: DbError| std::io::Error::other(error.to_string()))
}

impl Repository {
    /// Path of the data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The content model as it is now.
    pub fn model(&self) -> Arc<ContentModel> {
        self.current_model.get()
    }

    /// Tells when the content model changes.
    pub fn model_changes(&self) -> watch::Receiver<Arc<ContentModel>> {
        self.current_model.changes()
    }

    /// Replaces the content model. The index of searches follows.
    pub(crate) fn set_model(&self, model: ContentModel) {
        self.current_model.set(model);
        self.search.wake();
    }
}
