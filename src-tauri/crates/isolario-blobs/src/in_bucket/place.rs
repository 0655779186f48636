//! Puts staged bytes into the bucket, and removes them there.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{IN_BUCKET, NotedBlob, Store, key_of, location_of};
use crate::early_upload::{EarlyUpload, PutBlob};
use crate::in_flight::InFlight;
use crate::notes::Note;
use crate::ocfl::Location;
use crate::place::PlacedBlob;
use crate::{BlobLocation, Blobs, StagedBlob, disk_name, name, on_disk};
use isolario_bucket::{FileGrowth, Progress, part_size};
use isolario_disk::disk_fault::{DiskFault, StoreFault};
use isolario_disk::faults;
use isolario_disk::regular_file;
use isolario_model::content::file_url;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// The longest path, in bytes, that is a part of a name. A key has at most 1024 bytes (Amazon S3, Object key naming).
const LONGEST_PATH: usize = 500;

impl Blobs {
    /// The bucket that takes the bytes of a file, if one does.
    pub(crate) async fn store_for(&self, location: &BlobLocation) -> Option<(&Store, InFlight)> {
        let store = self.store.as_ref()?;
        let former = location.replaced.as_deref();
        let former = former.filter(|_| !location.is_public());
        let takes_it = || match former {
            Some(former) if Blobs::object_in_bucket(former).is_some() => true,
            Some(former) if Location::parse(former).is_some() => false,
            _ => !store.is_left(),
        };
        if !takes_it() {
            return None;
        }
        let in_flight = store.in_flight().await;
        // It may have been left meanwhile.
        takes_it().then_some((store, in_flight))
    }

    /// Puts staged bytes into the bucket under a name that nobody else can have, unless they are there already. The name
    /// is noted on disk before, so the next start removes what was not committed.
    ///
    /// # Errors
    /// As `claim_bucket`; `StoreFault`; what the disk refuses.
    pub(crate) async fn place_in_bucket(
        &self,
        store: &Store,
        mut staged: StagedBlob,
        location: &BlobLocation,
        in_flight: InFlight,
    ) -> io::Result<PlacedBlob> {
        let early = staged.early.take();
        let early = early.filter(|early| early.blob == name_with(location, &early.random));
        if let Some(early) = early {
            match early.finish().await {
                Ok(put) => return Ok(PlacedBlob::in_bucket(put, staged)),
                // The store may have come back since.
                Err(error) => tracing::warn!(%error, "an upload is put into the bucket again"),
            }
        }
        let blob = name_with(location, &random());
        let (path, growth) = (staged.temporary.0.clone(), FileGrowth::whole(staged.size));
        let put = self.put(store, blob, &path, &growth, in_flight).await?;
        Ok(PlacedBlob::in_bucket(put, staged))
    }

    /// Puts a file into the bucket while it is written. Returns nothing for one that is too small for that.
    pub(crate) fn put_early(
        &self,
        store: &Store,
        location: &BlobLocation,
        path: &Path,
        size: u64,
        in_flight: InFlight,
    ) -> Option<Box<EarlyUpload>> {
        if size <= part_size(size) {
            return None;
        }
        let (sender, progress) = watch::channel(Progress::Written(0));
        let random = random();
        let blob = name_with(location, &random);
        let growth = FileGrowth { size, progress };
        let (blobs, own, path) = (self.clone(), store.clone(), path.to_owned());
        let name = blob.clone();
        let putting = store.runtime.spawn(async move {
            // Before, there is no file.
            growth.written(1).await?;
            blobs.put(&own, name, &path, &growth, in_flight).await
        });
        Some(Box::new(EarlyUpload {
            blob,
            random,
            blobs: self.clone(),
            progress: sender,
            putting: Some(putting),
        }))
    }

    /// Takes back a blob that was put early for nobody.
    pub(crate) fn take_back_early(&self, putting: JoinHandle<io::Result<PutBlob>>) {
        let Some(store) = &self.store else {
            return;
        };
        let blobs = self.clone();
        store.runtime.spawn(async move {
            if let Ok(Ok(put)) = putting.await
                && let Err(error) = blobs.reclaim_from_bucket(put.blob, put.note).await
            {
                tracing::warn!(%error, "an upload is removed from the bucket at the next start");
            }
        });
    }

    /// Puts a blob. It is noted before, and an upload in parts also before it has a part.
    async fn put(
        &self,
        store: &Store,
        blob: String,
        path: &Path,
        growth: &FileGrowth,
        in_flight: InFlight,
    ) -> io::Result<PutBlob> {
        store.is_ours(&self.mark()).await?;
        let file = Arc::new(regular_file::open(path)?);
        let key = key_of(&blob).unwrap_or_default();
        let mut noted = NotedBlob::of(blob);
        let mut note = self.note_on_disk(None, &noted).await?;
        faults::point("noted");
        let size = growth.size;
        let put = if size <= part_size(size) {
            store.bucket.put_range(&key, &file, 0..size).await
        } else {
            let upload = store.bucket.begin_upload(&key).await?;
            noted.upload = Some(upload.clone());
            note = match self.note_on_disk(Some(note), &noted).await {
                Ok(note) => note,
                Err(error) => {
                    self.take_back_from_bucket(&noted).await;
                    return Err(error);
                }
            };
            store.bucket.put_parts(&key, &upload, &file, growth).await
        };
        match put {
            Ok(()) => Ok(PutBlob {
                blob: noted.blob,
                note,
                in_flight,
            }),
            Err(error) => {
                // If a request failed, the store may still get to it, so the note stays. What is there goes now.
                let is_over = error.kind() == io::ErrorKind::UnexpectedEof && growth.is_abandoned();
                if self.take_back_from_bucket(&noted).await && is_over {
                    self.strike_out(note).await?;
                }
                Err(error)
            }
        }
    }

