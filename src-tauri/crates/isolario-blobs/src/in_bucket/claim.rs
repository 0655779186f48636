//! Makes sure that a bucket is that of the repository, before anything is put into it.

use std::io;

use bytes::Bytes;

use super::{Store, ocfl};
use crate::Blobs;
use isolario_disk::disk_fault::StoreFault;
use isolario_disk::durable::{PRIVATE_FILE, above, replace, sync_directory};
use isolario_disk::regular_file;
use uuid::Uuid;

/// Name of the file in the data directory that says which bucket is that of the repository, and key of the object that
/// says it in the bucket.
pub(super) const OWNER: &str = "isolario-bucket";
/// Bytes of what both say, and one more.
const LONGEST_OWNER: u64 = 37;

impl Blobs {
    /// Makes sure that the bucket is that of this repository. A new one becomes that of the repository.
    ///
    /// # Errors
    /// `InvalidInput` in words: a bucket of another repository or of other things, one that is not there, credentials
    /// that are refused, a bucket that the configuration no longer names. `StoreFault` when it does not answer.
    pub async fn claim_bucket(&self) -> io::Result<()> {
        match &self.store {
            Some(store) => store.claim(&self.data_directory().join(OWNER)).await,
            None if self.data_directory().join(OWNER).exists() => Err(refused(
                "its bytes lie in a bucket, which [bytes] in config.toml must name".into(),
            )),
            None => Ok(()),
        }
    }
}

impl Store {
    /// As `Blobs::claim_bucket`. `mark` is the file in the data directory.
    pub(super) async fn claim(&self, mark: &std::path::Path) -> io::Result<()> {
        let claim = || async {
            let claimed = self.find_or_make_owner(mark).await;
            claimed.map_err(|error| self.in_words(error))
        };
        self.claimed.get_or_try_init(claim).await.copied()
    }

    async fn find_or_make_owner(&self, mark: &std::path::Path) -> io::Result<()> {
        let own = none_if_missing(regular_file::read_to_string(mark))?;
        let found = none_if_missing(self.bucket.start(OWNER, LONGEST_OWNER).await)?;
        match (own, found) {
            (Some(own), Some(found)) if own.as_bytes() == found.bytes => Ok(()),
            (_, Some(_)) => Err(refused(format!(
                "{} is that of another repository",
                self.place
            ))),
            (Some(own), None) => self.own(own).await,
            (None, None) if self.bucket.is_empty().await? => {
                let own = Uuid::new_v4().to_string();
                replace(mark, own.as_bytes(), PRIVATE_FILE)?;
                sync_directory(above(mark))?;
                self.own(own).await
            }
            (None, None) => Err(refused(format!(
                "{} has other things already; a new `prefix` keeps the repository apart from them",
                self.place
            ))),
        }
    }

    /// Makes the bucket that of the repository. It is, once this has been done to its end.
    async fn own(&self, own: String) -> io::Result<()> {
        for (name, content) in ocfl::declarations()? {
            self.bucket
                .put(&format!("ocfl/{name}"), content.into())
                .await?;
        }
        self.bucket.put(OWNER, Bytes::from(own)).await
    }

    fn in_words(&self, error: io::Error) -> io::Error {
        let fault = error.get_ref().and_then(|inner| inner.downcast_ref());
        match fault {
            Some(StoreFault::NoBucket) => refused(format!("there is no {}", self.place)),
            Some(StoreFault::Denied) => refused(format!("{} refuses the credentials", self.place)),
            _ => error,
        }
    }
}

fn refused(words: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, words)
}

fn none_if_missing<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
