//! Blobs in a bucket. Their names begin with `bucket/`, so a name tells where its bytes lie. Nothing in a bucket is ever
//! renamed or written again: a name has a random part, so it is nobody else's, and a request that arrives late does no
//! harm.
//!
//! Keys below the prefix of the repository: `public/…` for public files, and `ocfl/` for the storage root, as in a data
//! directory.

mod bucket_status;
mod claim;
mod inventories;
mod noted_blob;
mod place;
mod records;
mod remote;
mod upload_pieces;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Handle;
use tokio::sync::{OnceCell, RwLock};

use self::claim::OWNER;
use super::Blobs;
use super::cache::Cache;
use super::in_flight::InFlight;
use super::ocfl::{self, Location};
use isolario_bucket::Bucket;
use isolario_config::BucketRules;

pub use bucket_status::BucketStatus;
pub use inventories::ObjectVersion;
pub(super) use noted_blob::NotedBlob;
pub(super) use remote::RemoteBlob;

/// What the names of blobs in a bucket begin with.
pub const IN_BUCKET: &str = "bucket/";
/// Key of the directory of records.
const RECORDS: &str = "records";
/// Key of the directory of pieces of unfinished uploads.
const UPLOADS: &str = "uploads";
/// Name of the directory of fetched blobs.
const CACHE: &str = "cache";

/// The bucket of a repository. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Store {
    bucket: Bucket,
    pub(super) cache: Cache,
    /// Bucket and address, for people.
    place: String,
    /// Runs the requests of threads that wait for them.
    runtime: Handle,
    /// Set once the bucket is known to be that of this repository.
    claimed: Arc<OnceCell<()>>,
    /// Whether the bytes go back to the disk.
    is_left: Arc<AtomicBool>,
    /// Locked for reading while a blob is put and not yet settled.
    in_flight: Arc<RwLock<()>>,
}

impl Store {
    /// The store that the configuration names. It sends no request. Those of threads that wait are run by the runtime
    /// of the caller.
    ///
    /// # Errors
    /// `InvalidInput` in words.
    pub(super) fn open(data_directory: &Path, rules: &BucketRules) -> io::Result<Store> {
        let bucket = Bucket::open(rules, &rules.read_credentials()?)?;
        let most = rules.cache_megabytes.saturating_mul(1_000_000);
        Ok(Store {
            bucket,
            cache: Cache::at(data_directory.join(CACHE), most),
            place: match &rules.endpoint {
                Some(endpoint) => format!("bucket \"{}\" at {endpoint}", rules.bucket),
                None => format!("bucket \"{}\" in {}", rules.bucket, rules.region),
            },
            runtime: Handle::try_current().map_err(io::Error::other)?,
            claimed: Arc::default(),
            is_left: Arc::new(AtomicBool::new(claim::is_left(&data_directory.join(OWNER)))),
            in_flight: Arc::default(),
        })
    }

    /// Keeps the bucket from being given up while a blob is put.
    pub(super) async fn in_flight(&self) -> InFlight {
        self.in_flight.clone().read_owned().await
    }

    /// Whether the bucket is known to be that of this repository.
    pub(super) fn is_claimed(&self) -> bool {
        self.claimed.initialized()
    }

    /// Whether the bytes go back to the disk, so that new ones go there.
    pub(super) fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Acquire)
    }
}

impl Blobs {
    /// The file whose object in a bucket has a blob; `None` for one that is in no such object.
    pub fn object_in_bucket(blob: &str) -> Option<uuid::Uuid> {
        location_of(blob).map(|location| location.file())
    }

    /// A blob in the bucket; `None` for one on disk.
    ///
    /// # Errors
    /// `NotFound` where the repository has no bucket.
    pub(super) fn remote(&self, blob: &str) -> io::Result<Option<RemoteBlob>> {
        let Some(key) = key_of(blob) else {
            return Ok(None);
        };
        let store = self.store.clone().ok_or(io::ErrorKind::NotFound)?;
        Ok(Some(RemoteBlob::new(store, blob, key)))
    }
}

/// The location of a blob in an object in the bucket.
fn location_of(blob: &str) -> Option<Location> {
    Location::parse(blob.strip_prefix(IN_BUCKET)?)
}

/// The key of a blob in the bucket.
fn key_of(blob: &str) -> Option<String> {
    let below = blob.strip_prefix(IN_BUCKET)?;
    Some(match Location::parse(below) {
        Some(location) => location.key(),
        None => below.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_name_of_the_file_on_a_disk() {
        let file = uuid::Uuid::nil();
        let blob = format!("bucket/ocfl/{file}/v2/v2/content/7/a.png");
        assert_eq!(Blobs::object_in_bucket(&blob), Some(file));
        let key = key_of(&blob).unwrap();
        assert!(key.starts_with("ocfl/"), "{key}");
        assert!(
            key.ends_with(&format!("/urn%3auuid%3a{file}/v2/content/7/a.png")),
            "{key}"
        );
        assert_eq!(
            key_of("bucket/public/a b.png").as_deref(),
            Some("public/a b.png")
        );
        for on_disk in ["public/a.png", &format!("ocfl/{file}/v1/v1/content/a")] {
            assert_eq!(
                (key_of(on_disk), Blobs::object_in_bucket(on_disk)),
                (None, None)
            );
        }
    }
}
