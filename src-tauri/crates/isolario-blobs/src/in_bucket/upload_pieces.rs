//! Copies of the bytes of unfinished uploads in the bucket, as far as they were acknowledged. The file in `uploads/` is
//! what is read. If this disk loses it, it is fetched.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use uuid::Uuid;

use super::{Store, UPLOADS};
use crate::disk::sync_directory;
use crate::stage::Temporary;
use crate::{Blobs, on_disk};
use isolario_bucket::parts_of;
use isolario_disk::regular_file;
use isolario_model::content::UploadPiece;
use isolario_platform::files;

/// Pieces that are put at the same time.
const AT_ONCE: usize = 4;

impl Blobs {
    /// Puts the bytes from `start` to `end` of an unfinished upload into the bucket, if new bytes go there.
    ///
    /// # Errors
    /// `StoreFault`; what the disk refuses.
    pub(crate) async fn put_pieces(
        &self,
        id: Uuid,
        start: u64,
        end: u64,
    ) -> io::Result<Vec<UploadPiece>> {
        let Some(store) = self.store.as_ref().filter(|store| !store.is_left()) else {
            return Ok(Vec::new());
        };
        if start == end {
            return Ok(Vec::new());
        }
        store.is_ours(&self.mark()).await?;
        let file = &Arc::new(regular_file::open(&self.partial(id))?);
        let pieces = stream::iter(parts_of(end - start)).map(|part| async move {
            let piece = UploadPiece {
                start: start + part.start,
                size: part.end - part.start,
                // Nobody knows of a former one at this place, so it is not written again.
                name: Uuid::new_v4().simple().to_string(),
            };
            let range = piece.start..piece.start + piece.size;
            store
                .bucket
                .put_range(&key(id, &piece), file, range)
                .await?;
            Ok(piece)
        });
        pieces.buffered(AT_ONCE).try_collect().await
    }

    /// Makes sure that this disk has the first bytes of an unfinished upload. If it has lost them, they are fetched from
    /// the bucket.
    ///
    /// # Errors
    /// `NotFound` where the pieces are not the whole; `StoreFault`; what the disk refuses.
    pub async fn restore_partial(
        &self,
        id: Uuid,
        received: u64,
        pieces: &[UploadPiece],
    ) -> io::Result<()> {
        let path = self.partial(id);
        let Some(store) = &self.store else {
            return Ok(());
        };
        let there = std::fs::symlink_metadata(&path).map(|about| about.len());
        if there.is_ok_and(|size| size >= received) {
            return Ok(());
        }
        if !is_whole(pieces, received) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let fetched = Arc::new(Temporary::new(&self.staging));
        let mut file = std::fs::File::create_new(&fetched.0)?;
        for piece in pieces {
            let bytes = store.bucket.get(&key(id, piece)).await?;
            file = on_disk(move || file.write_all(&bytes).map(|()| file)).await?;
        }
        let uploads = self.uploads.clone();
        on_disk(move || {
            file.sync_all()?;
            if file.metadata()?.len() != received {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            files::rename(&fetched.0, path)?;
            sync_directory(&uploads)
        })
        .await
    }

    /// Removes the pieces of all uploads but these from the bucket. It says how many uploads these are of. A bucket that
    /// has not answered keeps them for the next start.
    pub async fn remove_pieces_but_of(&self, uploads: &HashSet<Uuid>) -> usize {
        let Some(store) = self.store.as_ref().filter(|store| store.is_claimed()) else {
            return 0;
        };
        match store.remove_pieces_but_of(uploads).await {
            Ok(removed) => removed,
            Err(error) => {
                tracing::warn!(%error, "parts of uploads stay in the bucket until the next start");
                0
            }
        }
    }

    /// Removes the pieces of an upload from the bucket.
    pub(crate) async fn remove_pieces(&self, id: Uuid) {
        let Some(store) = self.store.as_ref().filter(|store| !store.is_left()) else {
            return;
        };
        let removed = async {
            store.is_ours(&self.mark()).await?;
            store.bucket.remove_below(&directory(id)).await
        };
        if let Err(error) = removed.await {
            tracing::warn!(%error, %id, "parts of an upload stay in the bucket until the next start");
        }
    }
}

impl Store {
    async fn remove_pieces_but_of(&self, uploads: &HashSet<Uuid>) -> io::Result<usize> {
        let mut strays = HashSet::new();
        for name in self.bucket.names_below(UPLOADS).await? {
            let id = name
                .strip_prefix(UPLOADS)
                .and_then(|below| below.split('/').nth(1));
            let id = id.and_then(|id| Uuid::parse_str(id).ok());
            strays.extend(id.filter(|id| !uploads.contains(id)));
        }
        for id in &strays {
            self.bucket.remove_below(&directory(*id)).await?;
        }
        Ok(strays.len())
    }
}

/// Whether pieces follow one another from the first byte to the last one.
fn is_whole(pieces: &[UploadPiece], received: u64) -> bool {
    let mut end = 0;
    let follow = pieces.iter().all(|piece| {
        let follows = piece.start == end;
        end = piece.start + piece.size;
        follows
    });
    follow && end == received
}

fn directory(id: Uuid) -> String {
    format!("{UPLOADS}/{}", id.simple())
}

fn key(id: Uuid, piece: &UploadPiece) -> String {
    format!("{}/{}-{}", directory(id), piece.start, piece.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_from_the_first_byte_to_the_last() {
        let piece = |start, size| UploadPiece {
            start,
            size,
            name: String::new(),
        };
        assert!(is_whole(&[], 0));
        assert!(is_whole(&[piece(0, 5), piece(5, 2)], 7));
        for (pieces, received) in [
            (vec![], 1),
            (vec![piece(0, 5), piece(6, 1)], 7),
            (vec![piece(1, 6)], 7),
            (vec![piece(0, 5)], 7),
        ] {
            assert!(!is_whole(&pieces, received), "{pieces:?}");
        }
    }
}
