//! Puts staged bytes into the bucket, and removes them there.

use std::io;
use std::sync::Arc;

use super::{IN_BUCKET, NotedBlob, Store, key_of, location_of};
use crate::in_flight::InFlight;
use crate::notes::Note;
use crate::ocfl::Location;
use crate::place::PlacedBlob;
use crate::{BlobLocation, Blobs, StagedBlob, name, on_disk};
use isolario_bucket::part_size;
use isolario_disk::disk_fault::{DiskFault, StoreFault};
use isolario_disk::faults;
use isolario_disk::regular_file;
use isolario_model::content::file_url;
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

    /// Puts staged bytes into the bucket under a name that nobody else can have. The name is noted on disk before, so
    /// the next start removes what was not committed.
    ///
    /// # Errors
    /// As `claim_bucket`; `StoreFault`; what the disk refuses.
    pub(crate) async fn place_in_bucket(
        &self,
        store: &Store,
        staged: StagedBlob,
        location: &BlobLocation,
        in_flight: InFlight,
    ) -> io::Result<PlacedBlob> {
        store.is_ours(&self.mark()).await?;
        let blob = new_name(location);
        let noted = NotedBlob::of(blob);
        let note = self.note_on_disk(None, &noted).await?;
        faults::point("noted");
        let note = self.put(store, &staged, noted.clone(), note).await?;
        Ok(PlacedBlob::in_bucket(noted.blob, note, staged, in_flight))
    }

    /// Puts the bytes of a noted blob. An upload in parts is noted, too, before it has a part. If it fails, the note
    /// stays, because the store may still get to it; what is there already goes now.
    async fn put(
        &self,
        store: &Store,
        staged: &StagedBlob,
        mut noted: NotedBlob,
        mut note: Note,
    ) -> io::Result<Note> {
        let key = key_of(&noted.blob).unwrap_or_default();
        let file = Arc::new(regular_file::open(&staged.temporary.0)?);
        let put = if staged.size <= part_size(staged.size) {
            store.bucket.put_range(&key, &file, 0..staged.size).await
        } else {
            let upload = store.bucket.begin_upload(&key).await?;
            noted.upload = Some(upload.clone());
            note = self.note_on_disk(Some(note), &noted).await?;
            store
                .bucket
                .put_parts(&key, &upload, &file, staged.size)
                .await
        };
        if put.is_err() {
            self.take_back_from_bucket(&noted).await;
        }
        put.map(|()| note)
    }

    async fn note_on_disk(&self, former: Option<Note>, noted: &NotedBlob) -> io::Result<Note> {
        let (blobs, text) = (self.clone(), noted.to_string());
        on_disk(move || match former {
            Some(former) => blobs.unsettled.replace(former, &text, &blobs.syncs),
            None => blobs.unsettled.note(&text, vec![], &blobs.syncs),
        })
        .await
    }

    /// Takes back a placed blob that was not committed. Its note has to stay if this says false.
    pub(crate) async fn reclaim_from_bucket(&self, blob: &str) -> bool {
        // Its upload is done.
        let noted = NotedBlob::of(blob.to_owned());
        self.take_back_from_bucket(&noted).await
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

fn new_name(location: &BlobLocation) -> String {
    let random = Uuid::new_v4().simple().to_string();
    let path = &location.uri.path;
    if location.is_public() {
        let path = match path.len() > LONGEST_PATH {
            true => name::basename(path),
            false => path,
        };
        let path = name::marked(path, &format!(".{random}"));
        return format!("{IN_BUCKET}{}/{path}", file_url::PUBLIC);
    }
    let former = location.replaced.as_deref().and_then(location_of);
    let in_object = Location::after(former.as_ref(), location.uuid, &random, path);
    format!("{IN_BUCKET}{in_object}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_model::content::FileUri;

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
