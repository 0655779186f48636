//! Table `blob_intent`: blobs that are to be moved or removed.

use rusqlite::{OptionalExtension, params};

use super::permitted::require_any;
use super::{DbError, Read, StoredVersion, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Operation, PermittedChange, PermittedServerChange};

/// A blob that is to be moved or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobIntent {
    pub id: i64,
    /// The current name of the blob.
    pub blob: String,
    /// The next name of the blob; `None`: it is to be removed.
    pub target: Option<String>,
}

/// The operations on a file that move its bytes.
const MOVES: &[Operation] = &[
    Operation::ReplaceBytes,
    Operation::Delete,
    Operation::Restore,
];

impl Read<'_> {
    /// The intents after the one of that number, in order, at most `limit`.
    pub fn blob_intents_after(&self, id: i64, limit: u32) -> Result<Vec<BlobIntent>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, blob, target FROM blob_intent WHERE id > ?1 ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![id, limit], |row| {
            Ok(BlobIntent {
                id: row.get(0)?,
                blob: row.get(1)?,
                target: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All names under which the bytes of a version may lie now: that of its row, then those of its intents. The last
    /// one is the final name.
    pub fn places_of_version(&self, fid: i64, version: i64) -> Result<Vec<String>, DbError> {
        let mut row = self
            .connection
            .prepare_cached("SELECT blob FROM file_version WHERE fid = ?1 AND version = ?2")?;
        let blob: Option<String> = row.query_row([fid, version], |row| row.get(0)).optional()?;
        let Some(blob) = blob else {
            return Ok(Vec::new());
        };
        let mut next = self.connection.prepare_cached(
            "SELECT id, target FROM blob_intent WHERE blob = ?1 AND id > ?2 AND target IS NOT NULL
             ORDER BY id LIMIT 1",
        )?;
        let (mut places, mut after) = (vec![blob], 0_i64);
        while let Some(place) = places.last() {
            let move_on =
                next.query_row(params![place, after], |row| Ok((row.get(0)?, row.get(1)?)));
            let Some((id, target)) = move_on.optional()? else {
                break;
            };
            after = id;
            places.push(target);
        }
        Ok(places)
    }

    /// Whether a blob belongs to a version of any file, also of a deleted one, or has an intent.
    pub fn blob_is_known(&self, blob: &str) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM file_version WHERE blob = ?1
             UNION ALL SELECT 1 FROM blob_intent WHERE blob = ?1
             UNION ALL SELECT 1 FROM blob_intent WHERE target = ?1",
        )?;
        Ok(statement.exists([blob])?)
    }

    /// Whether a blob whose name begins so has an intent to be removed.
    pub fn is_to_be_removed(&self, prefix: &str) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM blob_intent
             WHERE target IS NULL AND blob >= ?1 AND blob < ?1 || char(0x10FFFF)",
        )?;
        Ok(statement.exists([prefix])?)
    }
}

impl<'t> Write<'t> {
    /// Adds an intent: the blob is moved or removed after this change is committed.
    pub fn intend(
        &mut self,
        permitted: &PermittedChange<'t>,
        fid: i64,
        blob: &str,
        target: Option<&str>,
    ) -> Result<(), DbError> {
        let operations: &[Operation] = match target {
            Some(_) => MOVES,
            None => &[Operation::Purge],
        };
        require_any(permitted, operations, EntityKind::File, fid)?;
        self.connection
            .prepare_cached("INSERT INTO blob_intent (blob, target) VALUES (?1, ?2)")?
            .execute(params![blob, target])?;
        Ok(())
    }

    /// Gives a version the name of a blob elsewhere that has the same bytes. Those that it had are removed after this
    /// change is committed. `next` is the name that the blob then gets.
    pub fn move_version(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        version: &StoredVersion,
        blob: &str,
        next: Option<&str>,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE file_version SET blob = ?3 WHERE fid = ?1 AND version = ?2")?
            .execute(params![version.fid, version.version, blob])?;
        let mut intend = self
            .connection
            .prepare_cached("INSERT INTO blob_intent (blob, target) VALUES (?1, ?2)")?;
        intend.execute(params![version.blob, None::<&str>])?;
        if let Some(next) = next {
            intend.execute(params![blob, next])?;
        }
        Ok(())
    }

    /// Removes an intent that was carried out, and gives its blob the new name.
    pub fn intent_is_done(&mut self, intent: &BlobIntent) -> Result<(), DbError> {
        if let Some(target) = &intent.target {
            self.connection
                .prepare_cached("UPDATE file_version SET blob = ?2 WHERE blob = ?1")?
                .execute([&intent.blob, target])?;
        }
        self.give_up_intent(intent.id)
    }

    /// Removes an intent that can never be carried out. The bytes did not move, or they are lost.
    pub fn give_up_intent(&mut self, id: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM blob_intent WHERE id = ?1")?
            .execute([id])?;
        Ok(())
    }
}
