//! A ZIP whose files are stored as they are, written from the first byte to the last, or from a later one on. Its
//! directory waits on the disk, so the number of files costs no memory.

use std::io;
use std::path::Path;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use crc32fast::Hasher;
use futures_util::{Stream, StreamExt};

use super::spool::Spool;
use super::zip_format::{ZipEntry, dos_time, end_of_directory};
use crate::byte_stream::Output;

/// A ZIP in the making.
pub(crate) struct ZipContainer {
    output: OutputFrom,
    directory: Spool,
    files: u64,
    modified: (u16, u16),
}

/// Hands on the bytes from a first one on.
struct OutputFrom {
    output: Output,
    first: u64,
    /// Bytes until now, whether they were wanted or not.
    written: u64,
}

impl OutputFrom {
    async fn send(&mut self, bytes: impl Into<Bytes>) -> io::Result<()> {
        let bytes = bytes.into();
        let unwanted = self.first.saturating_sub(self.written);
        self.written += bytes.len() as u64;
        match usize::try_from(unwanted) {
            Ok(unwanted) if unwanted < bytes.len() => {
                self.output.send(bytes.slice(unwanted..)).await
            }
            _ => Ok(()),
        }
    }
}

impl ZipContainer {
    /// An empty one, whose files say that they are of a time. Its directory waits in `staging`. Bytes before `first` are
    /// not handed on.
    pub fn new(
        output: Output,
        staging: &Path,
        modified: DateTime<Utc>,
        first: u64,
    ) -> io::Result<ZipContainer> {
        Ok(ZipContainer {
            output: OutputFrom {
                output,
                first,
                written: 0,
            },
            directory: Spool::new(staging)?,
            files: 0,
            modified: dos_time(modified),
        })
    }

    /// How many bytes of the next file are not wanted.
    pub fn unwanted(&self, path: &str, size: u64) -> u64 {
        let start = self.output.written + self.entry(path, size).local_header().len() as u64;
        self.output.first.saturating_sub(start).min(size)
    }

    /// Adds a file of a known size, and returns its CRC-32. Its bytes are handed on while they are read.
    ///
    /// # Errors
    /// Other than so many bytes; what the reader of the bytes says.
    pub async fn add(
        &mut self,
        path: &str,
        size: u64,
        mut bytes: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> io::Result<u32> {
        let start = self.begin(path, size).await?;
        let (mut crc, mut sent) = (Hasher::new(), 0);
        while let Some(chunk) = bytes.next().await {
            let chunk = chunk?;
            crc.update(&chunk);
            sent += chunk.len() as u64;
            self.output.send(chunk).await?;
        }
        require_size(path, size, sent)?;
        let crc = crc.finalize();
        self.end(path, size, start, crc).await?;
        Ok(crc)
    }

    /// Adds a file whose first bytes are not wanted, by the rest of its bytes.
    ///
    /// # Errors
    /// As `add`.
    pub async fn add_rest(
        &mut self,
        path: &str,
        size: u64,
        crc: u32,
        mut rest: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> io::Result<()> {
        let unwanted = self.unwanted(path, size);
        let start = self.begin(path, size).await?;
        self.output.written += unwanted;
        let mut sent = unwanted;
        while let Some(chunk) = rest.next().await {
            let chunk = chunk?;
            sent += chunk.len() as u64;
            self.output.send(chunk).await?;
        }
        require_size(path, size, sent)?;
        self.end(path, size, start, crc).await
    }

    /// Writes the directory and the end.
    pub async fn finish(mut self) -> io::Result<()> {
        let start = self.output.written;
        let directory = self.directory.finish()?;
        let size = directory.digest.size;
        let mut chunks = directory.into_stream();
        while let Some(chunk) = chunks.next().await {
            self.output.send(chunk?).await?;
        }
        let end = end_of_directory(self.files, start, size);
        self.output.send(end).await
    }

    /// Begins a file, and says where.
    async fn begin(&mut self, path: &str, size: u64) -> io::Result<u64> {
        let start = self.output.written;
        self.output
            .send(self.entry(path, size).local_header())
            .await?;
        Ok(start)
    }

    async fn end(&mut self, path: &str, size: u64, start: u64, crc: u32) -> io::Result<()> {
        let entry = self.entry(path, size);
        let (after, header) = (
            entry.data_descriptor(crc),
            entry.directory_header(crc, start),
        );
        self.output.send(after).await?;
        self.files += 1;
        self.directory.write(&header)
    }

    fn entry<'p>(&self, path: &'p str, size: u64) -> ZipEntry<'p> {
        ZipEntry {
            path,
            size,
            modified: self.modified,
        }
    }
}

fn require_size(path: &str, size: u64, sent: u64) -> io::Result<()> {
    match sent == size {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "{path} has {sent} bytes, not {size}"
        ))),
    }
}
