//! Places staged bytes under their lasting name.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::beside::Beside;
use super::blob_location::BlobLocation;
use super::disk::Scratch;
use super::early_upload::PutBlob;
use super::in_flight::InFlight;
use super::notes::Note;
use super::ocfl::{Location, ObjectLock, Signature, StorageRoot};
use super::{Blobs, StagedBlob, disk_name, name, on_disk};
use isolario_platform::files;

/// Where staged bytes go, with their author.
#[derive(Debug, Clone)]
pub struct Deposit {
    pub location: BlobLocation,
    pub signature: Signature,
}

/// A blob under its lasting name. It is visible only after the commit. Until then a note names it, so that the start
/// after a crash removes it.
#[derive(Debug)]
#[must_use = "settle it after the commit, discard it when the commit was refused"]
pub struct PlacedBlob {
    /// Name of the blob, as the database stores it.
    pub blob: String,
    note: Note,
    /// Removes the bytes with itself that the object had already.
    staged: StagedBlob,
    /// Of bytes in an object.
    turn: Option<ObjectLockGuard>,
    /// Of bytes in a bucket.
    in_flight: Option<InFlight>,
}

/// Where bytes can lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Destination {
    Disk,
    Bucket,
}

/// The lock of an object, and a spare directory for a rollback, because a full disk may have no space for one.
#[derive(Debug)]
struct ObjectLockGuard {
    spare: Scratch,
    _turn: Arc<ObjectLock>,
}

impl PlacedBlob {
    /// A blob in a bucket.
    pub(super) fn in_bucket(put: PutBlob, staged: StagedBlob) -> PlacedBlob {
        PlacedBlob {
            blob: put.blob,
            note: put.note,
            staged,
            turn: None,
            in_flight: Some(put.in_flight),
        }
    }
}

impl Blobs {
    /// Places staged bytes. In the public tree they get a name that never existed before: the natural one for a first
    /// version, a numbered one for a replacement, a random one if that name exists; `disk_name` makes them. In the storage root they become the
    /// next version of the object of the file. Bytes, names and directories are on disk when this returns. If the
    /// repository has a bucket, they are in the bucket instead. An object is whole in one place, so its next version
    /// goes where the former ones are.
    ///
    /// # Errors
    /// What the disk or the bucket refuses.
    pub async fn place(&self, mut staged: StagedBlob, deposit: &Deposit) -> io::Result<PlacedBlob> {
        if let Some((store, in_flight)) = self.store_for(&deposit.location).await {
            return self
                .place_in_bucket(store, staged, &deposit.location, in_flight)
                .await;
        }
        // What is in the bucket already is taken back.
        staged.early = None;
        let turn = self.turn_for(&deposit.location).await;
        self.place_on_disk(staged, deposit.clone(), turn).await
    }

    /// Places the versions of one file, in their order, where they are said to go. Each follows the one before it. All
    /// are placed, or none.
    ///
    /// # Errors
    /// As `place`; `NotFound` where there is no bucket.
    pub async fn place_versions(
        &self,
        versions: Vec<(StagedBlob, Deposit)>,
        destination: Destination,
    ) -> io::Result<Vec<PlacedBlob>> {
        let turn = match versions.first() {
            Some((_, first)) if destination == Destination::Disk => {
                self.turn_for(&first.location).await
            }
            _ => None,
        };
        let mut placed: Vec<PlacedBlob> = Vec::new();
        for (staged, mut deposit) in versions {
            if let Some(former) = placed.last() {
                deposit.location.replaced = Some(former.blob.clone());
            }
            let outcome = match (destination, &self.store) {
                (Destination::Disk, _) => self.place_on_disk(staged, deposit, turn.clone()).await,
                (_, Some(store)) => {
                    let in_flight = store.in_flight().await;
                    self.place_in_bucket(store, staged, &deposit.location, in_flight)
                        .await
                }
                (_, None) => Err(io::ErrorKind::NotFound.into()),
            };
            match outcome {
                Ok(one) => placed.push(one),
                Err(error) => {
                    self.discard_versions(placed).await;
                    return Err(error);
                }
            }
        }
        Ok(placed)
    }

    /// Removes the placed versions of a file after a refused commit, the last one first.
    pub async fn discard_versions(&self, placed: Vec<PlacedBlob>) {
        for one in placed.into_iter().rev() {
            self.discard(one).await;
        }
    }

    /// The lock of the object into which bytes go on the disk, if they go into one.
    async fn turn_for(&self, location: &BlobLocation) -> Option<Arc<ObjectLock>> {
        match location.is_public() {
            true => None,
            false => Some(Arc::new(self.objects.turn(location.uuid).await)),
        }
    }

    async fn place_on_disk(
        &self,
        staged: StagedBlob,
        deposit: Deposit,
        turn: Option<Arc<ObjectLock>>,
    ) -> io::Result<PlacedBlob> {
        let blobs = self.clone();
        on_disk(move || match turn {
            Some(turn) => blobs.place_in_object(staged, &deposit, turn),
            None => blobs.place_in_tree(staged, &deposit.location),
        })
        .await
    }

    fn place_in_tree(&self, staged: StagedBlob, location: &BlobLocation) -> io::Result<PlacedBlob> {
        let path = name::of_version(&location.uri.path, location.version);
        let path = disk_name::folded_path(&path);
        let in_tree = |path: &str| format!("{}/{path}", location.uri.scheme);
        let natural = in_tree(&path);
        let outcome = self.adopt(&staged, &natural);
        let free = match outcome.as_ref().map_err(io::Error::kind) {
            Err(io::ErrorKind::AlreadyExists) => Some(path.as_str()),
            // A file has the name of a directory of the path.
            Err(io::ErrorKind::NotADirectory) => Some(name::basename(&path)),
            _ => None,
        };
        let placed = match free {
            Some(path) => {
                let random = uuid::Uuid::new_v4().simple().to_string();
                let other = in_tree(&name::marked(path, &format!(".{random}")));
                self.adopt(&staged, &other).map(|note| (other, note))
            }
            None => outcome.map(|note| (natural, note)),
        };
        placed.map(|(blob, note)| PlacedBlob {
            blob,
            note,
            staged,
            turn: None,
            in_flight: None,
        })
    }

