//! Reads blobs in the bucket.

use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use tokio::io::AsyncWriteExt;

use super::Store;
use crate::checksum::{Algorithm, Sum};
use crate::on_disk;
use crate::stage::Temporary;
use crate::verify::FileDigest;
use isolario_bucket::ObjectStart;
use isolario_disk::regular_file;

/// A blob in the bucket. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RemoteBlob {
    store: Store,
    blob: String,
    key: String,
}

impl RemoteBlob {
    pub(super) fn new(store: Store, blob: &str, key: String) -> RemoteBlob {
        RemoteBlob {
            store,
            blob: blob.to_owned(),
            key,
        }
    }

    /// Waits for the bucket on a thread that may wait.
    pub(crate) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.store.runtime.block_on(answer)
    }

    /// What the cache has of it.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(crate) fn cached(&self) -> io::Result<Option<(File, u64)>> {
        self.store.cache.open(&self.blob)
    }

    /// Its first bytes, at most so many.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub(crate) async fn start(&self, most: u64) -> io::Result<ObjectStart> {
        self.store.bucket.start(&self.key, most).await
    }

    /// The bytes of a range that is not empty, as they come.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub(crate) async fn read(
        &self,
        range: Range<u64>,
    ) -> io::Result<impl Stream<Item = io::Result<Bytes>> + Send + Unpin + use<>> {
        self.store.bucket.read(&self.key, range).await
    }

    /// Bytes of it.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub(crate) async fn size(&self) -> io::Result<u64> {
        self.store.bucket.size(&self.key).await
    }

    /// Reads it whole from the bucket. `None` when `on_read` breaks off.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub(crate) async fn summed(
        &self,
        on_read: &mut (impl FnMut(u64) -> ControlFlow<()> + ?Sized),
    ) -> io::Result<Option<FileDigest>> {
        let mut sum = Sum::new(Algorithm::Sha512);
        let (size, mut found) = (self.size().await?, 0);
        if size > 0 {
            let mut chunks = self.read(0..size).await?;
            while let Some(chunk) = chunks.try_next().await? {
                sum.update(&chunk);
                found += chunk.len() as u64;
                if on_read(chunk.len() as u64).is_break() {
                    return Ok(None);
                }
            }
        }
        let sha512 = sum.finish().hex();
        Ok(Some(FileDigest {
            size: found,
            sha512,
        }))
    }

    /// Keeps the bytes of a small blob in the cache.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(crate) async fn keep(&self, staging: &Path, bytes: Bytes) -> io::Result<()> {
        let (cache, blob) = (self.store.cache.clone(), self.blob.clone());
        let fetched = Temporary::new(staging);
        on_disk(move || {
            std::fs::write(&fetched.0, &bytes)?;
            cache.keep(&blob, &fetched, bytes.len() as u64)
        })
        .await
    }

    /// The blob as a file of this disk, which the cache then has.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`; what the disk refuses.
    pub(crate) async fn fetch(&self, staging: &Path, size: u64) -> io::Result<File> {
        let fetched = Temporary::new(staging);
        let mut file = tokio::fs::File::create_new(&fetched.0).await?;
        if size > 0 {
            let mut chunks = self.read(0..size).await?;
            while let Some(chunk) = chunks.try_next().await? {
                file.write_all(&chunk).await?;
            }
        }
        file.flush().await?;
        let (cache, blob) = (self.store.cache.clone(), self.blob.clone());
        on_disk(move || {
            let file = regular_file::open(&fetched.0)?;
            cache.keep(&blob, &fetched, size)?;
            Ok(file)
        })
        .await
    }
}
