//! The files that hold blobs, for backups and rebuilds: named by their paths from the data directory.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use uuid::Uuid;

use super::Blobs;
use super::ocfl::Location;
use isolario_platform::files::with_slashes;

/// A file of the data directory, and the path of its contents. The two differ for the inventory of an object, which is
/// read as it was at a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// From the data directory, with slashes.
    pub name: String,
    pub source: PathBuf,
}

impl Blobs {
    /// The file that holds a blob.
    ///
    /// # Errors
    /// `InvalidInput` for what is no name of a blob.
    pub fn stored_blob(&self, blob: &str) -> io::Result<StoredFile> {
        Ok(self.kept(self.locate(blob)?))
    }

    /// The other files of the objects of these blobs, as they were at the latest of the given versions.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn stored_beside(&self, blobs: &[String]) -> io::Result<Vec<StoredFile>> {
        let mut latest: BTreeMap<Uuid, Location> = BTreeMap::new();
        for location in blobs.iter().filter_map(|blob| Location::parse(blob)) {
            let known = latest.entry(location.object).or_insert(location.clone());
            if known.version < location.version {
                *known = location;
            }
        }
        let mut kept = Vec::new();
        for location in latest.values() {
            let files = self.objects.files_at(location)?;
            kept.extend(files.into_iter().map(|(place, source)| StoredFile {
                source,
                ..self.kept(place)
            }));
        }
        Ok(kept)
    }

    /// The files that declare the storage root.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn stored_declarations(&self) -> io::Result<Vec<StoredFile>> {
        let files = self.objects.declarations()?;
        Ok(files.into_iter().map(|path| self.kept(path)).collect())
    }

    fn kept(&self, path: PathBuf) -> StoredFile {
        let name = path.strip_prefix(self.data_directory()).unwrap_or(&path);
        StoredFile {
            name: with_slashes(name),
            source: path,
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::stream;

    use super::super::tests::{blobs, deposit};
    use super::*;
    use crate::Deposit;

    async fn stored(blobs: &Blobs, deposit: &Deposit, bytes: &'static [u8]) -> String {
        let body = stream::iter([Ok::<_, String>(Bytes::from_static(bytes))]);
        let staged = blobs.stage(body, None, &[]).await.unwrap();
        let placed = blobs.place(staged, deposit).await.unwrap();
        let blob = placed.blob.clone();
        blobs.settle(placed).await;
        blob
    }

    #[tokio::test]
    async fn an_object_is_kept_as_it_was_at_a_version() {
        let (disk, blobs) = blobs();
        let mut deposit = deposit("fedora", "a.txt", 1);
        let first = stored(&blobs, &deposit, b"one").await;
        let before = blobs.stored_beside(std::slice::from_ref(&first)).unwrap();
        let contents = |kept: &[StoredFile]| -> BTreeMap<String, Vec<u8>> {
            let read =
                |file: &StoredFile| (file.name.clone(), std::fs::read(&file.source).unwrap());
            kept.iter().map(read).collect()
        };
        let as_it_was = contents(&before);
        for (name, bytes) in &as_it_was {
            assert_eq!(&std::fs::read(disk.path().join(name)).unwrap(), bytes);
        }
        assert_eq!(as_it_was.len(), 6, "{:?}", as_it_was.keys());

        deposit.location.version = 2;
        let second = stored(&blobs, &deposit, b"two").await;
        assert_eq!(
            contents(&blobs.stored_beside(std::slice::from_ref(&first)).unwrap()),
            as_it_was
        );
        let after = contents(&blobs.stored_beside(&[second, first.clone()]).unwrap());
        assert_eq!(after.len(), 9, "{:?}", after.keys());
        assert!(as_it_was.contains_key(&blobs.stored_blob(&first).unwrap().name));
    }
}
