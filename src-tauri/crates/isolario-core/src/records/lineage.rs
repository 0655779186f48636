//! Determines whether the records were written from the database beside them.

use std::path::Path;

use super::path::RecordSubject;
use super::read::{ReadRecord, highest_ids, single};
use isolario_db::{DbError, Read};
use isolario_model::content::EntityKind;
use isolario_model::content::record::Record;

/// The first account of every repository. Its UUID identifies the repository.
const FIRST_ACCOUNT: i64 = 1;

/// Why the records beside a database cannot come from it: it belongs to another repository, or it is older than the
/// records. Ids only increase in a database, and no record has an id before the database has it on disk.
///
/// # Errors
/// What the database refuses.
pub fn contradiction(data_directory: &Path, read: &Read<'_>) -> Result<Option<String>, DbError> {
    let records = super::directory(data_directory);
    let account = RecordSubject::Numbered(EntityKind::User, FIRST_ACCOUNT);
    match single(&records, &account) {
        Some(Ok(Record::User(recorded))) => {
            let known = read.account_record(FIRST_ACCOUNT)?;
            if known.is_none_or(|known| known.uuid != recorded.uuid) {
                return Ok(Some("they are of another repository".into()));
            }
        }
        Some(other) => return Ok(Some(unreadable(other))),
        None => {}
    }
    let recorded = match single(&records, &RecordSubject::Numbers) {
        Some(Ok(Record::Numbers(recorded))) => recorded,
        Some(other) => return Ok(Some(unreadable(other))),
        None => highest_ids(&records),
    };
    let known = read.highest_numbers()?.highest;
    let of = |table: &String| known.get(table).copied().unwrap_or(0);
    let mut numbers = recorded.highest.iter();
    let newer = numbers.find(|(table, highest)| **highest > of(table));
    Ok(newer.map(|(table, highest)| {
        format!(
            "they are newer: they count {highest} in {table}, it counts {}",
            of(table)
        )
    }))
}

/// A record is written completely or not at all, so somebody else has damaged this one.
fn unreadable(record: ReadRecord) -> String {
    match record {
        Ok(_) => "one of them is another one".into(),
        Err(why) => format!("they cannot be read: {why}"),
    }
}
