//! Restores a backup to a data directory.

use std::path::{Component, Path, PathBuf};

use super::BackupError;
use super::contents::in_words;
use super::manifest::{DamagedFile, Entry, ManifestHead, each_entry, read_head};
use super::pool::{copy, make_directory, place};
use super::target::is_empty;
use crate::progress::ReportProgress;
use isolario_db::DATABASE;
use isolario_disk::durable::sync_disk;
use isolario_disk::regular_file;
use isolario_platform::files;

/// The database until everything else is there.
pub const RESTORING: &str = "isolario.db.restoring";

/// What was restored.
#[derive(Debug, Clone)]
pub struct RestoreSummary {
    pub directory: PathBuf,
    pub head: ManifestHead,
    /// Files whose content is damaged or missing in the backup. They were left out.
    pub damaged: Vec<DamagedFile>,
}

impl RestoreSummary {
    /// Whether every file of the repository is there.
    pub fn is_whole(&self) -> bool {
        self.damaged.is_empty() && self.head.damaged.is_empty()
    }

    /// What a person wants to know.
    pub fn in_words(&self) -> String {
        let mut text = format!(
            "{} was restored into {} as it was at {}: {} files, {}, all with the right checksums.",
            self.head.repository,
            self.directory.display(),
            self.head.made,
            self.head.files,
            in_words(self.head.bytes),
        );
        if !self.is_whole() {
            text = text.replace(", all with the right checksums.", ", but not these:");
        }
        for DamagedFile { name, why } in self.damaged.iter().chain(&self.head.damaged) {
            text.push_str(&format!("\n{name}: {why}"));
        }
        text
    }
}

/// Restores a backup into a missing or empty directory. The database is restored last, so that a directory is no
/// repository if this was interrupted.
///
/// # Errors
/// In plain words.
pub fn restore(
    folder: &Path,
    directory: &Path,
    progress: &ReportProgress,
) -> Result<RestoreSummary, BackupError> {
    let head = read_head(folder)?.ok_or_else(|| BackupError::NoBackup(folder.to_owned()))?;
    if !is_empty(directory).map_err(BackupError::disk(directory))? {
        return Err(BackupError::NotEmpty(directory.to_owned()));
    }
    make_directory(directory).map_err(BackupError::disk(directory))?;
    let begun = directory.join(RESTORING);
    std::fs::write(&begun, "").map_err(BackupError::disk(&begun))?;
    let mut database = None;
    let mut damaged = Vec::new();
    let mut done: u64 = 0;
    each_entry(folder, &head, |entry| {
        if entry.name == DATABASE {
            database = Some(entry);
            return Ok(());
        }
        damaged.extend(bring_back(folder, directory, &entry)?);
        done += 1;
        if done.is_multiple_of(1000) {
            progress(format!("{done} of {} files …", head.files));
        }
        Ok(())
    })?;
    bring_back_database(folder, directory, database)?;
    sync_disk(directory).map_err(BackupError::disk(directory))?;
    Ok(RestoreSummary {
        directory: directory.to_owned(),
        head,
        damaged,
    })
}

fn bring_back_database(
    folder: &Path,
    directory: &Path,
    entry: Option<Entry>,
) -> Result<(), BackupError> {
    let damaged = |why: String| BackupError::Damaged {
        path: folder.to_owned(),
        why,
    };
    let entry = entry.ok_or_else(|| damaged("There is no database in it.".into()))?;
    sync_disk(directory).map_err(BackupError::disk(directory))?;
    let copied = Entry {
        name: RESTORING.into(),
        ..entry
    };
    if let Some(DamagedFile { why, .. }) = bring_back(folder, directory, &copied)? {
        return Err(damaged(format!("The database: {why}")));
    }
    let place = directory.join(DATABASE);
    files::rename(directory.join(copied.name), &place).map_err(BackupError::disk(place))
}

/// Copies one file. Returns what is wrong with it, if anything. A wrong copy is removed.
fn bring_back(
    folder: &Path,
    directory: &Path,
    entry: &Entry,
) -> Result<Option<DamagedFile>, BackupError> {
    let relative = Path::new(&entry.name);
    let inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let damage = |why: String| {
        Ok(Some(DamagedFile {
            name: entry.name.clone(),
            why,
        }))
    };
    if !inside {
        return damage("This is no path in a data directory.".into());
    }
    let content = place(&folder.join("objects"), &entry.sha512);
    if let Err(error) = regular_file::open(&content) {
        return damage(format!("Its content cannot be read: {error}."));
    }
    let target = directory.join(relative);
    let parent = target.parent().unwrap_or(directory);
    make_directory(parent).map_err(BackupError::disk(parent))?;
    let (sha512, _) = copy(&content, &target).map_err(BackupError::disk(&target))?;
    if sha512 == entry.sha512 {
        return Ok(None);
    }
    files::remove_file(&target).map_err(BackupError::disk(&target))?;
    damage("Its content has changed in the backup.".into())
}
