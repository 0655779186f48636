//! Stores working copies in `opened/` of the data directory. Each has a folder with a note that names its original, so
//! that the next start reports changes that were not uploaded.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::name::plain_name;
use isolario_blobs::local_source::LocalSource;
use isolario_disk::{
    durable::{self, PRIVATE_DIRECTORY, PRIVATE_FILE},
    regular_file,
};
use isolario_platform::files::{self, set_mode};

const NOTE: &str = "copy.json";
const FILES: &str = "files";

/// The original of a copy, as the page knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OriginalFile {
    pub mid: i64,
    pub nid: i64,
    pub item_title: String,
    pub media_type: String,
    pub use_tid: Option<i64>,
    pub filename: String,
    pub mime: String,
    /// That of the media when its bytes were fetched: a replacement expects it.
    pub etag: Option<String>,
    /// Whether a change can come back.
    pub may_replace: bool,
}

/// A file that another program works on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkingCopy {
    pub id: String,
    pub original: OriginalFile,
    /// Hexadecimal SHA-512 of the bytes that the repository is known to have.
    pub sha512: String,
    /// The name of the file in its folder.
    name: String,
}

/// The folder of the copies.
#[derive(Debug, Clone)]
pub struct CopyStore(PathBuf);

impl CopyStore {
    /// The copies of a data directory.
    pub fn of(data: &Path) -> CopyStore {
        CopyStore(data.join("opened"))
    }

    /// A copy whose bytes are to come to its `path`; nothing is known of it before `note`.
    pub fn begin(&self, original: OriginalFile) -> io::Result<WorkingCopy> {
        let copy = WorkingCopy {
            id: Uuid::new_v4().simple().to_string(),
            name: plain_name(&original.filename),
            original,
            sha512: String::new(),
        };
        durable::make_directory(&self.0.join(&copy.id).join(FILES), PRIVATE_DIRECTORY)?;
        Ok(copy)
    }

    /// Where the bytes of a copy are.
    pub fn path(&self, copy: &WorkingCopy) -> PathBuf {
        self.0.join(&copy.id).join(FILES).join(&copy.name)
    }

    /// Makes the file private, and read-only where it cannot replace its original.
    pub fn close(&self, copy: &WorkingCopy) -> io::Result<()> {
        let mode = match copy.original.may_replace {
            true => PRIVATE_FILE,
            false => 0o400,
        };
        set_mode(&self.path(copy), mode)
    }

    /// Stores the note of a copy.
    pub fn note(&self, copy: &WorkingCopy) -> io::Result<()> {
        let folder = self.0.join(&copy.id);
        let words = serde_json::to_vec_pretty(copy).map_err(io::Error::other)?;
        durable::replace(&folder.join(NOTE), &words, PRIVATE_FILE)?;
        durable::sync_directory(&folder)
    }

    /// Removes a copy with everything in its folder.
    pub fn remove(&self, copy: &WorkingCopy) -> io::Result<()> {
        files::remove_dir_all(self.0.join(&copy.id))
    }

    /// Hexadecimal SHA-512 of the bytes as they are now.
    pub async fn sha512(&self, copy: &WorkingCopy) -> io::Result<String> {
        LocalSource::open(&self.path(copy)).await?.sha512().await
    }

    /// Removes the copies of earlier runs that hold no work. Returns the others.
    pub async fn clean_up(&self) -> io::Result<Vec<WorkingCopy>> {
        let entries = match self.0.read_dir() {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut left = Vec::new();
        for entry in entries {
            let folder = entry?.path();
            match self.read_note(&folder) {
                Some(copy) if self.holds_work(&copy).await? => left.push(copy),
                // What has no note was never handed to a program.
                _ => files::remove_dir_all(&folder)?,
            }
        }
        Ok(left)
    }

    fn read_note(&self, folder: &Path) -> Option<WorkingCopy> {
        let words = regular_file::read(&folder.join(NOTE)).ok()?;
        let copy: WorkingCopy = serde_json::from_slice(&words).ok()?;
        let is_its_own = folder.file_name().and_then(|name| name.to_str()) == Some(&copy.id);
        (is_its_own && plain_name(&copy.name) == copy.name).then_some(copy)
    }

    /// Whether something would be lost with the folder: a change, or a file that a program put beside the copy.
    async fn holds_work(&self, copy: &WorkingCopy) -> io::Result<bool> {
        let Ok(entries) = self.0.join(&copy.id).join(FILES).read_dir() else {
            return Ok(false);
        };
        for entry in entries {
            let name = entry?.file_name();
            let is_trace = name.as_encoded_bytes().starts_with(b".");
            if name != copy.name.as_str() && !is_trace {
                return Ok(true);
            }
        }
        let unchanged = self.sha512(copy).await.is_ok_and(|now| now == copy.sha512);
        Ok(!unchanged && self.path(copy).exists())
    }
}

/// The first bytes of a copy.
pub fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    regular_file::open(path)?.take(16).read_to_end(&mut first)?;
    Ok(first)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{CopyStore, OriginalFile, WorkingCopy};

    pub fn original(filename: &str) -> OriginalFile {
        OriginalFile {
            mid: 7,
            nid: 5,
            item_title: "Isola nova".to_owned(),
            media_type: "image".to_owned(),
            use_tid: Some(3),
            filename: filename.to_owned(),
            mime: "image/png".to_owned(),
            etag: Some("\"1-a\"".to_owned()),
            may_replace: true,
        }
    }

    pub async fn filled(store: &CopyStore, filename: &str) -> WorkingCopy {
        let mut copy = store.begin(original(filename)).unwrap();
        std::fs::write(store.path(&copy), b"as fetched").unwrap();
        copy.sha512 = store.sha512(&copy).await.unwrap();
        store.note(&copy).unwrap();
        copy
    }

    #[tokio::test]
    async fn a_start_keeps_what_is_somebodys_work_and_removes_the_rest() {
        let disk = tempfile::tempdir().unwrap();
        let store = CopyStore::of(disk.path());
        let unchanged = filled(&store, "unchanged.png").await;
        let changed = filled(&store, "changed.png").await;
        std::fs::write(store.path(&changed), b"better").unwrap();
        let exported = filled(&store, "layers.png").await;
        std::fs::write(store.path(&exported).with_file_name("layers.xcf"), b"x").unwrap();
        let locked = filled(&store, "letter.odt").await;
        std::fs::write(store.path(&locked).with_file_name(".~lock"), b"x").unwrap();
        let broken_off = store.begin(original("half.png")).unwrap();

        let left = store.clean_up().await.unwrap();

        let mut ids: Vec<_> = left.iter().map(|copy| copy.id.clone()).collect();
        let mut kept = vec![changed.id.clone(), exported.id.clone()];
        ids.sort();
        kept.sort();
        assert_eq!(ids, kept);
        for gone in [&unchanged, &locked, &broken_off] {
            assert!(!disk.path().join("opened").join(&gone.id).exists());
        }
        assert_eq!(std::fs::read(store.path(&changed)).unwrap(), b"better");
    }

    #[tokio::test]
    async fn a_note_that_names_another_place_is_not_followed() {
        let disk = tempfile::tempdir().unwrap();
        let store = CopyStore::of(disk.path());
        let mut copy = filled(&store, "a.png").await;
        std::fs::write(disk.path().join("mine"), b"x").unwrap();
        copy.name = "../../../mine".to_owned();
        store.note(&copy).unwrap();

        assert!(store.clean_up().await.unwrap().is_empty());
        assert!(disk.path().join("mine").exists());
    }
}
