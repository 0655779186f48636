//! A file on this machine's own disk, outside the repository, as a stream of bytes.

use std::{io, path::Path};

use bytes::Bytes;
use futures_util::Stream;
use tokio::{fs::File, io::AsyncReadExt};
use tokio_util::io::ReaderStream;

const CHUNK: usize = 256 * 1024;

/// An opened file. What it held when it was opened is what is sent, even if it grows meanwhile.
pub struct LocalSource {
    file: File,
    size: u64,
}

impl LocalSource {
    /// Opens a plain file; folders and devices are refused.
    pub async fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path).await?;
        let metadata = file.metadata().await?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        Ok(Self {
            file,
            size: metadata.len(),
        })
    }

    /// In bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes, in chunks.
    pub fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        ReaderStream::with_capacity(self.file.take(self.size), CHUNK)
    }
}
