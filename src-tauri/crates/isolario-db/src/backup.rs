//! Table `backup`: which backups were made, and which failed.

use rusqlite::{OptionalExtension, Row, params};

use super::{DbError, Read, Write};

/// A backup that was made or failed.
#[derive(Debug, Clone, PartialEq)]
pub struct BackupRun {
    pub folder: String,
    /// Whether the schedule of config.toml made it; otherwise a person did.
    pub scheduled: bool,
    /// Unix seconds.
    pub began: i64,
    pub ended: i64,
    /// Files in the backup, and how many of them were new.
    pub files: i64,
    pub copied: i64,
    /// Bytes.
    pub bytes: i64,
    pub copied_bytes: i64,
    /// What went wrong. If the backup has files, these are in it all the same.
    pub error: Option<String>,
}

const SELECT: &str =
    "SELECT folder, scheduled, began, ended, files, copied, bytes, copied_bytes, error FROM backup";

impl Read<'_> {
    /// The latest run, into one folder or any, and only one that made a backup if wanted.
    pub fn last_backup(
        &self,
        folder: Option<&str>,
        made: bool,
    ) -> Result<Option<BackupRun>, DbError> {
        let sql = format!(
            "{SELECT} WHERE (?1 IS NULL OR folder = ?1) AND (files > 0 OR NOT ?2) ORDER BY id DESC LIMIT 1"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement
            .query_row(params![folder, made], read_run)
            .optional()?)
    }

    /// Folders that backups were made in.
    pub fn backup_folders(&self) -> Result<Vec<String>, DbError> {
        let sql = "SELECT DISTINCT folder FROM backup WHERE files > 0";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<BackupRun> {
    Ok(BackupRun {
        folder: row.get(0)?,
        scheduled: row.get(1)?,
        began: row.get(2)?,
        ended: row.get(3)?,
        files: row.get(4)?,
        copied: row.get(5)?,
        bytes: row.get(6)?,
        copied_bytes: row.get(7)?,
        error: row.get(8)?,
    })
}

impl Write<'_> {
    /// Adds a backup that was made or failed.
    pub fn note_backup(&mut self, run: &BackupRun) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO backup (folder, scheduled, began, ended, files, copied, bytes, copied_bytes, error)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                run.folder,
                run.scheduled,
                run.began,
                run.ended,
                run.files,
                run.copied,
                run.bytes,
                run.copied_bytes,
                run.error,
            ])?;
        Ok(())
    }
}
