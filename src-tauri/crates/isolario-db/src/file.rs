//! Tables `file` and `file_version`: the metadata of files, and the blob of each version.

use rusqlite::{OptionalExtension, Row, params};

use super::permitted::{require, require_content};
use super::{DbError, Deletion, Read, Write};
use isolario_model::content::{EntityKind, FileRecord, FileUri, MimeType};
use isolario_model::policy::{Operation, PermittedChange};

/// A file that has no id yet.
#[derive(Debug, Clone)]
pub struct NewFile<'a> {
    pub uuid: uuid::Uuid,
    /// Owner.
    pub uid: i64,
    pub filename: &'a str,
    pub uri: &'a FileUri,
    /// False while no media uses it.
    pub permanent: bool,
}

/// A placed blob that becomes the next version of a file.
#[derive(Debug, Clone)]
pub struct NewFileVersion<'a> {
    /// The name of the blob.
    pub blob: &'a str,
    pub mime: &'a MimeType,
    /// Bytes.
    pub size: u64,
    /// Pixels.
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// Hexadecimal.
    pub sha512: String,
    /// Only if the client asked for them.
    pub sha256: Option<String>,
    pub md5: Option<String>,
    /// Unix seconds.
    pub made: i64,
    /// User id.
    pub author: i64,
}

/// The statement that reads files with their current versions, under a condition.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT f.fid, f.uuid, f.uid, f.filename, f.uri, v.mime, v.size, v.width, v.height,
             f.permanent, f.created, f.changed, v.sha512, f.version, v.blob, v.sha256, v.md5
             FROM file f JOIN file_version v ON v.fid = f.fid AND v.version = f.version WHERE ",
            $condition
        )
    };
}

impl Read<'_> {
    /// A live file with its current version.
    pub fn file(&self, fid: i64) -> Result<Option<FileRecord>, DbError> {
        let sql = select!("f.fid = ?1 AND f.deleted IS NULL");
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([fid], read_file).optional()?)
    }

    /// A deleted file, in its last state.
    pub fn deleted_file(&self, fid: i64) -> Result<Option<FileRecord>, DbError> {
        let sql = select!("f.fid = ?1 AND f.deleted IS NOT NULL");
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([fid], read_file).optional()?)
    }

    /// A live file with the metadata of any of its versions.
    pub fn file_at_version(&self, fid: i64, version: i64) -> Result<Option<FileRecord>, DbError> {
        const VERSION: &str =
            "SELECT f.fid, f.uuid, f.uid, f.filename, f.uri, v.mime, v.size, v.width, v.height,
            f.permanent, f.created, v.made, v.sha512, v.version, v.blob,
            v.sha256, v.md5
            FROM file f JOIN file_version v ON v.fid = f.fid
            WHERE f.fid = ?1 AND v.version = ?2 AND f.deleted IS NULL";
        let mut statement = self.connection.prepare_cached(VERSION)?;
        Ok(statement.query_row([fid, version], read_file).optional()?)
    }

    /// The versions of a file before that number, newest first, at most `limit`: the number, when
    /// each was made (Unix seconds), and by whom.
    pub fn versions_before(
        &self,
        fid: i64,
        before: i64,
        limit: usize,
    ) -> Result<Vec<(i64, i64, i64)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT version, made, author FROM file_version WHERE fid = ?1 AND version < ?2
             ORDER BY version DESC LIMIT ?3",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map([fid, before, limit], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The live file at an address.
    pub fn file_by_uri(&self, uri: &FileUri) -> Result<Option<FileRecord>, DbError> {
        let sql = select!("f.uri = ?1 AND f.deleted IS NULL");
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement
            .query_row([uri.to_string()], read_file)
            .optional()?)
    }

    /// Whether a file has or had this address. No address is given twice.
    pub fn uri_is_taken(&self, uri: &FileUri) -> Result<bool, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM file WHERE uri = ?1")?;
        Ok(statement.exists([uri.to_string()])?)
    }

    /// The name of a file, deleted or not.
    pub fn filename(&self, fid: i64) -> Result<Option<String>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT filename FROM file WHERE fid = ?1")?;
        Ok(statement.query_row([fid], |row| row.get(0)).optional()?)
    }
}

