//! Checks a whole repository and reports what is wrong. It repairs nothing.
//!
//! It compares the database and the bytes on disk both ways, and reads every byte once. A running program may change
//! both meanwhile, so a finding is checked again before it is reported.

mod objects;
mod report;
mod unnamed_files;
mod uploads;
mod versions;
mod workers;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub use report::{Aspect, Finding, Report};

use crate::audit_log::{self, ChainHead};
use crate::progress::ReportProgress;
use crate::records;
use crate::repository::Repository;
use isolario_blobs::Blobs;
use isolario_db::{Backlog, Db, DbError, INVENTORY, Read};
use report::Findings;

/// How often a finding is checked again while the repository is in use.
const ATTEMPTS: u32 = 6;
const RETRY_DELAY: Duration = Duration::from_millis(150);
/// How many findings one query returns.
const MOST_FINDINGS: u32 = 1_000;

/// The repository that is checked.
#[derive(Clone)]
pub struct CheckedRepository {
    pub directory: PathBuf,
    pub db: Db,
    pub blobs: Blobs,
    /// Whether a running program changes it meanwhile.
    pub in_use: bool,
}

impl CheckedRepository {
    /// A repository that this program has open.
    pub fn open(repository: &Repository) -> CheckedRepository {
        CheckedRepository {
            directory: repository.directory.clone(),
            db: repository.db.clone(),
            blobs: repository.blobs.clone(),
            in_use: true,
        }
    }
}

/// Checks a repository, on threads of its own. It ends early when the future is dropped or `closing` is cancelled. The
/// report then says what was not checked.
pub async fn check(
    subject: CheckedRepository,
    say: Arc<ReportProgress>,
    closing: &CancellationToken,
) -> Report {
    let stop = closing.child_token();
    let _stop_when_dropped = stop.clone().drop_guard();
    let directory = subject.directory.clone();
    let looking = tokio::task::spawn_blocking(move || Check::new(subject, say, stop).run());
    looking
        .await
        .unwrap_or_else(|error| Report::broken_off(&directory, Aspect::Check, &error.to_string()))
}

/// A check in progress.
struct Check {
    subject: CheckedRepository,
    findings: Findings,
    /// Bytes that were read.
    read: AtomicU64,
    say: Arc<ReportProgress>,
    stop: CancellationToken,
}

impl Check {
    fn new(subject: CheckedRepository, say: Arc<ReportProgress>, stop: CancellationToken) -> Check {
        Check {
            subject,
            findings: Findings::default(),
            read: AtomicU64::new(0),
            say,
            stop,
        }
    }

    fn run(self) -> Report {
        let started = chrono::Utc::now();
        self.database();
        self.staging();
        self.uploads();
        self.bytes();
        self.references();
        self.records();
        self.contradiction();
        let audited = self.audit_log();
        if self.stop.is_cancelled() {
            let words = "The check was broken off: not everything was looked at.";
            self.problem(Aspect::Check, "", words);
        }
        let mut report = Report::new(&self.subject, started);
        report.bytes = self.read.load(Ordering::Relaxed);
        if let Some(head) = audited {
            (report.audit_lines, report.audit_head) = (head.lines, head.hash);
        }
        self.findings.write_to(&mut report);
        report
    }

    fn database(&self) {
        (self.say)("Looking at the database".into());
        let sound = self.subject.db.read_here(|read| {
            let findings = read.integrity(MOST_FINDINGS)?;
            let keys = read.foreign_keys(MOST_FINDINGS as usize)?;
            Ok::<_, DbError>([findings, keys].concat())
        });
        match sound {
            Ok(findings) => {
                for finding in findings {
                    self.problem(Aspect::Database, "", &finding);
                }
            }
            Err(error) => self.database_failed(&error),
        }
    }

    fn references(&self) {
        (self.say)("Looking at references".into());
        let dangling = self
            .subject
            .db
            .read_here(|read| read.dangling_references(MOST_FINDINGS));
        match dangling {
            Ok(dangling) => {
                for reference in dangling {
                    let subject = reference.kind.path(reference.id);
                    let words = format!(
                        "Its {} refers to the {} {}, which has never been here.",
                        reference.field, reference.target_kind, reference.target_id
                    );
                    self.note(Aspect::Reference, &subject, &words);
                }
            }
            Err(error) => self.database_failed(&error),
        }
    }

