//! Takes a table that is sent. It is on disk while it is read.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tempfile::NamedTempFile;

use super::begin::FOLDER;
use super::row_file::RowFile;
use super::source::{SourceFormat, read_table};
use crate::actions::Refusal;
use crate::repository::Repository;

/// Bytes of a table.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a table of this name from a stream.
///
/// # Errors
/// `Invalid` for what is no table, `TooLarge`, `Malformed` where the stream breaks off; what the disk refuses.
pub async fn receive_table<E: Display>(
    repository: &Repository,
    name: &str,
    chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<RowFile, Refusal> {
    let format = SourceFormat::of_name(name)?;
    let folder = repository.directory.join(FOLDER);
    let file = receive_file(&folder, MOST_BYTES, chunks).await?;
    on_disk(move || read_table(file.path(), format, &folder)).await?
}

/// Writes a stream of at most so many bytes to a file that is removed when it was read.
///
/// # Errors
/// `TooLarge`, `Malformed` where the stream breaks off; what the disk refuses.
pub(super) async fn receive_file<E: Display>(
    folder: &Path,
    most: u64,
    mut chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<NamedTempFile, Refusal> {
    let disk = |error: io::Error| Refusal::disk(&error);
    std::fs::create_dir_all(folder).map_err(disk)?;
    let mut file = NamedTempFile::new_in(folder).map_err(disk)?;
    let mut size = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk =
            chunk.map_err(|error| Refusal::Malformed(format!("The body broke off: {error}.")))?;
        size += chunk.len() as u64;
        if size > most {
            return Err(Refusal::TooLarge(format!(
                "The file may not be larger than {most} bytes."
            )));
        }
        let written = on_disk(move || file.write_all(&chunk).map(|()| file)).await?;
        file = written.map_err(disk)?;
    }
    Ok(file)
}

async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Refusal::Storage(error.to_string()))
}
