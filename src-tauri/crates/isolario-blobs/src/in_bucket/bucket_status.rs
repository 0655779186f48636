//! What a bucket and the disk before it are like now, for people.

use std::io;

use crate::{Blobs, on_disk};
use isolario_bucket::StoreHealth;

/// A bucket, and the part of the disk that it uses.
#[derive(Debug, Clone)]
pub struct BucketStatus {
    /// Bucket and address.
    pub place: String,
    /// Whether new bytes go to the disk.
    pub is_left: bool,
    pub store: StoreHealth,
    /// Bytes on their way into the bucket, and of unfinished uploads.
    pub spool: u64,
    /// Bytes in the cache, about, and how many may be.
    pub cache: (u64, u64),
}

impl Blobs {
    /// The bucket as it is now; `None` where the repository has none.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn bucket_status(&self) -> io::Result<Option<BucketStatus>> {
        let Some(store) = self.store.clone() else {
            return Ok(None);
        };
        let (staging, uploads) = (self.staging.clone(), self.uploads.clone());
        on_disk(move || {
            Ok(Some(BucketStatus {
                place: store.place.clone(),
                is_left: store.is_left(),
                store: store.bucket.health(),
                spool: bytes_in(&staging)? + bytes_in(&uploads)?,
                cache: store.cache.size()?,
            }))
        })
        .await
    }
}

/// Bytes of the files in a directory. What goes away meanwhile counts nothing.
fn bytes_in(directory: &std::path::Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in directory.read_dir()? {
        bytes += entry?.metadata().map_or(0, |about| about.len());
    }
    Ok(bytes)
}
