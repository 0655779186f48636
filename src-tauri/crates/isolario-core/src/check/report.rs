//! The report of a check, for people and for programs.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use super::CheckedRepository;

/// How many findings of a kind are listed; the rest is counted.
const LISTED: usize = 10_000;
/// How many of them the text for people has.
const SHOWN: usize = 200;

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The check itself.
    Check,
    /// The file of the database, its indexes and its keys.
    Database,
    /// Bytes that a file has to have.
    Bytes,
    /// Something on disk that the database does not name.
    Unknown,
    /// The storage root and its objects (OCFL 1.1).
    Ocfl,
    /// Unfinished uploads.
    Staging,
    /// A reference to a resource that never existed.
    Reference,
    /// The records beside the database.
    Records,
    /// The audit log beside the database.
    AuditLog,
}

impl Aspect {
    fn heading(self) -> &'static str {
        match self {
            Aspect::Check => "Check",
            Aspect::Database => "Database",
            Aspect::Bytes => "Bytes of files",
            Aspect::Unknown => "On disk and known to nobody",
            Aspect::Ocfl => "OCFL storage root",
            Aspect::Staging => "Unfinished uploads",
            Aspect::Reference => "References",
            Aspect::Records => "Records beside the database",
            Aspect::AuditLog => "Audit log",
        }
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    pub aspect: Aspect,
    /// What it is about: a blob, an object, a path. Empty for the whole.
    pub subject: String,
    /// A sentence.
    pub detail: String,
}

impl Finding {
    /// Puts a finding together.
    pub fn new(aspect: Aspect, subject: &str, detail: &str) -> Finding {
        Finding {
            aspect,
            subject: subject.to_owned(),
            detail: detail.to_owned(),
        }
    }
}

/// The report of a check.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    pub directory: String,
    /// Whether a running program carried it out.
    pub in_use: bool,
    /// RFC 3339.
    pub started: String,
    pub finished: String,
    /// Versions of files that the database knows.
    pub versions: u64,
    /// Files outside of objects that lie on disk.
    pub files: u64,
    /// Objects of the storage root.
    pub objects: u64,
    /// Bytes that were read and compared with their checksums.
    pub bytes: u64,
    /// Lines of the audit log, and the hash of the last one (SHA-256), which one may note elsewhere.
    #[serde(default)]
    pub audit_lines: u64,
    #[serde(default)]
    pub audit_head: String,
    /// What is wrong.
    pub problems: Vec<Finding>,
    /// Problems that are not listed.
    pub more_problems: u64,
    /// What is worth knowing.
    pub notes: Vec<Finding>,
    /// Notes that are not listed.
    pub more_notes: u64,
}

impl Report {
    /// An empty one, finished now.
    pub fn new(subject: &CheckedRepository, started: DateTime<Utc>) -> Report {
        let written = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
        Report {
            directory: subject.directory.display().to_string(),
            in_use: subject.in_use,
            started: written(started),
            finished: written(Utc::now()),
            versions: 0,
            files: 0,
            objects: 0,
            bytes: 0,
            audit_lines: 0,
            audit_head: String::new(),
            problems: Vec::new(),
            more_problems: 0,
            notes: Vec::new(),
            more_notes: 0,
        }
    }

    /// The report of a check that could not run, with the reason.
    pub fn broken_off(directory: &Path, aspect: Aspect, why: &str) -> Report {
        let now = Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true);
        Report {
            directory: directory.display().to_string(),
            in_use: false,
            started: now.clone(),
            finished: now,
            versions: 0,
            files: 0,
            objects: 0,
            bytes: 0,
            audit_lines: 0,
            audit_head: String::new(),
            problems: vec![Finding::new(aspect, "", why)],
            more_problems: 0,
            notes: Vec::new(),
            more_notes: 0,
        }
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{}\n  {} versions of files are known; {} files and {} objects lie on disk; {} were read.\n",
            self.directory,
            self.versions,
            self.files,
            self.objects,
            size(self.bytes)
        );
        if self.audit_lines > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  The audit log has {} lines; the SHA-256 of the last is {}.",
                self.audit_lines, self.audit_head
            );
        }
        list(&mut text, &self.problems, self.more_problems);
        if !self.notes.is_empty() {
            text.push_str("\nWorth knowing, though nothing is wrong with it:\n");
            list(&mut text, &self.notes, self.more_notes);
        }
        let count = self.problems.len() as u64 + self.more_problems;
        text.push_str(match count {
            0 => "\nEverything is as it should be.",
            _ => "",
        });
        if count > 0 {
            let noun = if count == 1 { "problem" } else { "problems" };
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{count} {noun}. Nothing was changed.");
        }
        text
    }
}

