//! Checks unfinished uploads, and what a crash left of uploads.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::report::size;
use super::{ATTEMPTS, Aspect, Check, Finding, RETRY_DELAY};
use crate::actions::resumable_upload::{EVERY, LIFETIME};
use isolario_blobs::PendingUploads;
use isolario_db::{DbError, UploadRecord};

const LEFT_BEHIND: &str = "Left behind; the next start clears it up.";

impl Check {
    /// Notes the files that the next start removes, in a repository that nobody uses.
    pub(super) fn staging(&self) {
        if self.subject.in_use {
            return;
        }
        match self.subject.blobs.staged() {
            Ok(names) => {
                for name in names {
                    self.note(Aspect::Staging, &name, LEFT_BEHIND);
                }
            }
            Err(error) => {
                self.problem(Aspect::Staging, "", &format!("It cannot be read: {error}."))
            }
        }
    }

    /// Compares the rows of resumable uploads with their bytes.
    pub(super) fn uploads(&self) {
        for problem in self.repeat(|| self.looked_at_uploads().0) {
            self.findings.problem(problem);
        }
        for note in self.looked_at_uploads().1 {
            self.findings.note(note);
        }
        // While others upload, bytes are there a moment before their row, and a moment after it.
        let mut left = self.left_behind();
        if self.subject.in_use && !left.is_empty() {
            std::thread::sleep(RETRY_DELAY * ATTEMPTS);
            let still_left = self.left_behind();
            left.retain(|id| still_left.contains(id));
        }
        for id in left {
            self.findings.note(named(id, LEFT_BEHIND));
        }
    }

    /// The problems of resumable uploads, and the notes about them.
    fn looked_at_uploads(&self) -> (Vec<Finding>, Vec<Finding>) {
        let (mut problems, mut notes) = (Vec::new(), Vec::new());
        let (uploads, waiting) = match self.unfinished() {
            Ok(found) => found,
            Err(words) => return (vec![finding("uploads", &words)], notes),
        };
        for upload in &uploads {
            match self.verdict(upload, &waiting) {
                Ok(words) => notes.push(named(upload.id, &words)),
                Err(words) => problems.push(named(upload.id, &words)),
            }
        }
        for path in &waiting.foreign {
            let words = "Nothing of ours has such a name.";
            problems.push(Finding::new(Aspect::Unknown, &self.inside(path), words));
        }
        (problems, notes)
    }

    /// Bytes without an unfinished upload.
    fn left_behind(&self) -> BTreeSet<Uuid> {
        let (uploads, waiting) = self.unfinished().unwrap_or_default();
        let known: BTreeSet<Uuid> = uploads.iter().map(|upload| upload.id).collect();
        let there: BTreeSet<Uuid> = waiting.sizes.into_keys().collect();
        &there - &known
    }

    /// Reads the rows and then the bytes, because the bytes are removed with their row. A schema without the table has
    /// no rows.
    fn unfinished(&self) -> Result<(Vec<UploadRecord>, PendingUploads), String> {
        let uploads = self.subject.db.read_here(|read| {
            let is_current = read.schema_is_up_to_date()?;
            is_current.then(|| read.unfinished_uploads()).transpose()
        });
        let uploads = uploads.map_err(|error: DbError| error.to_string())?;
        let waiting = self.subject.blobs.waiting();
        let waiting = waiting.map_err(|error| format!("It cannot be read: {error}."))?;
        Ok((uploads.unwrap_or_default(), waiting))
    }

    /// In words how an upload is, or what is wrong with it.
    fn verdict(&self, upload: &UploadRecord, waiting: &PendingUploads) -> Result<String, String> {
        let received = size(upload.received);
        match waiting.sizes.get(&upload.id) {
            None => Err(format!(
                "Its bytes are missing: {received} had come by {}. The next start forgets it.",
                time(upload.touched)
            )),
            Some(there) if *there < upload.received => Err(format!(
                "Bytes of it are missing: {received} had come, {} are there.",
                size(*there)
            )),
            Some(_) => self.age(upload),
        }
    }

    /// A running program removes what is over its time; a start does so, too.
    fn age(&self, upload: &UploadRecord) -> Result<String, String> {
        let overdue = Utc::now().timestamp() - (upload.touched + LIFETIME);
        if overdue <= 0 {
            return Ok(waits(upload));
        }
        let since = time(upload.touched + LIFETIME);
        let swept_twice = Duration::from_secs(overdue.unsigned_abs()) > EVERY * 2;
        match self.subject.in_use && swept_twice {
            true => Err(format!(
                "Its time was over at {since}, and it has not been removed."
            )),
            false => Ok(format!("Its time was over at {since}; it will be removed.")),
        }
    }
}

fn waits(upload: &UploadRecord) -> String {
    let mut words = format!("{} have come", size(upload.received));
    if let Some(length) = upload.length {
        // Writing to a string cannot fail.
        let _ = write!(words, " of {}", size(length));
    }
    let until = time(upload.touched + LIFETIME);
    format!(
        "{words}, for user {}. It waits for the next part until {until}.",
        upload.uid
    )
}

fn time(at: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(at, 0).unwrap_or_default()
}

fn named(id: Uuid, words: &str) -> Finding {
    finding(&format!("uploads/{}", id.simple()), words)
}

fn finding(subject: &str, words: &str) -> Finding {
    Finding::new(Aspect::Staging, subject, words)
}
