//! Checks the objects of the storage root: that each is valid, and has the bytes of its file.

use std::cell::RefCell;
use std::path::Path;

use super::versions::{finding, known};
use super::{Aspect, Check, Finding};
use isolario_blobs::{Blobs, ObjectReport, compared};
use isolario_db::{DbError, StoredVersion};
use isolario_model::content::FixityState;

impl Check {
    /// Returns the problems of an object, and adds notes to the report.
    pub(super) fn settled_object(&self, path: &Path) -> Vec<Finding> {
        let notes = RefCell::default();
        let problems = self.repeat(|| self.look_at_object(path, &notes));
        for note in notes.into_inner() {
            self.findings.note(note);
        }
        problems
    }

    fn look_at_object(&self, path: &Path, notes: &RefCell<Vec<Finding>>) -> Vec<Finding> {
        notes.borrow_mut().clear();
        let name = self.inside(path);
        let wrong = |words: &str| Finding::new(Aspect::Ocfl, &name, words);
        let blobs = &self.subject.blobs;
        let report = match blobs.validate_object(path, &mut |bytes| self.count(bytes)) {
            Ok(Some(report)) => report,
            Ok(None) => return Vec::new(),
            // An upload that was refused takes its object with it.
            Err(_) if path.symlink_metadata().is_err() => return Vec::new(),
            Err(error) => return vec![wrong(&format!("It cannot be read: {error}."))],
        };
        let mut findings: Vec<Finding> = report.problems.iter().map(|words| wrong(words)).collect();
        match self.versions_in(&report) {
            Ok(versions) => {
                findings.extend(compare(&report, &versions));
                let unknown = unknown_versions(&report, &versions);
                if !unknown.is_empty() && !self.is_passing(&report) {
                    findings.extend(above_the_known(&name, &report, &unknown));
                    notes.replace(below_the_known(&name, &report, &unknown));
                }
            }
            Err(error) => findings.push(wrong(&error.to_string())),
        }
        findings
    }

    fn versions_in(&self, report: &ObjectReport) -> Result<Vec<StoredVersion>, DbError> {
        let Some(file) = report.file.map(|file| file.to_string()) else {
            return Ok(Vec::new());
        };
        let db = &self.subject.db;
        let mut versions = db.read_here(|read| read.versions_of_uuid(&file))?;
        versions.retain(|version| !Blobs::is_plain(&version.blob));
        Ok(versions)
    }

    /// Whether an upload has placed the first bytes of this object and waits for its commit, or the
    /// object waits to be removed with its file.
    fn is_passing(&self, report: &ObjectReport) -> bool {
        let Some(file) = report.file.map(|file| format!("ocfl/{file}/")) else {
            return false;
        };
        let unsettled = self.subject.blobs.unsettled().unwrap_or_default();
        let db = &self.subject.db;
        unsettled.iter().any(|blob| blob.starts_with(&file))
            || db
                .read_here(|read| read.is_to_be_removed(&file))
                .unwrap_or(false)
    }
}

/// The versions of an object that its file does not have.
fn unknown_versions<'r>(report: &'r ObjectReport, versions: &[StoredVersion]) -> Vec<&'r str> {
    let known = |name: &&String| {
        let mut blobs = versions.iter().map(|version| &version.blob);
        blobs.any(|blob| Blobs::version_in_object(blob) == name.as_str())
    };
    let unknown = report.versions.iter().filter(|name| !known(name));
    unknown.map(String::as_str).collect()
}

/// How many of the last versions the file does not have. The head of the object is the last of them.
fn unknown_at_the_end(report: &ObjectReport, unknown: &[&str]) -> usize {
    let newest_first = report.versions.iter().rev();
    newest_first
        .take_while(|name| unknown.contains(&name.as_str()))
        .count()
}

/// The problem that other OCFL programs read other bytes of the file than this one.
fn above_the_known(object: &str, report: &ObjectReport, unknown: &[&str]) -> Vec<Finding> {
    let count = unknown_at_the_end(report, unknown);
    if count == report.versions.len() {
        let words = "No version of any file lies in this object.";
        return vec![Finding::new(Aspect::Unknown, object, words)];
    }
    let names = report.versions.iter().rev().take(count);
    let words = "No version of the file lies there, and later than all that are known.";
    names
        .map(|name| Finding::new(Aspect::Unknown, &format!("{object}/{name}"), words))
        .collect()
}

/// The note of a version that stays although its commit failed, because a later version was built on it.
fn below_the_known(object: &str, report: &ObjectReport, unknown: &[&str]) -> Vec<Finding> {
    let below = unknown.len() - unknown_at_the_end(report, unknown);
    let words = "No version of the file lies there, below later ones that are known.";
    let names = unknown.iter().take(below);
    names
        .map(|name| Finding::new(Aspect::Unknown, &format!("{object}/{name}"), words))
        .collect()
}

/// Whether the object of a file has the bytes that the rows of the file name.
fn compare(report: &ObjectReport, versions: &[StoredVersion]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for version in versions {
        let found = report.contents.get(Blobs::path_in_object(&version.blob));
        let verdict = found.map(|found| compared(found, &known(version)));
        match verdict {
            Some(verdict) if verdict.state != FixityState::Intact => {
                findings.push(finding(version, &verdict.detail));
            }
            // That it is not there was seen from the row.
            _ => {}
        }
    }
    findings
}
