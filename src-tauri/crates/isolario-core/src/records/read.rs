//! Reads the records of a repository, one after the other.

use std::io;
use std::path::{Path, PathBuf};

use super::path::RecordSubject;
use isolario_disk::regular_file;
use isolario_model::content::record::{FORMAT, Numbers, Record, RecordFile};

/// Directories with records of numbered things, and of roles.
const DIRECTORIES: [&str; 8] = [
    "role",
    "user",
    "file",
    "taxonomy_term",
    "media",
    "node",
    "saved_search",
    "redirect",
];

/// A record, or the reason why a file is none.
pub(super) type ReadRecord = Result<Record, String>;

/// The record of a thing that there is one of; `None` where there is none.
pub(super) fn single(directory: &Path, subject: &RecordSubject) -> Option<ReadRecord> {
    let path = directory.join(subject.path());
    path.exists().then(|| read(&path))
}

/// Every record of a kind, by the name of its directory.
///
/// # Errors
/// What the disk refuses of the directories.
pub(super) fn each(
    directory: &Path,
    kind: &str,
    visit: &mut dyn FnMut(ReadRecord),
) -> io::Result<()> {
    assert!(DIRECTORIES.contains(&kind));
    walk(&directory.join(kind), visit)
}

fn walk(directory: &Path, visit: &mut dyn FnMut(ReadRecord)) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = match directory.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        outcome => outcome?
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<_>>()?,
    };
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, visit)?;
        } else if path.extension().is_some_and(|ending| ending == "json") {
            visit(read(&path));
        }
    }
    Ok(())
}

/// The highest id that a record of each kind is named after.
pub(super) fn highest_ids(directory: &Path) -> Numbers {
    // A role is named after its name, which may be a number.
    let numbered = DIRECTORIES.iter().filter(|kind| **kind != "role");
    let of = |kind: &&str| Some(((*kind).to_owned(), highest_id(&directory.join(kind))?));
    Numbers {
        highest: numbered.filter_map(of).collect(),
    }
}

fn highest_id(directory: &Path) -> Option<i64> {
    let entries = directory.read_dir().ok()?.flatten();
    let number = |path: &Path| path.file_stem()?.to_str()?.parse::<i64>().ok();
    let named = entries.filter_map(|entry| Some((number(&entry.path())?, entry.path())));
    let mut named: Vec<(i64, PathBuf)> = named.collect();
    named.sort_unstable();
    let mut highest = named.into_iter().rev();
    highest.find_map(|(id, path)| match path.is_dir() {
        true => highest_id(&path),
        false => Some(id),
    })
}

fn read(path: &Path) -> ReadRecord {
    let told = |why: String| format!("{}: {why}", path.display());
    let text = regular_file::read(path).map_err(|error| told(error.to_string()))?;
    let file: RecordFile =
        serde_json::from_slice(&text).map_err(|error| told(error.to_string()))?;
    match file.format > FORMAT {
        true => Err(told("a newer Isolario wrote it".into())),
        false => Ok(file.record),
    }
}
