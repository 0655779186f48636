//! Makes sure that a bucket is that of the repository, before anything is put into it.

use std::io;
use std::path::{Path, PathBuf};

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

/// Whose a bucket is, unless it is somebody else's.
enum Owner {
    /// This repository's.
    Ours,
    /// Nobody's. A start that was cut short may have made a name for it.
    Nobody(Option<String>),
}

impl Blobs {
    /// Makes sure that the bucket is that of this repository. A new one becomes that of the repository, after `prepare`
    /// has done what must be done once.
    ///
    /// # Errors
    /// `InvalidInput` in words: a bucket of another repository or of other things, one that is not there, credentials
    /// that are refused, a bucket that the configuration no longer names. `StoreFault` when it does not answer. What
    /// `prepare` says.
    pub async fn claim_bucket(
        &self,
        prepare: impl AsyncFnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let mark = self.mark();
        match &self.store {
            Some(store) => {
                let claimed = store.claim(&mark, prepare).await;
                claimed.map_err(|error| store.in_words(error))
            }
            None if mark.exists() => Err(refused(
                "its bytes lie in a bucket, which [bytes] in config.toml must name".into(),
            )),
            None => Ok(()),
        }
    }

    /// Whether the repository has had a bucket before.
    pub fn knows_its_bucket(&self) -> bool {
        self.mark().exists()
    }

    /// The file that says which bucket is that of the repository.
    pub(super) fn mark(&self) -> PathBuf {
        self.data_directory().join(OWNER)
    }
}

impl Store {
    async fn claim(
        &self,
        mark: &Path,
        prepare: impl AsyncFnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        if let Owner::Nobody(own) = self.owner(mark).await? {
            let own = match own {
                Some(own) => own,
                None => self.new_name(mark).await?,
            };
            prepare().await?;
            self.own(own).await?;
        }
        // Another thread has set it to the same.
        let _ = self.claimed.set(());
        Ok(())
    }

    /// Makes sure that a bucket that did not answer at the start is that of this repository.
    pub(super) async fn is_ours(&self, mark: &Path) -> io::Result<()> {
        let claimed = self.claimed.get_or_try_init(|| async {
            match self.owner(mark).await? {
                Owner::Ours => Ok(()),
                Owner::Nobody(_) => Err(StoreFault::NoBucket.into()),
            }
        });
        claimed.await.copied().map_err(|error| self.in_words(error))
    }

    /// Makes a bucket that was lost with its data directory that of this one. Only a rebuild does so.
    pub(super) async fn adopt(&self, mark: &Path) -> io::Result<()> {
        let found = none_if_missing(self.bucket.start(OWNER, LONGEST_OWNER).await)?;
        let own = found.ok_or_else(|| refused(format!("{} holds no repository", self.place)))?;
        keep(mark, &own.bytes)
    }

    async fn owner(&self, mark: &Path) -> io::Result<Owner> {
        let own = none_if_missing(regular_file::read_to_string(mark))?;
        let found = none_if_missing(self.bucket.start(OWNER, LONGEST_OWNER).await)?;
        match (own, found) {
            (own, None) => Ok(Owner::Nobody(own)),
            (Some(own), Some(found)) if own.as_bytes() == found.bytes => Ok(Owner::Ours),
            (_, Some(_)) => Err(refused(format!(
                "{} is that of another repository",
                self.place
            ))),
        }
    }

    async fn new_name(&self, mark: &Path) -> io::Result<String> {
        if !self.bucket.is_empty().await? {
            return Err(refused(format!(
                "{} has other things already; a new `prefix` keeps the repository apart from them",
                self.place
            )));
        }
        let own = Uuid::new_v4().to_string();
        keep(mark, own.as_bytes())?;
        Ok(own)
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

    pub(super) fn in_words(&self, error: io::Error) -> io::Error {
        let fault = error.get_ref().and_then(|inner| inner.downcast_ref());
        match fault {
            Some(StoreFault::NoBucket) => refused(format!("there is no {}", self.place)),
            Some(StoreFault::Denied) => refused(format!("{} refuses the credentials", self.place)),
            _ => error,
        }
    }
}

fn keep(mark: &Path, own: &[u8]) -> io::Result<()> {
    replace(mark, own, PRIVATE_FILE)?;
    sync_directory(above(mark))
}

pub(super) fn refused(words: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, words)
}

fn none_if_missing<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
