//! Checks a bag in a folder or a ZIP, whoever made it: nothing is missing, nothing has changed, nothing is there besides.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use aws_lc_rs::digest::{Context, SHA512};

use super::fault::BagFault;
use super::files::BagFiles;
use super::manifest::{ALGORITHMS, read_manifest};
use crate::progress::ReportProgress;
use isolario_blobs::{Algorithm, Checksum, checksum_of};

/// Faults that are named, at most.
const MOST_NAMED: usize = 1_000;
/// Bytes of `bagit.txt` and `bag-info.txt`.
const LONGEST_TAG_FILE: u64 = 1 << 20;

/// A whole bag.
#[derive(Debug)]
pub struct CheckedBag {
    pub source: BagFiles,
    /// The paths of the payload, in their order.
    pub paths: Vec<String>,
    /// What `bag-info.txt` says, label by label.
    pub information: Vec<(String, String)>,
    /// A text that is its own: what its payload consists of.
    pub fingerprint: String,
    pub files: u64,
    pub bytes: u64,
    /// The algorithm of the checksums, as manifests name it.
    pub algorithm: &'static str,
}

/// Checks a bag in a folder or a ZIP. Its links are not followed, and nothing outside of it is read.
///
/// # Errors
/// What is wrong with it.
pub fn check_bag(place: &Path, say: &ReportProgress) -> Result<CheckedBag, BagFault> {
    let source = BagFiles::at(place)?;
    declaration(&source)?;
    if source.has("fetch.txt") {
        let words = "Some of its files lie elsewhere (fetch.txt). Fetch them first.";
        return Err(BagFault::Refused(words.into()));
    }
    let is_there = |(name, _): &(&str, Algorithm)| source.has(&format!("manifest-{name}.txt"));
    let (name, algorithm) = ALGORITHMS.into_iter().find(is_there).ok_or_else(|| {
        BagFault::Refused("It has no manifest with SHA-512, SHA-256, SHA-1 or MD5.".into())
    })?;
    let mut check = BagCheck {
        source: &source,
        say,
        files: 0,
        bytes: 0,
        known: HashSet::new(),
        faults: Vec::new(),
    };
    let tag_manifest = format!("tagmanifest-{name}.txt");
    if source.has(&tag_manifest) {
        read_manifest(&source, &tag_manifest, algorithm, &mut |path, sum| {
            check.compare(&path, &sum);
            Ok(())
        })?;
    }
    (check.files, check.bytes) = (0, 0);
    let manifest = format!("manifest-{name}.txt");
    let mut content = Context::new(&SHA512);
    read_manifest(&source, &manifest, algorithm, &mut |path, sum| {
        if !path.starts_with("data/") {
            let words = format!("{manifest} lists {path:?}, which is not below data/.");
            return Err(BagFault::Refused(words));
        }
        check.compare(&path, &sum);
        content.update(format!("{} {path}\n", sum.hex()).as_bytes());
        if !check.known.insert(path.clone()) {
            check.find(format!("{path}: It is listed twice."));
        }
        Ok(())
    })?;
    check.find_unlisted();
    let information = information(&source)?;
    if check.faults.is_empty() {
        check.compare_totals(&information);
    }
    if !check.faults.is_empty() {
        return Err(BagFault::Damaged(check.faults));
    }
    let (files, bytes) = (check.files, check.bytes);
    let mut paths: Vec<String> = check.known.into_iter().collect();
    paths.sort_unstable();
    Ok(CheckedBag {
        source,
        paths,
        information,
        fingerprint: hex::encode(content.finish()),
        files,
        bytes,
        algorithm: name,
    })
}

struct BagCheck<'c> {
    source: &'c BagFiles,
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
        let read = self.source.read(path);
        let found = read.and_then(|(file, size)| Ok((checksum_of(file, known.algorithm)?, size)));
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

    /// Finds what no manifest lists.
    fn find_unlisted(&mut self) {
        let source = self.source;
        source.each_in_payload(&mut |found| {
            match found {
                Ok(path) if self.known.contains(&path) => {}
                Ok(path) => self.find(format!("{path}: No manifest lists it.")),
                Err(words) => self.find(words),
            }
            self.faults.len() < MOST_NAMED
        });
    }

    /// Compares the totals that the bag says it has.
    fn compare_totals(&mut self, information: &[(String, String)]) {
        let mut lines = information.iter();
        let said = lines.find(|(label, _)| label == "Payload-Oxum");
        let found = format!("{}.{}", self.bytes, self.files);
        if let Some((_, said)) = said
            && *said != found
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

/// Reads what says that this is a bag, and that its texts are UTF-8.
fn declaration(source: &BagFiles) -> Result<(), BagFault> {
    let refused = |words: &str| Err(BagFault::Refused(words.to_owned()));
    let Some(text) = tag_file(source, "bagit.txt")? else {
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

/// The labels and values of `bag-info.txt`. Lines that begin with white space go on with the value above (RFC 8493, 2.2.2).
fn information(source: &BagFiles) -> Result<Vec<(String, String)>, BagFault> {
    let text = tag_file(source, "bag-info.txt")?.unwrap_or_default();
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.starts_with([' ', '\t']), line.split_once(':')) {
            (true, _) => {
                if let Some((_, value)) = found.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            }
            (false, Some((label, value))) => {
                found.push((label.trim().to_owned(), value.trim().to_owned()));
            }
            (false, None) => {}
        }
    }
    Ok(found)
}

/// A small text of a bag, if it is there.
fn tag_file(source: &BagFiles, name: &str) -> Result<Option<String>, BagFault> {
    let text = source.text(name, LONGEST_TAG_FILE);
    text.map_err(|error| BagFault::unread(name, &error))
}