fn read_file(row: &Row<'_>) -> rusqlite::Result<FileRecord> {
    let uri: String = row.get(4)?;
    Ok(FileRecord {
        fid: row.get(0)?,
        uuid: row.get(1)?,
        uid: row.get(2)?,
        filename: row.get(3)?,
        uri: FileUri::parse(&uri).unwrap_or_else(|| FileUri::new("", &uri)),
        mime: MimeType::from(row.get::<_, String>(5)?),
        size: row.get::<_, i64>(6)?.try_into().unwrap_or(0),
        width: row.get(7)?,
        height: row.get(8)?,
        permanent: row.get(9)?,
        created: row.get(10)?,
        changed: row.get(11)?,
        sha512: row.get(12)?,
        version: row.get(13)?,
        blob: row.get(14)?,
        sha256: row.get(15)?,
        md5: row.get(16)?,
    })
}

impl<'t> Write<'t> {
    /// Inserts a file with its first version; returns its id. `permitted` is the change of the resource that holds it,
    /// or of one that may be made to hold it.
    pub fn insert_file(
        &mut self,
        permitted: &PermittedChange<'t>,
        file: &NewFile<'_>,
        version: &NewFileVersion<'_>,
    ) -> Result<i64, DbError> {
        require_content(permitted)?;
        self.connection
            .prepare_cached(
                "INSERT INTO file (uuid, uid, filename, uri, permanent, version, created, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6)",
            )?
            .execute(params![
                file.uuid.to_string(),
                file.uid,
                file.filename,
                file.uri.to_string(),
                file.permanent,
                version.made,
            ])?;
        let fid = self.connection.last_insert_rowid();
        self.insert_version(fid, 1, version)?;
        Ok(fid)
    }

    /// Makes new bytes the current version of a file. Returns the number of the version. The date of the file increases
    /// with every version, even if the clock went back, because caches compare it.
    pub fn add_file_version(
        &mut self,
        permitted: &PermittedChange<'t>,
        fid: i64,
        version: &NewFileVersion<'_>,
    ) -> Result<i64, DbError> {
        require(permitted, Operation::ReplaceBytes, EntityKind::File, fid)?;
        let number: i64 = self
            .connection
            .prepare_cached(
                "UPDATE file SET version = version + 1, changed = MAX(?2, changed + 1) WHERE fid = ?1
                 RETURNING version",
            )?
            .query_row(params![fid, version.made], |row| row.get(0))?;
        self.insert_version(fid, number, version)?;
        Ok(number)
    }

    pub(super) fn insert_version(
        &mut self,
        fid: i64,
        number: i64,
        version: &NewFileVersion<'_>,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO file_version (fid, version, blob, mime, size, width, height, sha512, made, author, sha256, md5)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                fid,
                number,
                version.blob,
                version.mime.as_str(),
                i64::try_from(version.size).unwrap_or(i64::MAX),
                version.width,
                version.height,
                version.sha512,
                version.made,
                version.author,
                version.sha256,
                version.md5,
            ])?;
        Ok(())
    }

    /// Makes a file permanent, because the resource of the permitted change uses it.
    pub fn set_file_permanent(
        &mut self,
        permitted: &PermittedChange<'t>,
        fid: i64,
    ) -> Result<(), DbError> {
        require_content(permitted)?;
        self.connection
            .prepare_cached("UPDATE file SET permanent = 1 WHERE fid = ?1 AND permanent = 0")?
            .execute([fid])?;
        Ok(())
    }

    /// Deletes a file: it goes to the trash and keeps its bytes and its address.
    pub fn delete_file(
        &mut self,
        permitted: &PermittedChange<'t>,
        fid: i64,
        deletion: &Deletion<'_>,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Delete, EntityKind::File, fid)?;
        self.connection
            .prepare_cached("UPDATE file SET deleted = ?2 WHERE fid = ?1 AND deleted IS NULL")?
            .execute(params![fid, deletion.at])?;
        self.put_into_trash(EntityKind::File, fid, deletion)
    }

    /// Restores a deleted file under its address.
    pub fn restore_file(
        &mut self,
        permitted: &PermittedChange<'t>,
        fid: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Restore, EntityKind::File, fid)?;
        self.connection
            .prepare_cached("UPDATE file SET deleted = NULL WHERE fid = ?1")?
            .execute([fid])?;
        self.take_out_of_trash(EntityKind::File, fid)
    }

    /// Purges a deleted file. Its row keeps id, name and address, so that they are never given again.
    pub fn purge_file(&mut self, permitted: &PermittedChange<'t>, fid: i64) -> Result<(), DbError> {
        require(permitted, Operation::Purge, EntityKind::File, fid)?;
        self.connection
            .prepare_cached("DELETE FROM file_version WHERE fid = ?1")?
            .execute([fid])?;
        self.take_out_of_trash(EntityKind::File, fid)
    }
}
