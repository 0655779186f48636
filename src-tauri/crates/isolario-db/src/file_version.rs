//! Reads the whole table `file_version`: all bytes that the repository must have.

use rusqlite::{Row, params};

use super::{DbError, Read};

/// The bytes of a version, which the repository must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVersion {
    pub fid: i64,
    pub version: i64,
    /// The name of the blob.
    pub blob: String,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha512: String,
}

impl Read<'_> {
    /// The versions of all files after the given one, in their order, at most `limit`.
    pub fn versions_after(
        &self,
        (fid, version): (i64, i64),
        limit: u32,
    ) -> Result<Vec<StoredVersion>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT fid, version, blob, size, sha512 FROM file_version
             WHERE (fid, version) > (?1, ?2) ORDER BY fid, version LIMIT ?3",
        )?;
        let rows = statement.query_map(params![fid, version, limit], read_version)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether a version of a file still has the same blob.
    pub fn version_is_at(&self, version: &StoredVersion) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM file_version WHERE fid = ?1 AND version = ?2 AND blob = ?3",
        )?;
        Ok(statement.exists(params![version.fid, version.version, version.blob])?)
    }

    /// Whether a file has or had bytes with this SHA-256, hexadecimal.
    pub fn has_had_sha256(&self, fid: i64, sha256: &str) -> Result<bool, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM file_version WHERE fid = ?1 AND sha256 = ?2")?;
        Ok(statement.exists(params![fid, sha256])?)
    }

    /// Versions of files whose blobs have names that begin so, or the others: how many there are, and their bytes.
    pub fn total_of_blobs(&self, prefix: &str, begin_so: bool) -> Result<(u64, u64), DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*), ifnull(sum(size), 0) FROM file_version
             WHERE (substr(blob, 1, length(?1)) = ?1) = ?2",
        )?;
        let (count, bytes): (i64, i64) = statement.query_row(params![prefix, begin_so], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok((count.unsigned_abs(), bytes.unsigned_abs()))
    }

    /// The files after an id that have a version as `total_of_blobs` counts, at most `limit`.
    pub fn files_with_blobs(
        &self,
        fid: i64,
        prefix: &str,
        begin_so: bool,
        limit: u32,
    ) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT fid FROM file_version
             WHERE fid > ?1 AND (substr(blob, 1, length(?2)) = ?2) = ?3 ORDER BY fid LIMIT ?4",
        )?;
        let rows = statement.query_map(params![fid, prefix, begin_so, limit], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The versions of the file with a UUID.
    pub fn versions_of_uuid(&self, uuid: &str) -> Result<Vec<StoredVersion>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT v.fid, v.version, v.blob, v.size, v.sha512 FROM file f
             JOIN file_version v ON v.fid = f.fid WHERE f.uuid = ?1 ORDER BY v.version",
        )?;
        let rows = statement.query_map([uuid], read_version)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Reads `fid, version, blob, size, sha512` from the first columns.
pub(super) fn read_version(row: &Row<'_>) -> rusqlite::Result<StoredVersion> {
    Ok(StoredVersion {
        fid: row.get(0)?,
        version: row.get(1)?,
        blob: row.get(2)?,
        size: row.get::<_, i64>(3)?.try_into().unwrap_or(0),
        sha512: row.get(4)?,
    })
}
