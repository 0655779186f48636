//! Checks a bag in a folder, whoever made it: nothing is missing, nothing has changed, nothing is there besides.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::fault::BagFault;
use super::manifest::{ALGORITHMS, read_manifest};
use crate::progress::ReportProgress;
use isolario_blobs::{Algorithm, Checksum, checksum_of_file};
use isolario_disk::regular_file;

/// Faults that are named, at most.
const MOST_NAMED: usize = 1_000;
/// Bytes of `bagit.txt` and `bag-info.txt`.
const LONGEST_TAG_FILE: u64 = 1 << 20;
/// Folders within each other.
const DEEPEST: usize = 200;

/// What a whole bag holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedBag {
    pub files: u64,
    pub bytes: u64,
    /// The algorithm of the checksums, as manifests name it.
    pub algorithm: &'static str,
}

/// Checks a bag in a folder. Its links are not followed, and nothing outside of it is read.
///
/// # Errors
/// What is wrong with it.
pub fn check_bag(folder: &Path, say: &ReportProgress) -> Result<CheckedBag, BagFault> {
    declaration(folder)?;
    if folder.join("fetch.txt").exists() {
        let words = "Some of its files lie elsewhere (fetch.txt). Fetch them first.";
        return Err(BagFault::Refused(words.into()));
    }
    let is_there = |(name, _): &(&str, Algorithm)| {
        let manifest = folder.join(format!("manifest-{name}.txt"));
        fs::symlink_metadata(manifest).is_ok()
    };
    let (name, algorithm) = ALGORITHMS.into_iter().find(is_there).ok_or_else(|| {
        BagFault::Refused("It has no manifest with SHA-512, SHA-256, SHA-1 or MD5.".into())
    })?;
    let mut check = BagCheck {
        folder,
        say,
        files: 0,
        bytes: 0,
        known: HashSet::new(),
        faults: Vec::new(),
    };
    let tag_manifest = format!("tagmanifest-{name}.txt");
    if fs::symlink_metadata(folder.join(&tag_manifest)).is_ok() {
        read_manifest(folder, &tag_manifest, algorithm, &mut |path, sum| {
            check.compare(&path, &sum);
            Ok(())
        })?;
    }
    (check.files, check.bytes) = (0, 0);
    let manifest = format!("manifest-{name}.txt");
    read_manifest(folder, &manifest, algorithm, &mut |path, sum| {
        if !path.starts_with("data/") {
            let words = format!("{manifest} lists {path:?}, which is not below data/.");
            return Err(BagFault::Refused(words));
        }
        check.compare(&path, &sum);
        if !check.known.insert(path.clone()) {
            check.find(format!("{path}: It is listed twice."));
        }
        Ok(())
    })?;
    check.unlisted("data", 0);
    if check.faults.is_empty() {
        check.compare_totals(information(folder)?.as_deref());
    }
    match check.faults.is_empty() {
        true => Ok(CheckedBag {
            files: check.files,
            bytes: check.bytes,
            algorithm: name,
        }),
        false => Err(BagFault::Damaged(check.faults)),
    }
}

struct BagCheck<'c> {
    folder: &'c Path,
    say: &'c ReportProgress,
    /// Those of the payload that were read.
    files: u64,
    bytes: u64,
    /// Paths that the manifest lists.
    known: HashSet<String>,
    faults: Vec<String>,
}

impl BagCheck<'_> {
    fn compare(&mut self, path: &str, known: &Checksum) {
        let found = self.place(path).and_then(|place| {
            let size = fs::symlink_metadata(&place)?.len();
            Ok((checksum_of_file(&place, known.algorithm)?, size))
        });
        match found {
            Ok((found, size)) if found == *known => {
                self.files += 1;
                self.bytes += size;
                (self.say)(format!("{} files", self.files));
            }
            Ok(_) => self.find(format!("{path}: Its bytes have changed.")),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.find(format!("{path}: It is missing."));
            }
            Err(error) => self.find(format!("{path}: It cannot be read: {error}.")),
        }
    }

    /// The place of a file within the folder. No part of the path is a link.
    fn place(&self, path: &str) -> io::Result<PathBuf> {
        let mut place = self.folder.to_owned();
        for part in path.split('/') {
            place.push(part);
            if fs::symlink_metadata(&place)?.is_symlink() {
                let words = "a link leads elsewhere";
                return Err(io::Error::new(ErrorKind::InvalidInput, words));
            }
        }
        Ok(place)
    }

    /// Finds what no manifest lists.
    fn unlisted(&mut self, path: &str, depth: usize) {
        let entries = match fs::read_dir(self.folder.join(path)) {
            Ok(entries) if depth < DEEPEST => entries,
            Ok(_) => return self.find(format!("{path}: Its folders are too deep.")),
            Err(error) => return self.find(format!("{path}: It cannot be read: {error}.")),
        };
        for entry in entries {
            let entry = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
            let (name, kind) = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.find(format!("{path}: It cannot be read: {error}."));
                    continue;
                }
            };
            let inside = format!("{path}/{}", name.to_string_lossy());
            if kind.is_dir() {
                self.unlisted(&inside, depth + 1);
            } else if !self.known.contains(&inside) {
                self.find(format!("{inside}: No manifest lists it."));
            }
            if self.faults.len() >= MOST_NAMED {
                return;
            }
        }
    }

    /// Compares the totals that the bag says it has.
    fn compare_totals(&mut self, information: Option<&str>) {
        let mut lines = information.unwrap_or_default().lines();
        let said = lines.find_map(|line| line.strip_prefix("Payload-Oxum:"));
        let found = format!("{}.{}", self.bytes, self.files);
        if let Some(said) = said.map(str::trim)
            && said != found
        {
            self.find(format!(
                "bag-info.txt: It says {said} bytes and files, there are {found}."
            ));
        }
    }

    fn find(&mut self, fault: String) {
        if self.faults.len() < MOST_NAMED {
            self.faults.push(printable(&fault));
        }
    }
}

/// Names of strange files without what a terminal would obey.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// Reads what says that a folder is a bag, and that its texts are UTF-8.
fn declaration(folder: &Path) -> Result<(), BagFault> {
    let refused = |words: &str| Err(BagFault::Refused(words.to_owned()));
    if !folder.is_dir() {
        return refused("It is no folder. Unpack an archive first.");
    }
    let Some(text) = tag_file(folder, "bagit.txt")? else {
        return refused("It is no bag: it has no bagit.txt.");
    };
    let value = |label: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        let found = lines.find(|(name, _)| name.trim() == label);
        found.map(|(_, value)| value.trim())
    };
    match (value("BagIt-Version"), value("Tag-File-Character-Encoding")) {
        (Some("0.93" | "0.94" | "0.95" | "0.96" | "0.97" | "1.0"), Some(encoding))
            if encoding.eq_ignore_ascii_case("UTF-8") =>
        {
            Ok(())
        }
        _ => {
            refused("Its bagit.txt says no known version of BagIt, or another encoding than UTF-8.")
        }
    }
}

fn information(folder: &Path) -> Result<Option<String>, BagFault> {
    tag_file(folder, "bag-info.txt")
}

/// A small text of a bag, if it is there.
fn tag_file(folder: &Path, name: &str) -> Result<Option<String>, BagFault> {
    let file = match regular_file::open(&folder.join(name)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(BagFault::unread(name, &error)),
    };
    let mut text = String::new();
    let read = file.take(LONGEST_TAG_FILE).read_to_string(&mut text);
    read.map_err(|error| BagFault::unread(name, &error))?;
    Ok(Some(text))
}
