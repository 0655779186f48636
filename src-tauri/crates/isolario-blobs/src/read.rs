//! Reads stored bytes.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::Either;
use futures_util::{Stream, TryStreamExt, stream};
use tokio::task::{JoinHandle, spawn_blocking};

use super::checksum::{Algorithm, Checksum, Sum};
use super::in_bucket::RemoteBlob;
use super::{Blobs, joined, on_disk};
use isolario_bucket::ObjectStart;
use isolario_disk::regular_file;
use isolario_platform::files::{FileAt, read_if_in_memory};

/// Bytes of a chunk. While one is sent, the next is read.
const CHUNK: u64 = 256 * 1024;
/// Blobs up to this size are read whole when they are opened, and sent by one write.
const SMALL: u64 = 64 * 1024;

/// An open blob. Blobs never change, so a reader gets the whole blob whatever happens to its file.
#[derive(Debug, Clone)]
pub struct OpenBlob {
    source: Source,
    /// Bytes.
    pub size: u64,
    /// A small blob whole.
    whole: Option<Bytes>,
}

#[derive(Debug, Clone)]
enum Source {
    File(Arc<File>),
    /// A blob of a bucket, and the directory into which it can be fetched.
    Bucket(RemoteBlob, PathBuf),
}

impl Blobs {
    /// Opens a blob by the name that the database keeps.
    ///
    /// # Errors
    /// `NotFound` when the bytes are lost, `InvalidInput` for what is no regular file; what else the disk or the bucket
    /// refuses.
    pub async fn open_blob(&self, blob: &str) -> io::Result<OpenBlob> {
        let (file, size) = match self.remote(blob)? {
            None => regular_file::open_sized(&self.locate(blob)?)?,
            Some(remote) => match remote.cached()? {
                Some(cached) => cached,
                None => return self.open_remote(remote).await,
            },
        };
        OpenBlob::of_file(file, size).await
    }

    async fn open_remote(&self, remote: RemoteBlob) -> io::Result<OpenBlob> {
        let ObjectStart { size, bytes } = remote.start(SMALL).await?;
        let is_whole = bytes.len() as u64 == size;
        if is_whole && let Err(error) = remote.keep(&self.staging, bytes.clone()).await {
            tracing::warn!(%error, "the cache of the bucket cannot be written");
        }
        Ok(OpenBlob {
            source: Source::Bucket(remote, self.staging.clone()),
            size,
            whole: is_whole.then_some(bytes),
        })
    }
}

impl OpenBlob {
    async fn of_file(file: File, size: u64) -> io::Result<OpenBlob> {
        let file = Arc::new(file);
        let whole = match read_without_waiting(&file, size) {
            None if size <= SMALL => {
                let file = file.clone();
                Some(on_disk(move || read_at(&file, 0, size)).await?)
            }
            at_hand => at_hand,
        };
        Ok(OpenBlob {
            source: Source::File(file),
            size,
            whole,
        })
    }

    /// The bytes of a range, if the blob is small and was read when it was opened.
    pub fn at_hand(&self, range: &Range<u64>) -> Option<Bytes> {
        let place = |at: u64| usize::try_from(at).ok();
        let (start, end) = (place(range.start)?, place(range.end)?);
        self.whole.as_ref().map(|whole| whole.slice(start..end))
    }

    /// The bytes as the standard input of a process, from the first on. A process may read them in any order, so those
    /// of a bucket are fetched whole.
    ///
    /// # Errors
    /// What the system or the bucket refuses.
    pub async fn input(&self) -> io::Result<Stdio> {
        Ok(match &self.source {
            Source::File(file) => file.try_clone()?.into(),
            Source::Bucket(remote, staging) => remote.fetch(staging, self.size).await?.into(),
        })
    }

