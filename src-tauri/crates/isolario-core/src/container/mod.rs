//! Many files as one folder or one ZIP, which is complete or not there.

mod crc32_cache;
mod folder_container;
pub mod names;
mod spool;
mod zip_container;
mod zip_entries;
mod zip_format;

use std::io;

use aws_lc_rs::digest::{Context, SHA512};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};

pub use crc32_cache::Crc32Cache;
pub(crate) use folder_container::FolderContainer;
use isolario_blobs::{FileDigest, OpenBlob, compared};
use isolario_disk::faults;
use isolario_model::content::{FileRecord, FixityState};
pub(crate) use spool::{Spool, Spooled, digest_of};
pub(crate) use zip_container::ZipContainer;
pub(crate) use zip_entries::{BytesAt, entries_said};
pub(crate) use zip_format::ZipLength;

/// Where files go.
pub(crate) enum Container {
    Folder(FolderContainer),
    /// With the folder in it that holds them.
    Zip(ZipContainer, String),
}

impl Container {
    /// Adds a file of a known size.
    ///
    /// # Errors
    /// Other than so many bytes; what the reader of the bytes and the disk say.
    pub async fn add(
        &mut self,
        path: &str,
        size: u64,
        bytes: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> io::Result<()> {
        self.add_bytes(path, size, bytes).await.map(drop)
    }

    /// Adds a file of the repository, and reads whether its bytes are still those that arrived. Returns what is wrong
    /// with them. Of a ZIP whose later bytes are wanted, a file that comes before them is not read again where its
    /// checksum is kept.
    ///
    /// # Errors
    /// As `add`.
    pub async fn add_stored(
        &mut self,
        path: &str,
        file: &FileRecord,
        open: impl Future<Output = io::Result<OpenBlob>>,
        checksums: &Crc32Cache,
    ) -> io::Result<Option<String>> {
        faults::point("stored file");
        let known = FileDigest {
            size: file.size,
            sha512: file.sha512.clone(),
        };
        if let Container::Folder(folder) = self
            && folder.take_former(path, &known).await?
        {
            return Ok(None);
        }
        let blob = match open.await {
            Ok(blob) if blob.size == known.size => blob,
            Ok(blob) => {
                let size = FileDigest {
                    size: blob.size,
                    ..known.clone()
                };
                return Ok(Some(compared(&size, &known).detail));
            }
            Err(error) => return Ok(Some(format!("Its bytes cannot be read: {error}."))),
        };
        if let Container::Zip(zip, folder) = self {
            let path = format!("{folder}/{path}");
            let unwanted = zip.unwanted(&path, known.size);
            if unwanted > 0
                && let Some(crc) = checksums.get(&known.sha512)
            {
                let rest = Box::pin(blob.stream(unwanted..known.size));
                zip.add_rest(&path, known.size, crc, rest).await?;
                return Ok(None);
            }
        }
        let mut sum = Context::new(&SHA512);
        let chunks = Box::pin(blob.stream(0..known.size));
        let chunks = chunks.inspect(|chunk| {
            if let Ok(chunk) = chunk {
                sum.update(chunk);
            }
        });
        let crc = self.add_bytes(path, known.size, chunks).await?;
        let found = FileDigest {
            size: known.size,
            sha512: hex::encode(sum.finish()),
        };
        let verdict = compared(&found, &known);
        Ok(match verdict.state {
            FixityState::Intact => {
                crc.inspect(|crc| checksums.keep(&known.sha512, *crc));
                None
            }
            _ => Some(verdict.detail),
        })
    }

    /// Adds a file, and returns the CRC-32 of its bytes where a ZIP asks for it.
    async fn add_bytes(
        &mut self,
        path: &str,
        size: u64,
        bytes: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> io::Result<Option<u32>> {
        match self {
            Container::Folder(folder) => folder.add(path, bytes).await.map(|()| None),
            Container::Zip(zip, folder) => {
                let path = format!("{folder}/{path}");
                zip.add(&path, size, bytes).await.map(Some)
            }
        }
    }

    /// Ends it: a folder gets its name, a ZIP its directory.
    ///
    /// # Errors
    /// What the disk and the reader say.
    pub async fn finish(self) -> io::Result<()> {
        match self {
            Container::Folder(folder) => folder.finish().await,
            Container::Zip(zip, _) => zip.finish().await,
        }
    }
}
