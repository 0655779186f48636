//! Takes a table that is sent or lies on this machine, alone or in a ZIP with the files of its rows.

use std::fmt::Display;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};

use super::begin::FOLDER;
use super::row_file::RowFile;
use super::source::{SourceFormat, read_rows};
use super::unpack::read_archive;
use crate::actions::Refusal;
use crate::actions::ingest::unfit;
use crate::repository::Repository;
use isolario_blobs::StagedBlob;
use isolario_disk::regular_file;

/// Bytes of a table without files.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a table that lies on this machine, or a ZIP with a table and the files of its rows. The rows wait in a folder.
///
/// # Errors
/// `Invalid` with a sentence for what is no table; `Missing` where it cannot be opened; what the disk refuses.
pub fn read_table(table: &Path, folder: &Path) -> Result<RowFile, Refusal> {
    let format = format_of(&table.to_string_lossy())?;
    let opened = regular_file::open(table).map_err(|error| {
        Refusal::Missing(format!("{} cannot be read: {error}.", table.display()))
    })?;
    std::fs::create_dir_all(folder).map_err(|error| Refusal::disk(&error))?;
    read_opened(opened, format, folder)
}

/// The format of a table by its name; `None` for a ZIP.
fn format_of(name: &str) -> Result<Option<SourceFormat>, Refusal> {
    match name.to_lowercase().ends_with(".zip") {
        true => Ok(None),
        false => SourceFormat::of_name(name).map(Some),
    }
}

fn read_opened(
    opened: File,
    format: Option<SourceFormat>,
    folder: &Path,
) -> Result<RowFile, Refusal> {
    match format {
        Some(format) => read_rows(opened, format, folder),
        None => read_archive(opened, folder),
    }
}

/// Reads a table of this name from a stream, or a ZIP with a table and the files of its rows.
///
/// # Errors
/// `Invalid` for what is no table, `TooLarge`, `TooSlow`, `Malformed` where the stream breaks off; what the disk
/// refuses.
pub async fn receive_table<E: Display>(
    repository: &Repository,
    name: &str,
    chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<RowFile, Refusal> {
    let format = format_of(name)?;
    let folder = repository.directory.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|error| Refusal::disk(&error))?;
    let most = format.map(|_| MOST_BYTES);
    let staged = receive_file(repository, most, chunks).await?;
    let reading = tokio::task::spawn_blocking(move || {
        let opened = staged.reader().map_err(|error| Refusal::disk(&error))?;
        read_opened(opened.into_inner(), format, &folder)
    });
    reading
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))?
}

/// Takes a stream, of at most so many bytes. What arrived is removed with the answer.
///
/// # Errors
/// `TooLarge`, `TooSlow`, `Malformed` where the stream breaks off; what the disk refuses.
pub(super) async fn receive_file<E: Display>(
    repository: &Repository,
    most: Option<u64>,
    chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<StagedBlob, Refusal> {
    let size = Arc::new(AtomicU64::new(0));
    let counted = chunks.map(|chunk| {
        let chunk = chunk.map_err(|error| error.to_string())?;
        let size = size.fetch_add(chunk.len() as u64, Ordering::Relaxed) + chunk.len() as u64;
        match most {
            Some(most) if size > most => Err("it is too large".to_owned()),
            _ => Ok(chunk),
        }
    });
    let staged = repository.blobs.stage(counted, None, &[]).await;
    match most {
        Some(most) if size.load(Ordering::Relaxed) > most => Err(Refusal::TooLarge(format!(
            "The file may not be larger than {most} bytes."
        ))),
        _ => staged.map_err(|error| unfit(error, "Nothing was imported.")),
    }
}
