//! Table `blob_intent`: where bytes lie, and where they are to lie next.

use rusqlite::{OptionalExtension, params};

use super::permitted::require_any;
use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Operation, PermittedChange};

/// What is still to be done to some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobIntent {
    pub id: i64,
    /// Where they lie.
    pub blob: String,
    /// Where they are to lie; `None`: nowhere.
    pub target: Option<String>,
}

/// The operations on a file by which its bytes come to lie elsewhere.
const MOVES: &[Operation] = &[
    Operation::ReplaceBytes,
    Operation::Delete,
    Operation::Restore,
];

impl Read<'_> {
    /// What is to be done to bytes after the intent of that number, in order, at most `limit`.
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

    /// Every place where the bytes of a version may lie at this moment: where its row says, then
    /// where they are being moved. The last is where they will come to rest.
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

    /// Whether these bytes belong to any version of any file, deleted ones included, or are on their
    /// way somewhere.
    pub fn blob_is_known(&self, blob: &str) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM file_version WHERE blob = ?1
             UNION ALL SELECT 1 FROM blob_intent WHERE blob = ?1
             UNION ALL SELECT 1 FROM blob_intent WHERE target = ?1",
        )?;
        Ok(statement.exists([blob])?)
    }

    /// Whether bytes whose name begins so are about to be removed for good.
    pub fn is_to_be_removed(&self, prefix: &str) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM blob_intent WHERE target IS NULL AND substr(blob, 1, length(?1)) = ?1",
        )?;
        Ok(statement.exists([prefix])?)
    }
}

impl<'t> Write<'t> {
    /// Notes that bytes of a file are to lie elsewhere, or nowhere, once this change is committed.
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

    /// Notes that an intent has been carried out: the bytes lie at its target now.
    pub fn intent_is_done(&mut self, intent: &BlobIntent) -> Result<(), DbError> {
        if let Some(target) = &intent.target {
            self.connection
                .prepare_cached("UPDATE file_version SET blob = ?2 WHERE blob = ?1")?
                .execute([&intent.blob, target])?;
        }
        self.give_up_intent(intent.id)
    }

    /// Drops an intent that can never be carried out. The bytes are where they were, or lost.
    pub fn give_up_intent(&mut self, id: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM blob_intent WHERE id = ?1")?
            .execute([id])?;
        Ok(())
    }
}
