//! Verifies the chain of the log, and compares its lines with the database.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use super::{AuditChange, AuditEntry, AuditLine, FIRST, hash_of};
use isolario_db::{Db, DbError, Event};
use isolario_disk::regular_file;

/// Events that are read at once.
const EVENTS: u32 = 500;
/// Longer lines are none of ours, bytes.
const LONGEST: u64 = 1 << 20;
/// So many differences from the database are told.
const MOST: usize = 100;

/// How long the chain is, and the hash of its last line, which one may note elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainHead {
    pub lines: u64,
    /// SHA-256, in hexadecimal digits.
    pub hash: String,
    /// Events of the database that are not in the log yet.
    pub missing: u64,
    /// Events at the end of the log that the database does not have: it is an earlier one, or was made anew.
    pub ahead: u64,
}

/// Verifies the log at a path. `problem` hears each problem, in a sentence. `None`: there is no log.
///
/// # Errors
/// Those of the disk and of the database.
pub fn verify(
    path: &Path,
    db: &Db,
    problem: &mut dyn FnMut(String),
) -> Result<Option<ChainHead>, VerifyError> {
    let file = match regular_file::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut lines = BufReader::new(file);
    let mut head = ChainHead {
        lines: 0,
        hash: FIRST.to_owned(),
        missing: 0,
        ahead: 0,
    };
    let mut told = EventComparison::new(db);
    let mut line = Vec::new();
    loop {
        line.clear();
        lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        // A line that is being written, or was not to its end: its change is in the database.
        if line.pop() != Some(b'\n') {
            break;
        }
        let number = head.lines + 1;
        let Ok(read) = serde_json::from_slice::<AuditLine>(&line) else {
            problem(format!(
                "Line {number} is not one that this program has written."
            ));
            return Ok(Some(head));
        };
        if read.number != number || read.previous != head.hash {
            problem(format!(
                "The chain breaks at line {number}: the line before it was changed, added or removed."
            ));
            return Ok(Some(head));
        }
        told.compare(number, &read.entry)?;
        head.lines = number;
        head.hash = hash_of(&line);
    }
    head.missing = told.missing()?;
    head.ahead = told.ahead;
    told.differences
        .into_iter()
        .for_each(|(_, words)| problem(words));
    Ok(Some(head))
}

/// Why the log could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    #[error(transparent)]
    Disk(#[from] io::Error),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The events of the database, in the order in which the log tells them.
struct EventComparison<'d> {
    db: &'d Db,
    events: VecDeque<Event>,
    /// The number of the last event that was read.
    last: i64,
    /// Events that the database has otherwise, and what is to be said of them.
    differences: Vec<(i64, String)>,
    ahead: u64,
}

impl EventComparison<'_> {
    fn new(db: &Db) -> EventComparison<'_> {
        EventComparison {
            db,
            events: VecDeque::new(),
            last: 0,
            differences: Vec::new(),
            ahead: 0,
        }
    }

    fn compare(&mut self, number: u64, entry: &AuditEntry) -> Result<(), DbError> {
        match entry {
            AuditEntry::OtherDatabase { after_event, .. } | AuditEntry::Cut { after_event, .. } => {
                // What was told after that event was of a database that is gone.
                self.differences.retain(|(event, _)| event <= after_event);
                self.ahead = 0;
                self.events.clear();
                self.last = *after_event;
                Ok(())
            }
            AuditEntry::Change(change) => self.compare_change(number, change),
        }
    }

    fn compare_change(&mut self, number: u64, change: &AuditChange) -> Result<(), DbError> {
        while let Some(event) = self.next()? {
            if event.id < change.event {
                self.differ(
                    event.id,
                    format!("Event {} of the database is not in it.", event.id),
                );
                continue;
            }
            if event.id > change.event {
                self.events.push_front(event);
                break;
            }
            if !change.is_of(&event) {
                let words = format!(
                    "Line {number} tells of event {} otherwise than the database.",
                    event.id
                );
                self.differ(event.id, words);
            }
            return Ok(());
        }
        self.ahead += 1;
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Event>, DbError> {
        if self.events.is_empty() {
            let after = self.last;
            let events = self.db.read_here(|read| read.events_after(after, EVENTS))?;
            self.events = events.into();
        }
        let event = self.events.pop_front();
        self.last = event
            .as_ref()
            .map_or(self.last, |event| event.id.max(self.last));
        Ok(event)
    }

    fn differ(&mut self, event: i64, words: String) {
        if self.differences.len() < MOST {
            self.differences.push((event, words));
        }
    }

    fn missing(&mut self) -> Result<u64, DbError> {
        let mut missing = 0;
        while self.next()?.is_some() {
            missing += 1;
        }
        Ok(missing)
    }
}