    /// A checksum of all bytes, which are read again.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn checksum(self, algorithm: Algorithm) -> io::Result<Checksum> {
        let mut sum = Sum::new(algorithm);
        let size = self.size;
        let mut chunks = std::pin::pin!(self.stream(0..size));
        while let Some(chunk) = chunks.try_next().await? {
            sum.update(&chunk);
        }
        Ok(sum.finish())
    }

    /// The bytes of a range. A slow receiver occupies no thread.
    pub fn stream(
        self,
        range: Range<u64>,
    ) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        if let Some(bytes) = self.at_hand(&range) {
            let chunk = (!bytes.is_empty()).then_some(Ok(bytes));
            return Either::Left(stream::iter(chunk));
        }
        Either::Right(match self.source {
            Source::File(file) => Either::Left(chunks(file, range)),
            Source::Bucket(remote, _) => {
                let read = async move { remote.read(range).await };
                Either::Right(stream::once(read).try_flatten())
            }
        })
    }
}

/// The bytes of a range of a file.
fn chunks(file: Arc<File>, range: Range<u64>) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let first = read(&file, &range);
    stream::try_unfold((file, range, first), |(file, range, reading)| async move {
        let Some(reading) = reading else {
            return Ok(None);
        };
        let chunk = joined(reading).await?;
        let rest = range.start + chunk.len() as u64..range.end;
        let next = read(&file, &rest);
        Ok(Some((chunk, (file, rest, next))))
    })
}

fn read(file: &Arc<File>, range: &Range<u64>) -> Option<JoinHandle<io::Result<Bytes>>> {
    let start = range.start;
    let size = range.end.saturating_sub(start).min(CHUNK);
    let file = file.clone();
    (size > 0).then(|| spawn_blocking(move || read_at(&file, start, size)))
}

/// Reads a small blob whole if it is in the page cache. Handing that to another thread would cost more than reading it.
fn read_without_waiting(file: &File, size: u64) -> Option<Bytes> {
    let size = usize::try_from(size).ok().filter(|_| size <= SMALL)?;
    read_if_in_memory(file, size).map(Bytes::from)
}

fn read_at(file: &File, start: u64, size: u64) -> io::Result<Bytes> {
    let mut chunk = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    file.read_exact_at(&mut chunk, start)?;
    Ok(Bytes::from(chunk))
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::super::tests::{blobs, deposit};
    use super::*;

    #[tokio::test]
    async fn names_from_before_the_storage_root_are_still_read() {
        let (disk, blobs) = blobs();
        let directory = disk.path().join("files/fedora/dir");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("x.r2.bin"), b"kept").unwrap();
        let blob = blobs.open_blob("fedora/dir/x.r2.bin").await.unwrap();
        let bytes: Vec<Bytes> = blob.stream(0..4).try_collect().await.unwrap();
        assert_eq!(bytes.concat(), b"kept");
    }

    #[tokio::test]
    async fn a_small_blob_is_at_hand() {
        let (_disk, blobs) = blobs();
        let body = stream::iter([Ok::<_, String>(Bytes::from_static(b"a small blob"))]);
        let staged = blobs.stage(body, None, &[]).await.unwrap();
        let placed = blobs
            .place(staged, &deposit("public", "x.txt", 1))
            .await
            .unwrap();
        let blob = blobs.open_blob(&placed.blob).await.unwrap();
        assert_eq!(blob.at_hand(&(2..7)), Some(Bytes::from_static(b"small")));
        assert_eq!(blob.at_hand(&(12..12)), Some(Bytes::new()));
    }

    #[tokio::test]
    async fn a_range_is_the_bytes_of_the_range() {
        let (_disk, blobs) = blobs();
        let sent: Vec<u8> = (0..700_000_u32).map(|at| (at % 251) as u8).collect();
        let body = stream::iter([Ok::<_, String>(Bytes::from(sent.clone()))]);
        let staged = blobs.stage(body, None, &[]).await.unwrap();
        let placed = blobs
            .place(staged, &deposit("fedora", "x.bin", 1))
            .await
            .unwrap();
        let blob = blobs.open_blob(&placed.blob).await.unwrap();
        assert_eq!(blob.size, 700_000);
        for range in [0..700_000, 0..0, 5..6, 262_143..262_145, 699_999..700_000] {
            assert_eq!(blob.at_hand(&range), None);
            let chunks: Vec<Bytes> = blob
                .clone()
                .stream(range.clone())
                .try_collect()
                .await
                .unwrap();
            let expected = &sent[range.start as usize..range.end as usize];
            assert!(chunks.concat() == expected, "{range:?}");
        }
    }
}
