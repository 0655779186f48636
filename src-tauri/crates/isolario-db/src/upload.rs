//! Table `upload`: resumable uploads. A row stays for a while after the upload is complete.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use uuid::Uuid;

use super::{DbError, Read, Write};
use isolario_model::content::UploadPiece;

/// A resumable upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadRecord {
    pub id: Uuid,
    /// Who began it.
    pub uid: i64,
    /// The target of the upload, as the action wrote it.
    pub request: String,
    /// Bytes that are on disk.
    pub received: u64,
    /// Bytes of the whole upload, if the client said so.
    pub length: Option<u64>,
    /// When it was last continued. Unix seconds.
    pub touched: i64,
    /// The outcome, as the action wrote it.
    pub outcome: Option<String>,
}

const SELECT: &str = "SELECT id, uid, request, received, length, touched, outcome FROM upload";

/// Removes the unfinished uploads from a copy of the database, which has none of their bytes. The copy is on disk when
/// this returns.
///
/// # Errors
/// What the file refuses.
pub fn forget_unfinished_uploads(copy: &Path) -> Result<(), DbError> {
    let connection = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection
        .execute_batch("DELETE FROM upload_piece; DELETE FROM upload WHERE outcome IS NULL;")?;
    connection.close().map_err(|(_, error)| error.into())
}

impl Read<'_> {
    /// One upload.
    pub fn upload(&self, id: Uuid) -> Result<Option<UploadRecord>, DbError> {
        let sql = format!("{SELECT} WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([key(id)], read_upload).optional()?)
    }

    /// The unfinished uploads.
    pub fn unfinished_uploads(&self) -> Result<Vec<UploadRecord>, DbError> {
        let sql = format!("{SELECT} WHERE outcome IS NULL");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], read_upload)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What lies in a bucket of an upload, in its order.
    pub fn upload_pieces(&self, id: Uuid) -> Result<Vec<UploadPiece>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT start, size, name FROM upload_piece WHERE id = ?1 ORDER BY start",
        )?;
        let rows = statement.query_map([key(id)], |row| {
            Ok(UploadPiece {
                start: bytes(row.get(0)?),
                size: bytes(row.get(1)?),
                name: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of unfinished uploads of a user.
    pub fn count_unfinished_uploads(&self, uid: i64) -> Result<i64, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT count(*) FROM upload WHERE uid = ?1 AND outcome IS NULL")?;
        Ok(statement.query_row([uid], |row| row.get(0))?)
    }

    /// The uploads that nobody has continued since a time (Unix seconds), also complete ones.
    pub fn uploads_untouched_since(&self, at: i64) -> Result<Vec<Uuid>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT id FROM upload WHERE touched < ?1")?;
        let rows = statement.query_map([at], |row| id_in(row, 0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn key(id: Uuid) -> String {
    id.simple().to_string()
}

fn id_in(row: &Row<'_>, column: usize) -> Result<Uuid, rusqlite::Error> {
    // A row that somebody damaged names no upload.
    Ok(Uuid::parse_str(&row.get::<_, String>(column)?).unwrap_or_default())
}

fn bytes(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

fn read_upload(row: &Row<'_>) -> Result<UploadRecord, rusqlite::Error> {
    Ok(UploadRecord {
        id: id_in(row, 0)?,
        uid: row.get(1)?,
        request: row.get(2)?,
        received: bytes(row.get(3)?),
        length: row.get::<_, Option<i64>>(4)?.map(bytes),
        touched: row.get(5)?,
        outcome: row.get(6)?,
    })
}

fn count(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

impl Write<'_> {
    /// Adds an upload.
    pub fn insert_upload(&mut self, upload: &UploadRecord) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO upload (id, uid, request, received, length, touched, outcome)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                key(upload.id),
                upload.uid,
                upload.request,
                count(upload.received),
                upload.length.map(count),
                upload.touched,
                upload.outcome,
            ])?;
        Ok(())
    }

    /// Stores how many bytes of an upload are on disk, at a time (Unix seconds), and its length if that is known.
    pub fn set_upload_received(
        &mut self,
        id: Uuid,
        received: u64,
        length: Option<u64>,
        at: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE upload SET received = ?2, length = coalesce(?3, length), touched = ?4 WHERE id = ?1",
            )?
            .execute(params![key(id), count(received), length.map(count), at])?;
        Ok(())
    }

    /// Stores what lies in a bucket of an upload from a byte on.
    pub fn set_upload_pieces(
        &mut self,
        id: Uuid,
        start: u64,
        pieces: &[UploadPiece],
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM upload_piece WHERE id = ?1 AND start >= ?2")?
            .execute(params![key(id), count(start)])?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO upload_piece (id, start, size, name) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for UploadPiece { start, size, name } in pieces {
            insert.execute(params![key(id), count(*start), count(*size), name])?;
        }
        Ok(())
    }

    /// Stores the outcome of an upload, at a time (Unix seconds).
    pub fn set_upload_outcome(&mut self, id: Uuid, outcome: &str, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE upload SET outcome = ?2, touched = ?3 WHERE id = ?1")?
            .execute(params![key(id), outcome, at])?;
        self.set_upload_pieces(id, 0, &[])
    }

    /// Removes an upload.
    pub fn delete_upload(&mut self, id: Uuid) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM upload WHERE id = ?1")?
            .execute([key(id)])?;
        Ok(())
    }
}