    fn adopt(&self, staged: &StagedBlob, blob: &str) -> io::Result<Note> {
        // Beside the note, and not in turn with the bytes of others, where single files wait longer.
        let (synced, note) = std::thread::scope(|scope| {
            let sync = || files::sync_path(&staged.temporary.0);
            let bytes = (!staged.synced).then(|| Beside::begin(scope, sync));
            let note = self.unsettled.note(blob, vec![], &self.syncs);
            let synced = bytes.map_or(Ok(()), Beside::outcome);
            (synced, note)
        });
        let note = note?;
        match synced.and_then(|()| self.tree.adopt(&staged.temporary.0, blob)) {
            Ok(()) => Ok(note),
            Err(error) => {
                self.unsettled.delete(note)?;
                Err(error)
            }
        }
    }

    fn place_in_object(
        &self,
        staged: StagedBlob,
        deposit: &Deposit,
        turn: Arc<ObjectLock>,
    ) -> io::Result<PlacedBlob> {
        let Deposit {
            location,
            signature,
        } = deposit;
        if let Some(replaced) = location.replaced.as_deref().and_then(Location::parse) {
            self.objects.refuse_lost(&replaced)?;
        }
        let addition =
            self.objects
                .plan(location.uuid, &staged.sha512, &location.uri.path, signature)?;
        let spare = self.objects.spare(&addition.location)?;
        let blob = addition.location.to_string();
        let mut built = self.objects.build(&addition, &staged.temporary.0)?;
        let mut made = std::mem::take(&mut built.made);
        if !staged.synced {
            made.extend(built.content.clone());
        }
        let note = self.unsettled.note(&blob, made, &self.syncs)?;
        if let Err(error) = self.objects.publish(&addition.location, &built) {
            // If this fails too, the note stays, and the next start does it.
            self.objects.take_back(&addition.location, &spare)?;
            self.unsettled.delete(note)?;
            return Err(error);
        }
        Ok(PlacedBlob {
            blob,
            note,
            staged,
            turn: Some(ObjectLockGuard { spare, _turn: turn }),
            in_flight: None,
        })
    }

    /// Settles a blob after the commit: it belongs to a file. New bytes in a bucket are kept in the cache.
    pub async fn settle(&self, placed: PlacedBlob) {
        self.strike(placed, true).await;
    }

    /// Settles a blob that was moved. Nobody has asked for it lately.
    pub async fn settle_moved(&self, placed: PlacedBlob) {
        self.strike(placed, false).await;
    }

    async fn strike(&self, placed: PlacedBlob, is_recent: bool) {
        let blobs = self.clone();
        let struck = on_disk(move || {
            let PlacedBlob {
                blob,
                note,
                staged,
                turn,
                in_flight,
            } = placed;
            let struck = blobs.unsettled.delete(note);
            if is_recent
                && in_flight.is_some()
                && let Some(store) = &blobs.store
                && let Err(error) = store.cache.keep(&blob, &staged.temporary, staged.size)
            {
                tracing::warn!(%error, "the cache of the bucket cannot be written");
            }
            drop((staged, turn, in_flight));
            struck
        });
        if let Err(error) = struck.await {
            // Harmless: the next start finds the bytes in the database.
            tracing::warn!(%error, "the note of a placed upload could not be struck out");
        }
    }

    /// Removes a blob after a refused commit.
    pub async fn discard(&self, placed: PlacedBlob) {
        if let Err(error) = self.reclaim(placed).await {
            tracing::warn!(%error, "a refused upload is removed at the next start");
        }
    }

    /// Takes back a blob that was not committed, so that it can be placed elsewhere.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn reclaim(&self, placed: PlacedBlob) -> io::Result<StagedBlob> {
        let blobs = self.clone();
        if Blobs::is_in_bucket(&placed.blob) {
            let PlacedBlob { blob, note, .. } = placed;
            self.reclaim_from_bucket(blob, note).await?;
            return Ok(placed.staged);
        }
        on_disk(move || {
            let staged = &placed.staged.temporary.0;
            match (Location::parse(&placed.blob), &placed.turn) {
                (Some(location), Some(turn)) => {
                    blobs.objects.take_back(&location, &turn.spare)?;
                    if let Some(bytes) = StorageRoot::withdrawn(&location, &turn.spare) {
                        files::rename(bytes, staged)?;
                    }
                }
                _ => blobs.tree.take_back(&placed.blob, staged)?,
            }
            blobs.unsettled.delete(placed.note)?;
            Ok(placed.staged)
        })
        .await
    }

    /// The path of a blob of a plain tree; `None` for one of the storage root or of a bucket.
    pub fn plain_path(&self, blob: &str) -> Option<PathBuf> {
        match Location::parse(blob) {
            Some(_) => None,
            None if Blobs::is_in_bucket(blob) => None,
            None => self.tree.locate(blob).ok(),
        }
    }

    /// The path of a blob on disk.
    pub(super) fn locate(&self, blob: &str) -> io::Result<PathBuf> {
        match Location::parse(blob) {
            Some(location) => Ok(self.objects.locate(&location)),
            None => self.tree.locate(blob),
        }
    }
}
