//! Copies of records in the bucket, so that it alone is enough for a rebuild.

use std::io;
use std::path::Path;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::RECORDS;
use crate::disk::{Scratch, make_directory, sync_directory};
use crate::{Blobs, on_disk};
use isolario_disk::durable::{above, sync_disk};
use isolario_platform::files;

/// Requests at the same time.
const AT_ONCE: usize = 16;

impl Blobs {
    /// Puts records into the bucket by their paths from `records/`, and removes there those without content. Without a
    /// bucket, or where the bytes leave it, it does nothing.
    ///
    /// # Errors
    /// `StoreFault`.
    pub async fn put_records(&self, records: Vec<(String, Option<Bytes>)>) -> io::Result<()> {
        let Some(store) = self.store.as_ref().filter(|store| !store.is_left()) else {
            return Ok(());
        };
        store.is_ours(&self.mark()).await?;
        let put = stream::iter(records).map(|(path, content)| async move {
            let key = format!("{RECORDS}/{path}");
            match content {
                Some(content) => store.bucket.put(&key, content).await,
                None => store.bucket.remove(&key).await,
            }
        });
        put.buffer_unordered(AT_ONCE).try_collect().await
    }

    /// Fetches all records from the bucket into a directory that is not there. The bucket then is that of this data
    /// directory. Returns how many there are.
    ///
    /// # Errors
    /// `InvalidInput` in words where the bucket holds no repository; `StoreFault`; what the disk refuses.
    pub async fn fetch_records(&self, directory: &Path) -> io::Result<usize> {
        let store = self.store.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let adopted = store.adopt(&self.mark()).await;
        adopted.map_err(|error| store.in_words(error))?;
        let scratch = &Scratch::make(
            self.staging
                .join(format!("{}.records", uuid::Uuid::new_v4())),
        )?;
        let keys = store.bucket.names_below(RECORDS).await?;
        let count = keys.len();
        let fetch = stream::iter(keys).map(|key| async move {
            let Some(place) = key
                .strip_prefix(RECORDS)
                .and_then(|path| below(&scratch.0, path))
            else {
                return Ok(());
            };
            let content = store.bucket.get(&key).await?;
            on_disk(move || {
                make_directory(above(&place))?;
                std::fs::write(place, content)
            })
            .await
        });
        let fetched: io::Result<()> = fetch.buffer_unordered(AT_ONCE).try_collect().await;
        fetched?;
        sync_disk(&scratch.0)?;
        files::rename(&scratch.0, directory)?;
        sync_directory(above(directory))?;
        Ok(count)
    }
}

/// A path below a directory, unless it leads out of it.
fn below(directory: &Path, path: &str) -> Option<std::path::PathBuf> {
    let path = Path::new(path.trim_start_matches('/'));
    let inside = path
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)));
    inside.then(|| directory.join(path))
}
