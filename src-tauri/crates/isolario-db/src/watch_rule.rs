//! Table `watch_rule`: the watched folders and their rules.

use rusqlite::{OptionalExtension, Row, params};

use super::{DbError, Read, Write};
use isolario_model::policy::PermittedServerChange;

/// A watched folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchRuleRecord {
    pub id: i64,
    /// Absolute.
    pub path: String,
    /// The rule, as JSON.
    pub rule: String,
    /// Whether `config.toml` names it.
    pub configured: bool,
    pub paused: bool,
}

const SELECT: &str = "SELECT id, path, rule, origin, paused FROM watch_rule";

impl Read<'_> {
    /// Every folder that is watched, in the order in which they were added.
    pub fn watch_rules(&self) -> Result<Vec<WatchRuleRecord>, DbError> {
        let sql = format!("{SELECT} WHERE removed IS NULL ORDER BY id");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], read_rule)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A watched folder that was removed.
    pub fn removed_watch_rule(&self, id: i64) -> Result<Option<WatchRuleRecord>, DbError> {
        let sql = format!("{SELECT} WHERE id = ?1 AND removed IS NOT NULL");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], read_rule).optional()?)
    }

    /// One folder that is watched.
    pub fn watch_rule(&self, id: i64) -> Result<Option<WatchRuleRecord>, DbError> {
        let sql = format!("{SELECT} WHERE id = ?1 AND removed IS NULL");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], read_rule).optional()?)
    }
}

impl<'t> Write<'t> {
    /// Adds a watched folder at a time (Unix seconds), and returns its number. A folder that was watched before keeps
    /// its number and its ledger, so no file is ingested twice.
    pub fn put_watch_rule(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        path: &str,
        rule: &str,
        configured: bool,
        at: i64,
    ) -> Result<i64, DbError> {
        let origin = if configured { "config" } else { "api" };
        self.connection
            .prepare_cached(
                "INSERT INTO watch_rule (path, rule, origin, made, changed) VALUES (?1, ?2, ?3, ?4, ?4)
                 ON CONFLICT (path) DO UPDATE SET rule = excluded.rule, origin = excluded.origin,
                   paused = iif(removed IS NULL, paused, 0), removed = NULL, changed = excluded.changed",
            )?
            .execute(params![path, rule, origin, at])?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT id FROM watch_rule WHERE path = ?1")?;
        Ok(statement.query_row([path], |row| row.get(0))?)
    }

    /// Pauses or resumes a folder at a time (Unix seconds).
    pub fn pause_watch_rule(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        id: i64,
        paused: bool,
        at: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE watch_rule SET paused = ?2, changed = ?3 WHERE id = ?1")?
            .execute(params![id, paused, at])?;
        Ok(())
    }

    /// Removes a watched folder at a time (Unix seconds).
    pub fn remove_watch_rule(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        id: i64,
        at: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE watch_rule SET removed = ?2, changed = ?2 WHERE id = ?1")?
            .execute(params![id, at])?;
        Ok(())
    }

    /// Restores a watched folder that was removed, at a time (Unix seconds).
    pub fn restore_watch_rule(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        id: i64,
        at: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE watch_rule SET removed = NULL, changed = ?2 WHERE id = ?1")?
            .execute(params![id, at])?;
        Ok(())
    }

    /// Stores the item that a subfolder of a watched folder has become.
    pub fn set_watch_folder(&mut self, rule: i64, path: &str, nid: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO watch_folder (rule, path, nid) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![rule, path, nid])?;
        Ok(())
    }
}

impl Read<'_> {
    /// The item that a subfolder of a watched folder has become.
    pub fn watch_folder(&self, rule: i64, path: &str) -> Result<Option<i64>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT nid FROM watch_folder WHERE rule = ?1 AND path = ?2")?;
        let found = statement.query_row(params![rule, path], |row| row.get(0));
        Ok(found.optional()?)
    }
}

fn read_rule(row: &Row<'_>) -> rusqlite::Result<WatchRuleRecord> {
    Ok(WatchRuleRecord {
        id: row.get(0)?,
        path: row.get(1)?,
        rule: row.get(2)?,
        configured: row.get::<_, String>(3)? == "config",
        paused: row.get(4)?,
    })
}