fn list(text: &mut String, findings: &[Finding], more: u64) {
    let mut aspect = None;
    for finding in findings.iter().take(SHOWN) {
        if aspect != Some(finding.aspect) {
            aspect = Some(finding.aspect);
            let _ = writeln!(text, "\n{}", finding.aspect.heading());
        }
        let _ = match finding.subject.is_empty() {
            true => writeln!(text, "  {}", finding.detail),
            false => writeln!(text, "  {}: {}", finding.subject, finding.detail),
        };
    }
    let hidden = findings.len().saturating_sub(SHOWN) as u64 + more;
    if hidden > 0 {
        let _ = writeln!(text, "  … and {hidden} more (--json lists them)");
    }
}

/// A number of bytes in words.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let (mut whole, mut rest, mut unit) = (bytes, 0, 0);
    while whole >= 1000 && unit + 1 < UNITS.len() {
        (whole, rest) = (whole / 1000, whole % 1000 / 100);
        unit += 1;
    }
    match unit {
        0 => format!("{whole} {}", UNITS[unit]),
        _ => format!("{whole}.{rest} {}", UNITS[unit]),
    }
}

/// The findings so far, of all threads.
#[derive(Debug, Default)]
pub(super) struct Findings {
    problems: Mutex<FindingList>,
    notes: Mutex<FindingList>,
    counts: Mutex<CheckCounts>,
}

#[derive(Debug, Default)]
struct FindingList {
    findings: Vec<Finding>,
    more: u64,
}

#[derive(Debug, Default)]
struct CheckCounts {
    versions: u64,
    files: u64,
    objects: u64,
}

impl FindingList {
    fn push(&mut self, finding: Finding) {
        match self.findings.len() < LISTED {
            true => self.findings.push(finding),
            false => self.more += 1,
        }
    }

    fn sorted(&mut self) -> (Vec<Finding>, u64) {
        let mut findings = std::mem::take(&mut self.findings);
        findings.sort();
        (findings, self.more)
    }
}

impl Findings {
    pub(super) fn problem(&self, finding: Finding) {
        within(&self.problems, |listed| listed.push(finding));
    }

    pub(super) fn note(&self, finding: Finding) {
        within(&self.notes, |listed| listed.push(finding));
    }

    pub(super) fn version(&self) {
        within(&self.counts, |counts| counts.versions += 1);
    }

    pub(super) fn file(&self) {
        within(&self.counts, |counts| counts.files += 1);
    }

    pub(super) fn object(&self) {
        within(&self.counts, |counts| counts.objects += 1);
    }

    pub(super) fn write_to(&self, report: &mut Report) {
        (report.problems, report.more_problems) = within(&self.problems, FindingList::sorted);
        (report.notes, report.more_notes) = within(&self.notes, FindingList::sorted);
        within(&self.counts, |counts| {
            report.versions = counts.versions;
            report.files = counts.files;
            report.objects = counts.objects;
        });
    }
}

/// Ignores poison, because no panic can leave the list half changed.
fn within<T, R>(shared: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
    work(&mut shared.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_in_words() {
        let said = [0, 999, 1_000, 1_560_000, 2_000_000_000_000_000].map(size);
        assert_eq!(
            said,
            ["0 bytes", "999 bytes", "1.0 kB", "1.5 MB", "2000.0 TB"]
        );
    }

    #[test]
    fn a_long_list_is_cut_and_counted() {
        let findings = Findings::default();
        for at in 0..LISTED + 5 {
            findings.problem(Finding::new(Aspect::Bytes, &at.to_string(), "Gone."));
        }
        let mut report = Report::broken_off(Path::new("/data"), Aspect::Check, "");
        findings.write_to(&mut report);
        assert_eq!((report.problems.len(), report.more_problems), (LISTED, 5));
        let text = report.to_text();
        assert!(text.contains("… and 9805 more"), "{text}");
        assert!(text.ends_with("10005 problems. Nothing was changed."));
    }
}
