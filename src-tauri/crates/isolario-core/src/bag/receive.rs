//! Takes a bag that is sent as a ZIP. It waits in `imports/` while it is read.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tempfile::{NamedTempFile, TempPath};
use tokio::task::spawn_blocking;

use crate::actions::Refusal;
use crate::actions::batches::IMPORT_FOLDER;
use crate::repository::Repository;
use isolario_disk::durable::sync_directory;

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
/// `Malformed` where the stream breaks off; what the disk refuses.
pub async fn receive_bag<E: Display>(
    repository: &Repository,
    mut chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<StagedBag, Refusal> {
    let folder = repository.directory.join(IMPORT_FOLDER);
    let begin = folder.clone();
    let mut file = on_disk(move || {
        std::fs::create_dir_all(&begin)?;
        NamedTempFile::new_in(&begin)
    })
    .await?;
    while let Some(chunk) = chunks.next().await {
        let broken = |error| Refusal::Malformed(format!("The body broke off: {error}."));
        let chunk = chunk.map_err(broken)?;
        file = on_disk(move || file.write_all(&chunk).map(|()| file)).await?;
    }
    // A batch that goes on after a power cut reads it again.
    let kept = on_disk(move || {
        file.as_file().sync_all()?;
        sync_directory(&folder)?;
        Ok(file.into_temp_path())
    });
    Ok(StagedBag(kept.await?))
}

async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Refusal> {
    let done = spawn_blocking(work).await;
    let done = done.map_err(|error| Refusal::Storage(error.to_string()))?;
    done.map_err(|error| Refusal::disk(&error))
}
