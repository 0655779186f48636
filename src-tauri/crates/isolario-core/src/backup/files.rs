//! Lists the files of a data directory that a backup holds: those that the copied database names, and those beside the
//! database.

use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::BackupError;
use super::pool::Digest;
use crate::audit_log;
use isolario_blobs::Blobs;
use isolario_db::Read;
use isolario_model::content::record::FileHistory;
use isolario_platform::files;

/// Beside the database: the other files that a repository needs, and its records.
const BESIDE: [&str; 6] = [
    audit_log::FILE,
    "config.toml",
    "crosswalk.json",
    "isolario-bucket",
    "keys",
    "records",
];
/// How many files of the database are looked at together.
const BATCH: u32 = 500;

/// A file to be backed up.
pub(super) struct BackupFile {
    /// Path in the data directory, with slashes.
    pub name: String,
    pub source: PathBuf,
    /// What it must be, where that is known.
    pub known: Option<(Digest, u64)>,
    /// Whether the database names it, so that it must exist.
    pub needed: bool,
}

/// Hears of each file.
pub(super) type FileVisitor<'e> = dyn FnMut(BackupFile) -> Result<(), BackupError> + 'e;

/// The files of all blobs that a database names, but those in a bucket, which keeps its own. Returns how many versions
/// lie there.
pub(super) fn stored_by(
    blobs: &Blobs,
    read: &Read<'_>,
    each: &mut FileVisitor<'_>,
) -> Result<u64, BackupError> {
    let declarations = blobs.stored_declarations();
    for file in declarations.map_err(BackupError::disk("ocfl"))? {
        each(BackupFile {
            name: file.name,
            source: file.source,
            known: None,
            needed: true,
        })?;
    }
    let (mut after, mut in_bucket) = (0, 0);
    loop {
        let files: Vec<FileHistory> = read.histories_after(after, BATCH)?;
        let Some(last) = files.last() else {
            return Ok(in_bucket);
        };
        after = last.fid;
        for mut file in files {
            let remote = file
                .versions
                .extract_if(.., |version| Blobs::is_in_bucket(&version.blob));
            in_bucket += remote.count() as u64;
            of_file(blobs, &file, each)?;
        }
    }
}

fn of_file(
    blobs: &Blobs,
    file: &FileHistory,
    each: &mut FileVisitor<'_>,
) -> Result<(), BackupError> {
    let mut names = Vec::new();
    for version in &file.versions {
        let kept = blobs.stored_blob(&version.blob);
        let kept = kept.map_err(BackupError::disk(&version.blob))?;
        // Versions of an object may share their bytes.
        if names.contains(&kept.name) {
            continue;
        }
        names.push(kept.name.clone());
        each(BackupFile {
            name: kept.name,
            source: kept.source,
            known: Digest::parse(&version.sha512).map(|digest| (digest, version.size)),
            needed: true,
        })?;
    }
    let blobs_of_file: Vec<String> = file.versions.iter().map(|v| v.blob.clone()).collect();
    // An object that is not there is reported with its bytes.
    let beside = blobs.stored_beside(&blobs_of_file).unwrap_or_default();
    for kept in beside {
        if !names.contains(&kept.name) {
            each(BackupFile {
                name: kept.name,
                source: kept.source,
                known: None,
                needed: true,
            })?;
        }
    }
    Ok(())
}

/// The files beside the database.
pub(super) fn beside(data_directory: &Path, each: &mut FileVisitor<'_>) -> Result<(), BackupError> {
    for name in BESIDE {
        walk(data_directory, Path::new(name), each)?;
    }
    Ok(())
}

/// What is hidden or goes away meanwhile is not wanted.
fn walk(data_directory: &Path, name: &Path, each: &mut FileVisitor<'_>) -> Result<(), BackupError> {
    // The configuration may be a link to where its owner keeps it.
    let path = match files::canonicalize(data_directory.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        outcome => outcome.map_err(BackupError::disk(name))?,
    };
    if !path.is_dir() {
        return each(BackupFile {
            name: files::with_slashes(name),
            source: path,
            known: None,
            needed: false,
        });
    }
    let entries = match path.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        outcome => outcome.map_err(BackupError::disk(&path))?,
    };
    for entry in entries {
        let entry = entry.map_err(BackupError::disk(&path))?.file_name();
        if !entry.to_string_lossy().starts_with('.') {
            walk(data_directory, &name.join(entry), each)?;
        }
    }
    Ok(())
}

/// When a file was last written, in nanoseconds since 1970, and its size.
pub(super) fn look(path: &Path) -> io::Result<(Option<i64>, u64)> {
    let found = path.metadata()?;
    let modified = found.modified()?.duration_since(UNIX_EPOCH).ok();
    let modified = modified.and_then(|age| i64::try_from(age.as_nanos()).ok());
    Ok((modified, found.len()))
}
