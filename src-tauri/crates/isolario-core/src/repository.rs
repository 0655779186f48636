//! One open repository: its data directory, configuration, database, bytes and content model. Every channel works on
//! this; what runs beside it belongs to the program.

mod signal;
mod upload_locks;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isolario_auth::authenticator::Authenticator;
use isolario_blobs::Blobs;
use isolario_config::Config;
use isolario_config::allowed_folders::AllowedFolders;
use isolario_db::Db;
use isolario_model::content::ContentModel;
use tokio_util::sync::CancellationToken;

pub use signal::Signal;
pub use upload_locks::{ReceivedSums, UploadLock, UploadLocks};

/// An open repository. Shared by all channels.
pub struct Repository {
    pub directory: PathBuf,
    pub config: Config,
    pub db: Db,
    pub blobs: Blobs,
    pub model: Arc<ContentModel>,
    pub authenticator: Authenticator,
    /// Folders of this machine that HTTP may name.
    pub folders: AllowedFolders,
    /// Wakes who makes derivatives, and tells who looks at them.
    pub derivatives: Signal,
    /// Which request goes on with which resumable upload.
    pub uploading: UploadLocks,
    /// Cancelled when the program is about to close; answers that would never end, end then.
    pub closing: CancellationToken,
    /// Held by whoever writes records, and by a backup until it has read them: they are of one moment with its database.
    pub recording: Arc<tokio::sync::Mutex<()>>,
}

impl Repository {
    /// Path of the data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}
