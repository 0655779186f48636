//! The tiles of large pictures, which are made when somebody views one closely: a zip for each content, named by its
//! SHA-512. They are a cache. The least recently used go first, and nothing is lost with them.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytes::Bytes;
use zip::ZipArchive;
use zip::result::ZipError;

use super::cache::evict;
use super::{Blobs, StagedBlob, on_disk};
use isolario_disk::regular_file;
use isolario_platform::files;

/// Bytes of all zips. That of a picture of 100 million pixels has some 60 MB.
const MOST: u64 = 4 << 30;
/// Bytes of a tile, and of what the zip says of itself.
const LARGEST_ENTRY: u64 = 8 << 20;
/// The entry that says how large the picture and its tiles are.
const INFO: &str = "info.json";

impl Blobs {
    /// What the tiles of a content say of themselves; `None` where there are none.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn tile_info(&self, sha512: &str) -> io::Result<Option<Bytes>> {
        self.tile_entry(sha512, INFO.to_owned()).await
    }

    /// A tile of a content, as JPEG; `None` where there is none.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn tile(
        &self,
        sha512: &str,
        (level, column, row): (u32, u32, u32),
    ) -> io::Result<Option<Bytes>> {
        let read = self.with_tiles(sha512, move |tiles| tiles.tile(level, column, row));
        Ok(read.await?.transpose()?.flatten())
    }

    /// Keeps the tiles of a content, and removes those that were not used for the longest time if there are too many.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn keep_tiles(&self, sha512: &str, tiles: StagedBlob) -> io::Result<()> {
        let place = self.tiles_at(sha512)?;
        on_disk(move || {
            files::rename(&tiles.temporary.0, &place)?;
            place.parent().map_or(Ok(0), |cache| evict(cache, MOST))?;
            Ok(())
        })
        .await
    }

    /// Does something with the tiles of a content, beside the threads that answer requests; `None` where there are none.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn with_tiles<T: Send + 'static>(
        &self,
        sha512: &str,
        act: impl FnOnce(&mut TileArchive) -> T + Send + 'static,
    ) -> io::Result<Option<T>> {
        let place = self.tiles_at(sha512)?;
        on_disk(move || Ok(TileArchive::open(&place)?.map(|mut tiles| act(&mut tiles)))).await
    }

    async fn tile_entry(&self, sha512: &str, name: String) -> io::Result<Option<Bytes>> {
        let read = self.with_tiles(sha512, move |tiles| tiles.entry(&name));
        Ok(read.await?.transpose()?.flatten())
    }

    fn tiles_at(&self, sha512: &str) -> io::Result<PathBuf> {
        let is_digest = sha512.len() == 128 && sha512.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_digest {
            true => Ok(self.tiles.join(format!("{sha512}.zip"))),
            false => Err(ErrorKind::InvalidInput.into()),
        }
    }
}

/// The tiles of a content, open.
pub struct TileArchive(ZipArchive<io::BufReader<File>>);

impl TileArchive {
    fn open(place: &Path) -> io::Result<Option<TileArchive>> {
        let file = match regular_file::open(place) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // The time of the last use. Without it, the tiles may be made once more than needed.
        let _ = file.set_modified(SystemTime::now());
        match ZipArchive::new(io::BufReader::new(file)) {
            Ok(archive) => Ok(Some(TileArchive(archive))),
            // Tiles are not synced: a power cut leaves their name and not all of their bytes. They are cut once more.
            Err(ZipError::InvalidArchive(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A tile as JPEG; `None` where there is none.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn tile(&mut self, level: u32, column: u32, row: u32) -> io::Result<Option<Bytes>> {
        self.entry(&format!("{level}/{column}_{row}.jpg"))
    }

    fn entry(&mut self, name: &str) -> io::Result<Option<Bytes>> {
        let entry = match self.0.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut bytes = Vec::new();
        entry.take(LARGEST_ENTRY).read_to_end(&mut bytes)?;
        Ok(Some(bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::blobs;
    use super::*;

    #[tokio::test]
    async fn there_are_none_of_what_nobody_has_viewed() {
        let (_disk, blobs) = blobs();
        assert!(
            blobs
                .tile(&"a".repeat(128), (0, 0, 0))
                .await
                .unwrap()
                .is_none()
        );
        let error = blobs.tile_info("../../isolario").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
}
