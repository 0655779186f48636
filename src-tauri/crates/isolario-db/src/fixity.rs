//! Table `fixity`: when the bytes of each version were last verified, and with which result.

use rusqlite::{OptionalExtension, Row, params};

use super::file_version::read_version;
use super::{DbError, Read, StoredVersion, Write};
use isolario_model::content::{FixityState, Verdict};

/// The result of the last verification of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixityRecord {
    pub state: FixityState,
    /// Unix seconds of the last verification.
    pub verified: i64,
    /// Unix seconds of the first verification with this result.
    pub since: i64,
    /// A sentence; empty for intact bytes.
    pub detail: String,
}

/// A version whose bytes are lost or have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmissVersion {
    pub fid: i64,
    pub version: i64,
    pub filename: String,
    pub uri: String,
    pub record: FixityRecord,
}

/// The progress of verification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FixityCounts {
    /// Versions of all files.
    pub versions: i64,
    /// Those that were never verified.
    pub never: i64,
    /// Those that have been verified since a time.
    pub since: i64,
    /// Those whose bytes are lost or have changed.
    pub amiss: i64,
    /// Unix seconds of the oldest verification.
    pub oldest: Option<i64>,
}

const RECORD: &str = "x.state, x.verified, x.since, x.detail";

impl Read<'_> {
    /// The result of the last verification of a version, if there was one.
    pub fn fixity(&self, fid: i64, version: i64) -> Result<Option<FixityRecord>, DbError> {
        let sql = format!("SELECT {RECORD} FROM fixity x WHERE x.fid = ?1 AND x.version = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_row([fid, version], |row| read_record(row, 0));
        Ok(found.optional()?)
    }

    /// The versions after the given one that were made before a time and not verified since, at most `limit`.
    pub fn due_versions(
        &self,
        (fid, version): (i64, i64),
        before: i64,
        limit: u32,
    ) -> Result<Vec<StoredVersion>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT v.fid, v.version, v.blob, v.size, v.sha512 FROM file_version v
             LEFT JOIN fixity x ON x.fid = v.fid AND x.version = v.version
             WHERE (v.fid, v.version) > (?1, ?2) AND v.made <= ?3 AND ifnull(x.verified < ?3, 1)
             ORDER BY v.fid, v.version LIMIT ?4",
        )?;
        let rows = statement.query_map(params![fid, version, before, limit], read_version)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of versions of all files, and of their bytes.
    pub fn stored_totals(&self) -> Result<(i64, u64), DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT count(*), ifnull(sum(size), 0) FROM file_version")?;
        let (versions, bytes): (i64, i64) =
            statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok((versions, bytes.try_into().unwrap_or(0)))
    }

    /// The progress of verification, in all and since a time (Unix seconds).
    pub fn fixity_counts(&self, since: i64) -> Result<FixityCounts, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT (SELECT count(*) FROM file_version), (SELECT count(*) FROM fixity),
               (SELECT count(*) FROM fixity WHERE verified >= ?1),
               (SELECT count(*) FROM fixity WHERE state <> 'intact'),
               (SELECT min(verified) FROM fixity)",
        )?;
        Ok(statement.query_row([since], |row| {
            let (versions, verified): (i64, i64) = (row.get(0)?, row.get(1)?);
            Ok(FixityCounts {
                versions,
                never: versions - verified,
                since: row.get(2)?,
                amiss: row.get(3)?,
                oldest: row.get(4)?,
            })
        })?)
    }

    /// The versions whose bytes are lost or have changed, also those of deleted files, at most `limit`.
    pub fn amiss_versions(&self, limit: u32) -> Result<Vec<AmissVersion>, DbError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT x.fid, x.version, f.filename, f.uri, {RECORD} FROM fixity x
             JOIN file f ON f.fid = x.fid WHERE x.state <> 'intact'
             ORDER BY x.fid, x.version LIMIT ?1"
        ))?;
        let rows = statement.query_map([limit], |row| {
            Ok(AmissVersion {
                fid: row.get(0)?,
                version: row.get(1)?,
                filename: row.get(2)?,
                uri: row.get(3)?,
                record: read_record(row, 4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn read_record(row: &Row<'_>, first: usize) -> rusqlite::Result<FixityRecord> {
    let state: String = row.get(first)?;
    Ok(FixityRecord {
        state: FixityState::from_name(&state).unwrap_or(FixityState::Unreadable),
        verified: row.get(first + 1)?,
        since: row.get(first + 2)?,
        detail: row.get(first + 3)?,
    })
}

impl Write<'_> {
    /// Stores the result of a verification at a time (Unix seconds). Returns the former state, if there is one.
    pub fn set_fixity(
        &mut self,
        fid: i64,
        version: i64,
        verdict: &Verdict,
        at: i64,
    ) -> Result<Option<FixityState>, DbError> {
        let before = self.fixity(fid, version)?.map(|record| record.state);
        self.connection
            .prepare_cached(
                "INSERT INTO fixity (fid, version, verified, state, since, detail)
                 VALUES (?1, ?2, ?3, ?4, ?3, ?5)
                 ON CONFLICT (fid, version) DO UPDATE SET verified = ?3, state = ?4, detail = ?5,
                   since = iif(state = ?4, since, ?3)",
            )?
            .execute(params![
                fid,
                version,
                at,
                verdict.state.name(),
                verdict.detail
            ])?;
        Ok(before)
    }
}
