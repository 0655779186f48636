//! The places of the program that sync, as its sources have them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::sites::{ON_BEHALF, SOURCES, by_crate};
use crate::program::in_sources;

/// What syncs, or leads to where it is done.
const CALLS: [&str; 11] = [
    ".sync_all()",
    ".sync_names(",
    ".sync_together(",
    "sync_directory(",
    "write_synced(",
    "make_directory(",
    "syncfs(",
    "sync_below(",
    "sync_disk(",
    "sync_path(",
    "sync_whole_disk(",
];

/// Places at which a repository in use does not sync.
const ELSEWHERE: [(&str, &str); 18] = [
    (
        "core/backup/",
        "folders of backups, and a repository that is not there yet",
    ),
    ("core/records/rebuild/", "a repository that nobody uses"),
    (
        "core/container/folder_container.rs",
        "bags and tables with files, which are folders of the person who asked for them",
    ),
    (
        "core/bag/receive.rs",
        "bags that wait: none comes by a request of the script",
    ),
    (
        "core/actions/batches/table/",
        "rows that wait: tables come by no request of the script",
    ),
    (
        "config/allowed_folders.rs",
        "folders that a person allows at the machine, which nobody does there",
    ),
    (
        "db/copy.rs",
        "copies for backups, and from before a migration",
    ),
    ("db/migrations.rs", "copies from before a migration"),
    (
        "server/lan/new_certificate.rs",
        "a certificate, which is made again where it is lost",
    ),
    (
        "server/listeners/lan.rs",
        "the switch of the local network, which nobody turns there",
    ),
    ("blobs/local_copy.rs", "a file of the person at the window"),
    (
        "desktop/working_copies/",
        "copies that the window gives to other programs",
    ),
    (
        "blobs/restage.rs",
        "copies where files have no second names",
    ),
    (
        "blobs/ocfl/recover.rs speak_for_in",
        "inventories where files have no second names",
    ),
    ("blobs/tree.rs take_back", "bytes that nobody was told of"),
    (
        "blobs/in_bucket/claim.rs",
        "the name of a bucket, which the repository of the script has not",
    ),
    (
        "blobs/in_bucket/records.rs",
        "records from a bucket, of a repository that nobody uses yet",
    ),
    (
        "blobs/in_bucket/upload_pieces.rs",
        "parts of uploads that the disk has lost, from a bucket, which the repository of the script has not",
    ),
];

/// Those of a repository in use, as `place.rs:12 function`; each is known to be needed elsewhere or here.
pub fn syncs() -> BTreeSet<String> {
    let root = in_sources(SOURCES);
    let mut found = BTreeSet::new();
    for path in sources(&root) {
        let name = path
            .strip_prefix(&root)
            .expect("below")
            .display()
            .to_string();
        let name = by_crate(&name);
        let text = std::fs::read_to_string(&path).expect("text");
        found.extend(syncs_in(&name, &text));
    }
    for (place, why) in ELSEWHERE {
        let before = found.len();
        found.retain(|sync| !is_at(sync, place));
        assert!(found.len() < before, "{place} does not sync ({why})");
    }
    found
}

/// Whether `place.rs:12 function` is of a place, given as a path or with a function.
fn is_at(sync: &str, place: &str) -> bool {
    match place.split_once(' ') {
        None => sync.starts_with(place),
        Some((path, function)) => sync.starts_with(path) && sync.ends_with(&format!(" {function}")),
    }
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = directory.read_dir().expect("there").flatten();
    let below = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => sources(&path),
        path => vec![path],
    });
    below
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

fn syncs_in(name: &str, text: &str) -> Vec<String> {
    let (mut function, mut found) = (String::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if line.starts_with("mod tests") {
            break;
        }
        if let Some((_, after)) = line.split_once("fn ").filter(|_| !line.starts_with("//")) {
            let end = after.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            function = after[..end.unwrap_or(after.len())].to_owned();
            continue;
        }
        let syncs = !line.starts_with("//") && CALLS.iter().any(|call| line.contains(call));
        if syncs && !ON_BEHALF.contains(&function.as_str()) {
            found.push(format!("{name}:{} {function}", index + 1));
        }
    }
    found
}
