//! The audit log: every committed change as a line of JSON in a file beside the database, each with the hash of the line
//! before it. Whoever changes or removes a line that was written breaks the chain, which `verify` finds.
//!
//! `follow` writes it from the table of events, after the commit and without a sync for each: what a power cut takes from
//! the end, it writes again at the next start.

mod follow;
mod tail;
mod verify;

use std::path::{Path, PathBuf};

use aws_lc_rs::digest;
use serde::{Deserialize, Serialize};

use isolario_db::Event;
use isolario_model::fields::iso;

pub use follow::follow;
pub use verify::{ChainHead, verify};

/// The name of the file in the data directory.
pub const FILE: &str = "audit.jsonl";
/// What stands for the line before the first.
const FIRST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The audit log of a repository.
pub fn path(data_directory: &Path) -> PathBuf {
    data_directory.join(FILE)
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AuditLine {
    /// Counted from 1.
    number: u64,
    /// SHA-256 of the line before, without its line feed, in hexadecimal digits; of the first, 64 zeros.
    previous: String,
    #[serde(flatten)]
    entry: AuditEntry,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AuditEntry {
    Change(AuditChange),
    /// The database is an earlier one, such as from a backup, or another one: the lines go on after this event of it.
    OtherDatabase {
        at: String,
        after_event: i64,
    },
    /// So many bytes at the end were not whole, as after a power cut, and were taken away. The lines go on after this event.
    Cut {
        at: String,
        bytes: u64,
        after_event: i64,
    },
}

/// A committed change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AuditChange {
    event: i64,
    /// RFC 3339.
    at: String,
    /// User id; 0 for nobody.
    actor: i64,
    /// The name of the account when the line was written.
    actor_name: Option<String>,
    origin: String,
    action: String,
    kind: String,
    id: i64,
    revision: Option<i64>,
    label: String,
    batch: Option<i64>,
}

impl AuditEntry {
    /// The number of the event up to which the database is told.
    fn last_event(&self) -> i64 {
        match self {
            AuditEntry::Change(change) => change.event,
            AuditEntry::OtherDatabase { after_event, .. } | AuditEntry::Cut { after_event, .. } => {
                *after_event
            }
        }
    }
}

impl AuditChange {
    fn of(event: &Event, actor_name: Option<String>) -> AuditChange {
        AuditChange {
            event: event.id,
            at: iso(event.at),
            actor: event.actor,
            actor_name,
            origin: event.origin.clone(),
            action: event.action.clone(),
            kind: event.kind.target_type().to_owned(),
            id: event.entity_id,
            revision: event.revision,
            label: event.label.clone(),
            batch: event.batch,
        }
    }

    /// Whether it tells of that event. Names of accounts change.
    fn is_of(&self, event: &Event) -> bool {
        *self == AuditChange::of(event, self.actor_name.clone())
    }
}

/// SHA-256 of a line without its line feed, in hexadecimal digits.
fn hash_of(line: &[u8]) -> String {
    hex::encode(digest::digest(&digest::SHA256, line))
}
