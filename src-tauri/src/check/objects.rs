//! Objects of the storage root: valid by themselves, and the bytes of the files that they are of.

use std::path::Path;

use super::versions::{finding, known};
use super::{Aspect, Check, Finding};
use crate::blobs::{Blobs, ObjectReport, compared};
use crate::content::FixityState;
use crate::db::{DbError, StoredVersion};

impl Check {
    pub(super) fn look_at_object(&self, path: &Path) -> Vec<Finding> {
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
            Ok(versions) if versions.is_empty() && !self.is_passing(&report) => {
                findings.push(Finding::new(
                    Aspect::Unknown,
                    &name,
                    "No version of any file lies in this object.",
                ));
            }
            Ok(versions) => findings.extend(compare(&report, &versions)),
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

/// Whether the rows of a file have the bytes they name in its object.
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
