//! Makes sure that a bucket is that of the repository, before anything is put into it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use bytes::Bytes;

use super::{RECORDS, Store, UPLOADS, ocfl};
use crate::Blobs;
use isolario_disk::disk_fault::StoreFault;
use isolario_disk::durable::{PRIVATE_FILE, above, replace, sync_directory};
use isolario_disk::regular_file;
use isolario_model::content::file_url;
use isolario_platform::files;
use uuid::Uuid;

/// Name of the file in the data directory that says which bucket is that of the repository, and key of the object that
/// says it in the bucket.
pub(super) const OWNER: &str = "isolario-bucket";
/// Bytes of what the object says, and one more.
const LONGEST_OWNER: u64 = 37;
/// Second line of the file of a repository whose bytes go back to the disk.
const LEFT: &str = "left";
/// What a repository has in its bucket, beside the object that says whose it is.
const TREES: [&str; 4] = ["ocfl", file_url::PUBLIC, RECORDS, UPLOADS];

/// Whose a bucket is, unless it is somebody else's.
enum Owner {
    /// This repository's.
    Ours,
    /// Nobody's. A start that was cut short may have made a name for it.
    Nobody(Option<String>),
}

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    /// What the object says, too.
    own: String,
    is_left: bool,
}

impl Mark {
    fn new(own: String) -> Mark {
        Mark {
            own,
            is_left: false,
        }
    }

    /// Reads the file; `None` where there is none.
    fn read(path: &Path) -> io::Result<Option<Mark>> {
        let text = none_if_missing(regular_file::read_to_string(path))?;
        Ok(text.map(|text| {
            let mut lines = text.lines();
            Mark {
                own: lines.next().unwrap_or_default().to_owned(),
                is_left: lines.next() == Some(LEFT),
            }
        }))
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        replace(path, self.to_string().as_bytes(), PRIVATE_FILE)?;
        sync_directory(above(path))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.own)?;
        match self.is_left {
            true => write!(f, "\n{LEFT}"),
            false => Ok(()),
        }
    }
}

/// Whether the file of a repository says that its bytes go back to the disk. One that cannot be read is met when the
/// bucket is claimed.
pub(super) fn is_left(mark: &Path) -> bool {
    matches!(Mark::read(mark), Ok(Some(Mark { is_left: true, .. })))
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
            Some(store) if store.is_left() => {
                let owner = store.owner(&mark).await;
                owner.map(drop).map_err(|error| store.in_words(error))
            }
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

    /// Lets new bytes go into the bucket again, if they went to the disk. `prepare` does what must be done then.
    ///
    /// # Errors
    /// As `claim_bucket`; `InvalidInput` in words where the configuration names no bucket.
    pub async fn enter_bucket(
        &self,
        prepare: impl AsyncFnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let (store, mark) = (self.store()?, self.mark());
        if !store.is_left() {
            return store.is_ours(&mark).await;
        }
        let entered = store.enter(&mark, prepare).await;
        entered.map_err(|error| store.in_words(error))
    }

    /// Lets new bytes go to the disk, also after the next start. Those in the bucket stay there.
    ///
    /// # Errors
    /// As `enter_bucket`.
    pub async fn leave_bucket(&self) -> io::Result<()> {
        let (store, mark) = (self.store()?, self.mark());
        if store.is_left() {
            return Ok(());
        }
        store.is_ours(&mark).await?;
        if let Some(known) = Mark::read(&mark)? {
            let left = Mark {
                is_left: true,
                ..known
            };
            left.write(&mark)?;
        }
        store.is_left.store(true, Ordering::Release);
        Ok(())
    }

    /// Gives up a bucket that was left: removes what the repository has there, and needs no `[bytes]` from then on.
    /// `is_unused` says whether the database names nothing in it. Returns false if it does, or if something is on its
    /// way there.
    ///
    /// # Errors
    /// As `enter_bucket`; what `is_unused` says.
    pub async fn give_up_bucket(
        &self,
        is_unused: impl AsyncFnOnce() -> io::Result<bool>,
    ) -> io::Result<bool> {
        let (store, mark) = (self.store()?, self.mark());
        let Ok(_nothing_in_flight) = store.in_flight.try_write() else {
            return Ok(false);
        };
        if !store.is_left() || !is_unused().await? {
            return Ok(false);
        }
        if !mark.exists() {
            return Ok(true);
        }
        for tree in TREES {
            store.bucket.remove_below(tree).await?;
        }
        store.bucket.remove(OWNER).await?;
        files::remove_file(&mark)?;
        sync_directory(above(&mark))?;
        Ok(true)
    }

    fn store(&self) -> io::Result<&Store> {
        let none = || refused("[bytes] in config.toml names no bucket".into());
        self.store.as_ref().ok_or_else(none)
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
            let own = self.name(mark, own).await?;
            prepare().await?;
            self.own(own).await?;
        }
        // Another thread has set it to the same.
        let _ = self.claimed.set(());
        Ok(())
    }

    async fn enter(
        &self,
        mark: &Path,
        prepare: impl AsyncFnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        match self.owner(mark).await? {
            Owner::Nobody(own) => {
                let own = self.name(mark, own).await?;
                self.own(own).await?;
            }
            // Those of things that were purged since are not to come back.
            Owner::Ours => self.bucket.remove_below(RECORDS).await?,
        }
        if let Some(own) = Mark::read(mark)? {
            let entered = Mark {
                is_left: false,
                ..own
            };
            entered.write(mark)?;
        }
        self.is_left.store(false, Ordering::Release);
        // Records that were written since it was left are not there.
        prepare().await
    }

    /// The name that a former start has made, or a new one.
    async fn name(&self, mark: &Path, own: Option<String>) -> io::Result<String> {
        match own {
            Some(own) => Ok(own),
            None => self.new_name(mark).await,
        }
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
        let own = String::from_utf8_lossy(&own.bytes).into_owned();
        Mark::new(own).write(mark)
    }

    async fn owner(&self, mark: &Path) -> io::Result<Owner> {
        let own = Mark::read(mark)?.map(|mark| mark.own);
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
        Mark::new(own.clone()).write(mark)?;
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
