//! Copies the contents of files into a backup, each once.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use super::BackupError;
use super::files::{BackupFile, look};
use super::manifest::{DamagedFile, Entry, ManifestWriter};
use super::pool::{Digest, Pool};
use crate::progress::ReportProgress;

/// Between two words about progress.
const SILENCE: Duration = Duration::from_secs(2);

/// The contents that the backup has, and those that this run added.
pub(super) struct Contents<'b> {
    pub pool: &'b Pool,
    /// Files of the former backup by name.
    pub former: HashMap<String, Entry>,
    /// Contents that are known to be intact: of the former backup, or added by this run.
    pub whole: HashSet<Digest>,
    pub copied: u64,
    pub copied_bytes: u64,
    progress: &'b ReportProgress,
    said: Instant,
}

/// The outcome of one run through all files.
pub(super) struct ManifestDraft {
    pub manifest: ManifestWriter,
    /// Contents that the manifest names.
    pub named: HashSet<Digest>,
    pub damaged: Vec<DamagedFile>,
}

impl<'b> Contents<'b> {
    /// With what a former backup holds.
    pub(super) fn new(
        pool: &'b Pool,
        former: HashMap<String, Entry>,
        progress: &'b ReportProgress,
    ) -> Contents<'b> {
        Contents {
            pool,
            whole: former.values().map(|entry| entry.sha512).collect(),
            former,
            copied: 0,
            copied_bytes: 0,
            progress,
            said: Instant::now(),
        }
    }

    /// Copies the content of a file, unless the backup has it, and adds the file to the manifest.
    pub(super) fn gather(
        &mut self,
        wanted: &BackupFile,
        draft: &mut ManifestDraft,
    ) -> Result<(), BackupError> {
        let found = match self.unchanged(wanted) {
            Some(entry) => Ok(entry),
            None => self.bring(wanted),
        };
        match found {
            Ok(entry) => draft.name(&entry)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !wanted.needed => {}
            Err(error) if is_of_target(&error) => {
                return Err(BackupError::disk(&wanted.source)(error));
            }
            Err(error) => {
                draft.damaged.push(DamagedFile {
                    name: wanted.name.clone(),
                    why: error.to_string(),
                });
            }
        }
        self.say(draft);
        Ok(())
    }

    /// The entry of a file whose content is in the backup already.
    fn unchanged(&self, wanted: &BackupFile) -> Option<Entry> {
        let (sha512, size, modified) = match wanted.known {
            Some((sha512, size)) => (sha512, size, None),
            None => {
                let (modified, size) = look(&wanted.source).ok()?;
                let former = self.former.get(&wanted.name)?;
                let same = former.size == size && former.modified == modified;
                (same && modified.is_some()).then_some((former.sha512, size, modified))?
            }
        };
        let there = self.whole.contains(&sha512) && self.pool.holds(&sha512, size);
        there.then(|| Entry {
            name: wanted.name.clone(),
            size,
            sha512,
            modified,
        })
    }

    fn bring(&mut self, wanted: &BackupFile) -> io::Result<Entry> {
        let modified = match wanted.known {
            Some(_) => None,
            None => look(&wanted.source)?.0,
        };
        let expected = wanted.known.map(|(sha512, _)| sha512);
        let (sha512, size) = self.pool.take(&wanted.source, expected.as_ref())?;
        if expected.is_some_and(|expected| expected != sha512) {
            let why = "Its bytes are not those that arrived: their SHA-512 is another.";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        self.copied += u64::from(self.whole.insert(sha512));
        self.copied_bytes += size;
        Ok(Entry {
            name: wanted.name.clone(),
            size,
            sha512,
            modified,
        })
    }

    fn say(&mut self, draft: &ManifestDraft) {
        if self.said.elapsed() > SILENCE {
            self.said = Instant::now();
            (self.progress)(format!(
                "{} files looked at, {} copied ({}) …",
                draft.manifest.files,
                self.copied,
                in_words(self.copied_bytes)
            ));
        }
    }
}

impl ManifestDraft {
    /// Begins a run.
    pub(super) fn begin(pool: &Pool) -> Result<ManifestDraft, BackupError> {
        let path = pool.unfinished("manifest");
        let manifest = ManifestWriter::create(path.clone());
        Ok(ManifestDraft {
            manifest: manifest.map_err(BackupError::disk(path))?,
            named: HashSet::new(),
            damaged: Vec::new(),
        })
    }

    /// Adds a file to the manifest.
    pub(super) fn name(&mut self, entry: &Entry) -> Result<(), BackupError> {
        self.named.insert(entry.sha512);
        self.manifest
            .add(entry)
            .map_err(BackupError::disk("the manifest"))
    }
}

/// Errors that are not the file's own: the backup cannot go on.
fn is_of_target(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(
        error.kind(),
        StorageFull | QuotaExceeded | ReadOnlyFilesystem | FileTooLarge
    )
}

/// A size as people say it.
pub(super) fn in_words(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} bytes");
    }
    let mut size = bytes as f64 / 1000.0;
    let mut unit = 0;
    while size >= 999.5 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}
