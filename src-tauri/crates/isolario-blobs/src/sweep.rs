//! Removes what a crash left, before the program serves.

use std::collections::HashSet;
use std::io;

use super::Blobs;
use super::in_bucket::NotedBlob;
use super::ocfl::Location;
use isolario_platform::files;

impl Blobs {
    /// Blobs that were placed when the program ended, committed or not. The database knows which.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn unsettled(&self) -> io::Result<Vec<String>> {
        let notes = self.unsettled.read()?;
        Ok(notes
            .iter()
            .map(|note| NotedBlob::parse(note).blob)
            .collect())
    }

    /// Empties staging, removes the unsettled blobs that are not `known`, and finishes those that are. It must run
    /// before the first upload of a run. Returns how many files and blobs it removed. What a bucket does not remove now
    /// stays unsettled.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn sweep(&self, known: &HashSet<String>) -> io::Result<usize> {
        let notes = self.unsettled.read()?;
        let noted = notes.iter().map(|note| NotedBlob::parse(note));
        let (known, unknown): (Vec<_>, Vec<_>) =
            noted.partition(|noted| known.contains(&noted.blob));
        let (in_bucket, on_disk): (Vec<_>, Vec<_>) = unknown
            .into_iter()
            .partition(|noted| Blobs::is_in_bucket(&noted.blob));
        let known = known.into_iter().map(|noted| noted.blob);
        let unknown: Vec<String> = on_disk.into_iter().map(|noted| noted.blob).collect();
        let (mut removed, mut is_left) = (0, false);
        // A bucket that was given up has nothing of the repository.
        let in_bucket = in_bucket.into_iter();
        for noted in in_bucket.filter(|_| self.knows_its_bucket()) {
            match self.take_back_from_bucket(&noted).await {
                true => removed += 1,
                false => is_left = true,
            }
        }
        self.remove_unknown(&unknown)?;
        for location in known.filter_map(|blob| Location::parse(&blob)) {
            self.objects.finish(&location)?;
        }
        match is_left {
            true => self.unsettled.keep()?,
            false => self.unsettled.clear()?,
        }
        Ok(removed + unknown.len() + self.empty_staging()?)
    }

    fn remove_unknown(&self, blobs: &[String]) -> io::Result<()> {
        let (mut in_objects, mut in_tree) = (Vec::new(), Vec::new());
        for blob in blobs {
            match Location::parse(blob) {
                Some(location) => in_objects.push(location),
                None => in_tree.push(blob),
            }
        }
        for blob in in_tree {
            self.tree.remove(blob)?;
            self.tree.prune(blob)?;
        }
        in_objects.sort_by_key(Location::newest_first);
        for location in in_objects {
            let spare = self.objects.spare(&location)?;
            if !self.objects.take_back(&location, &spare)? {
                tracing::warn!(%location, "a version that no file knows stays below a later one");
            }
        }
        Ok(())
    }

    fn empty_staging(&self) -> io::Result<usize> {
        let mut removed = 0;
        for entry in self.staging.read_dir()? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => files::remove_dir_all(entry.path())?,
                false => files::remove_file(entry.path())?,
            }
            removed += 1;
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::stream;

    use super::super::PlacedBlob;
    use super::super::tests::{blobs, deposit};
    use super::*;

    async fn placed(blobs: &Blobs, path: &str, version: i64) -> PlacedBlob {
        let body = stream::iter([Ok::<_, String>(Bytes::from_static(b"bytes"))]);
        let staged = blobs.stage(body, None, &[]).await.unwrap();
        blobs
            .place(staged, &deposit("public", path, version))
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn names_are_natural_then_numbered_then_random() {
        let (_disk, blobs) = blobs();
        assert_eq!(placed(&blobs, "up/a.png", 1).await.blob, "public/up/a.png");
        assert_eq!(
            placed(&blobs, "up/a.png", 2).await.blob,
            "public/up/a.r2.png"
        );
        let other = placed(&blobs, "up/a.png", 1).await.blob;
        assert!(other.starts_with("public/up/a.") && other.ends_with(".png") && other.len() > 20);
    }

    #[tokio::test]
    async fn only_what_was_committed_survives_a_crash() {
        let (disk, blobs) = blobs();
        let settled = placed(&blobs, "settled.png", 1).await;
        blobs.settle(settled).await;
        let committed = placed(&blobs, "committed.png", 1).await.blob;
        let lost = placed(&blobs, "dir/lost.png", 1).await.blob;
        std::fs::write(disk.path().join("staging/x.part"), b"half").unwrap();

        let mut unsettled = blobs.unsettled().unwrap();
        unsettled.sort();
        assert_eq!(unsettled, [committed.clone(), lost]);
        blobs.sweep(&HashSet::from([committed])).await.unwrap();

        let public = disk.path().join("files/public");
        assert!(public.join("settled.png").exists() && public.join("committed.png").exists());
        assert!(!public.join("dir").exists());
        assert_eq!(disk.path().join("staging").read_dir().unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_discarded_blob_is_gone() {
        let (disk, blobs) = blobs();
        let placed = placed(&blobs, "a.png", 1).await;
        blobs.discard(placed).await;
        assert!(!disk.path().join("files/public/a.png").exists());
        assert_eq!(blobs.unsettled().unwrap(), Vec::<String>::new());
    }
}
