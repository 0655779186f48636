//! A bucket by way of `object_store`.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path as Key;
use object_store::{
    BackoffConfig, ClientOptions, Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt,
    RetryConfig,
};

use tokio::sync::{Mutex, Semaphore, SemaphorePermit};

use crate::deletion::repeated;
use crate::part_buffers::PartBuffers;
use crate::store_health::HealthCounter;
use crate::{FileGrowth, ObjectStart, Part, StoreHealth, parts_of};
use isolario_config::{BucketCredentials, BucketRules};
use isolario_disk::disk_fault::StoreFault;
use isolario_disk::faults;
use isolario_platform::files::FileAt;

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(5);
/// MiB of files in memory while these are sent, of all uploads together.
const IN_FLIGHT: u32 = 16;
/// Parts of a file that are sent at the same time.
const AT_ONCE: usize = 3;
/// Objects that are deleted at the same time.
const DELETIONS: usize = 8;

/// A bucket, or what lies in one below a prefix. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bucket(Arc<OpenedBucket>);

#[derive(Debug)]
struct OpenedBucket {
    store: AmazonS3,
    prefix: String,
    /// Permits for bytes of files in memory, in MiB.
    memory: Semaphore,
    buffers: PartBuffers,
    health: HealthCounter,
}

impl Bucket {
    /// Makes a client of a bucket. It sends no request.
    ///
    /// # Errors
    /// `InvalidInput`: what is wrong with the rules, in words.
    pub fn open(rules: &BucketRules, credentials: &BucketCredentials) -> io::Result<Bucket> {
        let idle = Duration::from_secs(rules.timeout_seconds);
        let client = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECTING)
            .with_read_timeout(idle)
            .with_allow_http(true);
        let retry = RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: 6,
            retry_timeout: idle,
        };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&rules.bucket)
            .with_region(&rules.region)
            .with_access_key_id(&credentials.access_key_id)
            .with_secret_access_key(&credentials.secret_access_key)
            .with_client_options(client)
            .with_disable_bulk_delete(true)
            .with_retry(retry);
        if let Some(endpoint) = &rules.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        if let Some(token) = &credentials.session_token {
            builder = builder.with_token(token);
        }
        let store = builder.build().map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("[bytes]: {error}"))
        })?;
        let prefix = rules.prefix.trim_matches('/').to_owned();
        Ok(Bucket(Arc::new(OpenedBucket {
            store,
            prefix,
            memory: Semaphore::new(IN_FLIGHT as usize),
            buffers: PartBuffers::default(),
            health: HealthCounter::default(),
        })))
    }

    /// How the store has answered.
    pub fn health(&self) -> StoreHealth {
        self.0.health.read()
    }

    /// Puts a small object.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn put(&self, name: &str, bytes: Bytes) -> io::Result<()> {
        let key = &self.key(name);
        let put = self.ask(name, self.store().put(key, bytes.into()));
        put.await.map(drop)
    }

    /// Puts bytes of an open file, which fit into one part, as an object.
    ///
    /// # Errors
    /// `StoreFault`; what the disk refuses.
    pub async fn put_range(&self, name: &str, file: &Arc<File>, range: Part) -> io::Result<()> {
        let _memory = self.memory_for(range.end - range.start).await?;
        let bytes = self.part_of(file, range).await?;
        self.put(name, bytes).await
    }

    /// Begins an upload in parts. Returns its id. Nothing of it is visible before it is whole.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn begin_upload(&self, name: &str) -> io::Result<String> {
        let key = &self.key(name);
        self.ask(name, self.store().create_multipart(key)).await
    }

    /// Puts an open file by an upload in parts, which is then done. A part is put as soon as its bytes are written.
    ///
    /// # Errors
    /// `UnexpectedEof` for a file that does not become whole, when none of its parts is on its way; `StoreFault`; what
    /// the disk refuses.
    pub async fn put_parts(
        &self,
        name: &str,
        upload: &str,
        file: &Arc<File>,
        growth: &FileGrowth,
    ) -> io::Result<()> {
        let (key, upload) = (&self.key(name), &upload.to_owned());
        // In turn, so that no later part is on its way when the file is abandoned.
        let turn = &Mutex::new(());
        let parts = stream::iter(parts_of(growth.size).enumerate()).map(|(at, part)| async move {
            let in_turn = turn.lock().await;
            growth.written(part.end).await?;
            drop(in_turn);
            let _memory = self.memory_for(part.end - part.start).await?;
            let bytes = self.part_of(file, part).await?;
            let put = self.store().put_part(key, upload, at, bytes.into());
            let put = self.ask(name, put).await;
            faults::point("part");
            put
        });
        let parts: Vec<PartId> = parts.buffered(AT_ONCE).try_collect().await?;
        let whole = self.store().complete_multipart(key, upload, parts);
        self.ask(name, whole).await.map(drop)
    }

    /// Ends an upload in parts that is not done, with its parts. One that is done or ended stays as it is.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn end_upload(&self, name: &str, upload: &str) -> io::Result<()> {
        let (key, upload) = (&self.key(name), &upload.to_owned());
        match repeated(|| self.store().abort_multipart(key, upload)).await {
            Err(error) if !is_no_upload(&error) => Err(self.fault(name, error)),
            _ => Ok(()),
        }
    }

    /// The first bytes of an object, at most `most`, which is above 0.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub async fn start(&self, name: &str, most: u64) -> io::Result<ObjectStart> {
        let options = GetOptions::default().with_range(Some(GetRange::Bounded(0..most)));
        let asked = Instant::now();
        let got = self.store().get_opts(&self.key(name), options).await;
        let got = match got {
            // There is no range of an empty object.
            Err(Error::Generic { .. }) if self.size(name).await.is_ok_and(|size| size == 0) => {
                return Ok(ObjectStart {
                    size: 0,
                    bytes: Bytes::new(),
                });
            }
            got => self.answered(name, asked, got)?,
        };
        Ok(ObjectStart {
            size: got.meta.size,
            bytes: self.ask(name, got.bytes()).await?,
        })
    }

    /// A small object whole.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub async fn get(&self, name: &str) -> io::Result<Bytes> {
        let key = &self.key(name);
        let whole = async { self.store().get(key).await?.bytes().await };
        self.ask(name, whole).await
    }

    /// The bytes of a range that is not empty, as they come.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub async fn read(
        &self,
        name: &str,
        range: Range<u64>,
    ) -> io::Result<impl Stream<Item = io::Result<Bytes>> + Send + Unpin + use<>> {
        let options = GetOptions::default().with_range(Some(GetRange::Bounded(range)));
        let key = &self.key(name);
        let got = self.ask(name, self.store().get_opts(key, options)).await?;
        let (bucket, name) = (self.clone(), name.to_owned());
        let stream = got.into_stream();
        Ok(stream.map_err(move |error| bucket.fault(&name, error)))
    }

    /// Bytes of an object.
    ///
    /// # Errors
    /// `NotFound`; `StoreFault`.
    pub async fn size(&self, name: &str) -> io::Result<u64> {
        let key = &self.key(name);
        Ok(self.ask(name, self.store().head(key)).await?.size)
    }

    /// Whether there is no object at all.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn is_empty(&self) -> io::Result<bool> {
        let all = self.key("");
        match self.store().list(Some(&all)).next().await {
            None => Ok(true),
            Some(Ok(_)) => Ok(false),
            Some(Err(error)) => Err(self.fault("", error)),
        }
    }

    /// The names of all objects below a name, which is that of a directory.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn names_below(&self, directory: &str) -> io::Result<Vec<String>> {
        let above = self.key(directory);
        let found = self.store().list(Some(&above));
        let names = found.map_ok(|object| self.name_of(&object.location));
        let names = names.map_err(|error| self.fault(directory, error));
        names.try_collect().await
    }

    /// Removes an object, if it is there.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        let key = &self.key(name);
        match repeated(|| self.store().delete(key)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.fault(name, error)),
        }
    }

    /// Removes all objects below a name, which is that of a directory.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn remove_below(&self, directory: &str) -> io::Result<()> {
        let names = self.names_below(directory).await?;
        let removed = stream::iter(names).map(|name| async move { self.remove(&name).await });
        removed.buffer_unordered(DELETIONS).try_collect().await
    }

    /// Waits until so many bytes of a file may be in memory. A part that is larger than all that may be is alone there.
    async fn memory_for(&self, size: u64) -> io::Result<SemaphorePermit<'_>> {
        let wanted = u32::try_from(size.div_ceil(1 << 20)).unwrap_or(IN_FLIGHT);
        let permit = self.0.memory.acquire_many(wanted.clamp(1, IN_FLIGHT)).await;
        permit.map_err(io::Error::other)
    }

    /// Reads a part of a file off the async threads.
    async fn part_of(&self, file: &Arc<File>, part: Part) -> io::Result<Bytes> {
        let (file, buffers) = (file.clone(), self.0.buffers.clone());
        let length = usize::try_from(part.end - part.start).map_err(io::Error::other)?;
        let read = tokio::task::spawn_blocking(move || {
            let mut buffer = buffers.take(length);
            file.read_exact_at(buffer.as_mut(), part.start)?;
            Ok(Bytes::from_owner(buffer))
        });
        read.await
            .unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    /// Waits for the answer to a request about an object, and counts it.
    async fn ask<T>(
        &self,
        name: &str,
        request: impl Future<Output = Result<T, Error>>,
    ) -> io::Result<T> {
        let asked = Instant::now();
        self.answered(name, asked, request.await)
    }

    fn answered<T>(&self, name: &str, asked: Instant, answer: Result<T, Error>) -> io::Result<T> {
        if matches!(&answer, Ok(_) | Err(Error::NotFound { .. })) {
            self.0.health.answered(asked.elapsed());
        }
        answer.map_err(|error| self.fault(name, error))
    }

    /// What the store said, for those who ask `blobs`. Its own words are for the log: they may name what clients must
    /// not know.
    fn fault(&self, name: &str, error: Error) -> io::Error {
        let fault = match &error {
            // Not an object that is lost, but all of them.
            _ if error.to_string().contains("NoSuchBucket") => StoreFault::NoBucket,
            Error::NotFound { .. } => return io::ErrorKind::NotFound.into(),
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => StoreFault::Denied,
            _ => StoreFault::Unreachable,
        };
        tracing::warn!(%error, name, "the bucket did not do what was asked");
        self.0.health.failed(fault);
        fault.into()
    }

    fn store(&self) -> &AmazonS3 {
        &self.0.store
    }

    /// The key of a name, which is the name itself unless it has a control character.
    fn key(&self, name: &str) -> Key {
        let whole = match self.0.prefix.as_str() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        };
        Key::parse(&whole).unwrap_or_else(|_| Key::from(whole))
    }

    fn name_of(&self, key: &Key) -> String {
        let key = key.as_ref();
        let below = key.strip_prefix(&self.0.prefix);
        below.unwrap_or(key).trim_start_matches('/').to_owned()
    }
}

/// Whether the store says that an upload in parts is done or was ended.
fn is_no_upload(error: &Error) -> bool {
    matches!(error, Error::NotFound { .. }) || error.to_string().contains("NoSuchUpload")
}