    /// How far the records and the inventories in a bucket lag; a schema from before there were any has none.
    fn records(&self) {
        let backlog = self.subject.db.read_here(|read| {
            let is_current = read.schema_is_up_to_date()?;
            let backlogs = || Ok((read.record_backlog()?, read.job_backlog(INVENTORY)?));
            is_current.then(backlogs).transpose()
        });
        match backlog {
            Ok(Some((records, inventories))) => {
                self.backlog(Aspect::Records, &records, "");
                self.backlog(Aspect::Ocfl, &inventories, "Inventories in the bucket: ");
            }
            Ok(None) => {
                let words = "It is of an older schema; the next start brings it up to date.";
                self.note(Aspect::Database, "", words);
            }
            Err(error) => self.database_failed(&error),
        }
    }

    /// How much of a kind is not written yet.
    fn backlog(&self, aspect: Aspect, backlog: &Backlog, what: &str) {
        if backlog.failing > 0 {
            let words = format!("{what}{} could not be written yet.", backlog.failing);
            self.problem(aspect, "", &words);
        } else if backlog.pending > 0 {
            let since = backlog.oldest.unwrap_or_default();
            let since = chrono::DateTime::from_timestamp(since, 0).unwrap_or_default();
            let words = format!(
                "{what}{} wait to be written, since {since}.",
                backlog.pending
            );
            self.note(aspect, "", &words);
        }
    }

    /// Whether the records are those of this database. A running program has looked at its start, and writes both.
    fn contradiction(&self) {
        if self.subject.in_use {
            return;
        }
        let directory = &self.subject.directory;
        let found = |read: &Read<'_>| records::contradiction(directory, read);
        match self.subject.db.read_here(found) {
            Ok(Some(why)) => self.problem(
                Aspect::Records,
                "",
                &format!("The database does not fit them: {why}."),
            ),
            Ok(None) => {}
            Err(error) => self.database_failed(&error),
        }
    }

    /// Whether the audit log is whole and tells what the database tells.
    fn audit_log(&self) -> Option<ChainHead> {
        let db = &self.subject.db;
        // The next start brings an older schema up to date.
        let is_current = db.read_here(|read| read.schema_is_up_to_date());
        if !is_current.is_ok_and(|is_current| is_current) {
            return None;
        }
        (self.say)("Looking at the audit log".into());
        let path = audit_log::path(&self.subject.directory);
        let mut problem = |words: String| self.problem(Aspect::AuditLog, "", &words);
        let verified = audit_log::verify(&path, db, &mut problem);
        let head = match verified {
            Ok(head) => head?,
            Err(error) => {
                problem(format!("It cannot be read: {error}."));
                return None;
            }
        };
        if head.ahead > 0 {
            let words = format!(
                "The database does not have the last {} of its events.",
                head.ahead
            );
            match self.subject.in_use {
                true => problem(words),
                false => {
                    let why = "It is an earlier one, or was made anew; the next start notes that.";
                    self.note(Aspect::AuditLog, "", &format!("{words} {why}"));
                }
            }
        }
        if head.missing > 0 && !self.subject.in_use {
            let words = format!(
                "{} changes are not in it yet; the next start adds them.",
                head.missing
            );
            self.note(Aspect::AuditLog, "", &words);
        }
        Some(head)
    }

    fn database_failed(&self, error: &DbError) {
        self.problem(
            Aspect::Database,
            "",
            &format!("It cannot be read: {error}."),
        );
    }

    fn problem(&self, aspect: Aspect, subject: &str, words: &str) {
        self.findings.problem(Finding::new(aspect, subject, words));
    }

    fn note(&self, aspect: Aspect, subject: &str, words: &str) {
        self.findings.note(Finding::new(aspect, subject, words));
    }

    /// Repeats a check until it finds nothing, or has found the same often enough.
    fn repeat(&self, check: impl Fn() -> Vec<Finding>) -> Vec<Finding> {
        let mut found = check();
        let mut attempts = 1;
        while self.subject.in_use
            && !found.is_empty()
            && attempts < ATTEMPTS
            && !self.stop.is_cancelled()
        {
            std::thread::sleep(RETRY_DELAY);
            found = check();
            attempts += 1;
        }
        found
    }

    /// Counts the bytes that were read. Returns whether to stop.
    fn count(&self, bytes: u64) -> ControlFlow<()> {
        self.read.fetch_add(bytes, Ordering::Relaxed);
        match self.stop.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
