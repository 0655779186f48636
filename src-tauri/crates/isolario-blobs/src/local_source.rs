//! A file on this machine's own disk, outside the repository, as a stream of bytes.

use std::{io, path::Path};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt},
};
use tokio_util::io::ReaderStream;

use super::checksum::Sum;
use super::{Algorithm, on_disk};
use isolario_disk::regular_file;
use isolario_platform::files;

const CHUNK: usize = 256 * 1024;

/// An open file. Its length is that at the time of opening, even if it grows meanwhile.
pub struct LocalSource {
    file: File,
    size: u64,
}

impl LocalSource {
    /// Opens a regular file, or the one that a link leads to.
    ///
    /// # Errors
    /// `InvalidInput` for folders, devices and the like; what the disk refuses.
    pub async fn open(path: &Path) -> io::Result<Self> {
        let path = path.to_owned();
        let file = on_disk(move || regular_file::open(&files::canonicalize(path)?)).await?;
        LocalSource::of(file).await
    }

    /// The bytes of an open regular file.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn of(file: std::fs::File) -> io::Result<Self> {
        let file = File::from_std(file);
        let size = file.metadata().await?.len();
        Ok(Self { file, size })
    }

    /// In bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Hexadecimal SHA-512 of the bytes.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn sha512(self) -> io::Result<String> {
        let mut sum = Sum::new(Algorithm::Sha512);
        let mut chunks = std::pin::pin!(self.into_stream());
        while let Some(chunk) = chunks.next().await {
            sum.update(&chunk?);
        }
        Ok(sum.finish().hex())
    }

    /// So many bytes from a place on, or as many as there are.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn part(mut self, begin: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut part = Vec::new();
        self.file.seek(io::SeekFrom::Start(begin)).await?;
        self.file.take(length).read_to_end(&mut part).await?;
        Ok(part)
    }

    /// The bytes, in chunks.
    pub fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        ReaderStream::with_capacity(self.file.take(self.size), CHUNK)
    }
}
