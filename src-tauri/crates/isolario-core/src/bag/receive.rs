//! Takes a bag that is sent as a ZIP. It waits in `imports/` while it is read.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::Stream;
use tempfile::{NamedTempFile, TempPath};
use tokio::task::spawn_blocking;

use crate::actions::Refusal;
use crate::actions::batches::IMPORT_FOLDER;
use crate::actions::ingest::unfit;
use crate::repository::Repository;
use isolario_disk::durable::sync_directory;
use isolario_platform::files;

/// A bag in `imports/`, which is removed unless it is kept.
#[derive(Debug)]
pub struct StagedBag(TempPath);

impl StagedBag {
    /// The name of its file.
    #[must_use]
    pub fn name(&self) -> PathBuf {
        self.0.file_name().unwrap_or_default().into()
    }

    /// From now on its batch removes it.
    pub fn keep(mut self) {
        self.0.disable_cleanup(true);
    }
}

/// Removes a bag of a batch that has ended. It is looked for again at the next start.
pub async fn remove_staged(repository: &Repository, name: &Path) {
    let place = repository.directory.join(IMPORT_FOLDER).join(name);
    let _ = tokio::fs::remove_file(place).await;
}

/// Writes a bag to the disk.
///
/// # Errors
/// `Malformed` where the stream breaks off, `TooLarge`, `TooSlow`, `Busy` as for uploads; what the disk refuses.
pub async fn receive_bag<E: Display>(
    repository: &Repository,
    chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<StagedBag, Refusal> {
    let folder = repository.directory.join(IMPORT_FOLDER);
    let staged = repository.blobs.stage(chunks, None, &[]).await;
    let staged = staged.map_err(|error| unfit(error, "Nothing was imported."))?;
    // A batch that goes on after a power cut reads it again.
    let keeping = spawn_blocking(move || {
        std::fs::create_dir_all(&folder)?;
        let bag = NamedTempFile::new_in(&folder)?.into_temp_path();
        staged.leave_at(&bag)?;
        files::sync_path(&bag)?;
        sync_directory(&folder)?;
        Ok(StagedBag(bag))
    });
    let kept = keeping.await;
    let kept = kept.map_err(|error| Refusal::Storage(error.to_string()))?;
    kept.map_err(|error: io::Error| Refusal::disk(&error))
}