    async fn note_on_disk(&self, former: Option<Note>, noted: &NotedBlob) -> io::Result<Note> {
        let (blobs, text) = (self.clone(), noted.to_string());
        on_disk(move || match former {
            Some(former) => blobs.unsettled.replace(former, &text, &blobs.syncs),
            None => blobs.unsettled.note(&text, vec![], &blobs.syncs),
        })
        .await
    }

    /// Takes back a placed blob that was not committed. Its note stays if the bucket does not do so.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(crate) async fn reclaim_from_bucket(&self, blob: String, note: Note) -> io::Result<()> {
        // Its upload is done.
        match self.take_back_from_bucket(&NotedBlob::of(blob)).await {
            true => self.strike_out(note).await,
            false => Ok(()),
        }
    }

    async fn strike_out(&self, note: Note) -> io::Result<()> {
        let blobs = self.clone();
        on_disk(move || blobs.unsettled.delete(note)).await
    }

    /// Takes back a blob in the bucket that was not committed. Its note has to stay if this says false.
    pub(crate) async fn take_back_from_bucket(&self, noted: &NotedBlob) -> bool {
        match self.try_to_take_back(noted).await {
            Ok(()) => true,
            Err(error) => {
                let blob = &noted.blob;
                tracing::warn!(%error, blob, "an upload is removed from the bucket at the next start");
                false
            }
        }
    }

    async fn try_to_take_back(&self, noted: &NotedBlob) -> io::Result<()> {
        self.erase_in_bucket(&noted.blob).await?;
        let (Some(store), Some(upload)) = (&self.store, &noted.upload) else {
            return Ok(());
        };
        let key = key_of(&noted.blob).unwrap_or_default();
        match store.bucket.end_upload(&key, upload).await {
            // Some stores say so of an upload that is done. The removal was not denied.
            Err(error) if DiskFault::of(&error) == DiskFault::Store(StoreFault::Denied) => Ok(()),
            outcome => outcome,
        }
    }

    /// Removes one blob in the bucket, if it is there.
    ///
    /// # Errors
    /// `StoreFault`; `NotFound` where the repository has no bucket.
    pub(crate) async fn erase_in_bucket(&self, blob: &str) -> io::Result<()> {
        let store = self.store.as_ref().ok_or(io::ErrorKind::NotFound)?;
        store.cache.forget(blob);
        store.bucket.remove(&key_of(blob).unwrap_or_default()).await
    }

    /// Removes a blob in the bucket for good, or the whole object of its file.
    ///
    /// # Errors
    /// As `erase_in_bucket`.
    pub(crate) async fn purge_in_bucket(&self, blob: &str) -> io::Result<()> {
        let Some(location) = location_of(blob) else {
            return self.erase_in_bucket(blob).await;
        };
        let store = self.store.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let _turn = self.objects.turn(location.file()).await;
        store.cache.forget(blob);
        store.bucket.remove_below(&location.object_key()).await
    }

    /// Whether a name is that of a blob in a bucket.
    pub fn is_in_bucket(blob: &str) -> bool {
        blob.starts_with(IN_BUCKET)
    }
}

fn random() -> String {
    Uuid::new_v4().simple().to_string()
}

/// The name of a blob, with a part that nobody else has.
fn name_with(location: &BlobLocation, random: &str) -> String {
    let path = &location.uri.path;
    if location.is_public() {
        let path = disk_name::portable_path(path);
        let path = match path.len() > LONGEST_PATH {
            true => name::basename(&path),
            false => &path,
        };
        let path = name::marked(path, &format!(".{random}"));
        return format!("{IN_BUCKET}{}/{path}", file_url::PUBLIC);
    }
    let former = location.replaced.as_deref().and_then(location_of);
    let in_object = Location::after(former.as_ref(), location.uuid, random, path);
    format!("{IN_BUCKET}{in_object}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_model::content::FileUri;

    fn new_name(location: &BlobLocation) -> String {
        name_with(location, &random())
    }

    fn location(scheme: &str, path: &str) -> BlobLocation {
        BlobLocation::new(FileUri::new(scheme, path))
    }

    #[test]
    fn a_name_is_the_path_with_a_random_part_unless_a_store_could_not_take_it() {
        let name = |path: &str| new_name(&location(file_url::PUBLIC, path));
        assert!(name("a/b.png").starts_with("bucket/public/a/b."));
        assert_ne!(name("a/b.png"), name("a/b.png"));
        let long = format!("{}/b.png", "d/".repeat(400));
        assert!(name(&long).starts_with("bucket/public/b."));
        let longest = new_name(&location("fedora", &"n".repeat(255)));
        assert!(
            key_of(&longest).is_some_and(|key| key.len() < 700),
            "{longest}"
        );
    }

    #[test]
    fn versions_in_the_bucket_follow_one_another_and_none_on_the_disk() {
        let mut location = location("fedora", "a.txt");
        location.replaced = Some(format!("ocfl/{}/v4/v4/content/a.txt", location.uuid));
        let first = new_name(&location);
        assert!(first.starts_with(&format!("bucket/ocfl/{}/v1/v1/content/", location.uuid)));
        location.replaced = Some(first);
        let second = new_name(&location);
        assert!(second.starts_with(&format!("bucket/ocfl/{}/v2/v2/content/", location.uuid)));
    }
}
