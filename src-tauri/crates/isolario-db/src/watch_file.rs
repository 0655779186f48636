//! Table `watch_file`: the ledger of watched folders, with a row for each file.

use rusqlite::{OptionalExtension, Row, params};

use super::{DbError, Read, Write};
use isolario_model::content::{FileLook, WatchState, WatchedFile};

/// A file that has no row yet.
#[derive(Debug, Clone)]
pub struct NewWatchedFile {
    /// The path in the watched folder.
    pub path: String,
    /// The folder among whose files it is ordered, and its sort key, which is compared as text.
    pub folder: String,
    pub place_key: String,
    pub look: FileLook,
    /// When its next step is due. Unix milliseconds.
    pub due: i64,
}

/// The number and bytes of the files in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchCount {
    pub state: WatchState,
    pub files: i64,
    pub bytes: i64,
}

const SELECT: &str = "SELECT id, rule, path, size, modified, inode, state, reason, attempts, seen, since, due, changed,
  sha512, nid, mid, twin, weight, untidy, gone, moved_to FROM watch_file";

impl Read<'_> {
    /// One row.
    pub fn watched_file(&self, id: i64) -> Result<Option<WatchedFile>, DbError> {
        self.one_watched("WHERE id = ?1", params![id])
    }

    /// The row of the current file at a path of a watched folder.
    pub fn watched_file_at(&self, rule: i64, path: &str) -> Result<Option<WatchedFile>, DbError> {
        self.one_watched(
            "WHERE rule = ?1 AND path = ?2 AND gone IS NULL",
            params![rule, path],
        )
    }

    /// The row of an ingested file with this path and look that was moved or removed afterwards.
    pub fn watched_file_gone(
        &self,
        rule: i64,
        path: &str,
        look: &FileLook,
    ) -> Result<Option<WatchedFile>, DbError> {
        self.one_watched(
            "WHERE rule = ?1 AND path = ?2 AND gone IS NOT NULL AND state = 'done'
             AND size = ?3 AND modified = ?4 AND inode = ?5",
            params![
                rule,
                path,
                number(look.size),
                look.modified,
                number(look.inode)
            ],
        )
    }

    /// The ingested files of a folder that may now have another name: with as many bytes, and the same inode or time.
    /// At most `limit`.
    pub fn watched_files_alike(
        &self,
        rule: i64,
        look: &FileLook,
        limit: u32,
    ) -> Result<Vec<WatchedFile>, DbError> {
        self.many_watched(
            "WHERE id IN (
               SELECT id FROM watch_file WHERE rule = ?1 AND inode = ?3 AND state = 'done' AND gone IS NULL
               UNION SELECT id FROM watch_file WHERE rule = ?1 AND modified = ?4 AND state = 'done' AND gone IS NULL
             ) AND size = ?2 ORDER BY id LIMIT ?5",
            params![rule, number(look.size), number(look.inode), look.modified, limit],
        )
    }

    /// The files in a state that are due (Unix milliseconds), the earliest first, at most `limit`.
    pub fn due_watched_files(
        &self,
        rule: i64,
        state: WatchState,
        now: i64,
        limit: u32,
    ) -> Result<Vec<WatchedFile>, DbError> {
        self.many_watched(
            "INDEXED BY watch_file_due WHERE rule = ?1 AND state = ?2 AND state IN ('seen', 'settled') AND due <= ?3 ORDER BY due, id LIMIT ?4",
            params![rule, state.name(), now, limit],
        )
    }

    /// The number of files of a folder whose path begins so, followed by a dot.
    pub fn watched_siblings(&self, rule: i64, path: &str) -> Result<i64, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM watch_file
             WHERE rule = ?1 AND path >= ?2 || '.' AND path < ?2 || '/' AND gone IS NULL",
        )?;
        Ok(statement.query_row(params![rule, path], |row| row.get(0))?)
    }

    /// When the next file of a folder is due. Unix milliseconds.
    pub fn next_watched_due(&self, rule: i64) -> Result<Option<i64>, DbError> {
        // SQLite takes an index of some rows only where its condition stands word for word.
        let mut statement = self.connection.prepare_cached(
            "SELECT min(due) FROM watch_file INDEXED BY watch_file_due
             WHERE rule = ?1 AND state = ?2 AND state IN ('seen', 'settled')",
        )?;
        let mut first = |state: WatchState| -> Result<Option<i64>, DbError> {
            Ok(statement.query_row(params![rule, state.name()], |row| row.get(0))?)
        };
        let moments = [first(WatchState::Seen)?, first(WatchState::Settled)?];
        Ok(moments.into_iter().flatten().min())
    }

    /// The files after a row that were ingested and wait to be moved or removed, at most `limit`.
    pub fn untidy_watched_files(
        &self,
        rule: i64,
        after: i64,
        limit: u32,
    ) -> Result<Vec<WatchedFile>, DbError> {
        self.many_watched(
            "WHERE rule = ?1 AND untidy = 1 AND id > ?2 ORDER BY id LIMIT ?3",
            params![rule, after, limit],
        )
    }

    /// A page of the ledger, the newest first: rows before one, in a state or in any.
    pub fn watched_file_page(
        &self,
        rule: i64,
        state: Option<WatchState>,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<WatchedFile>, DbError> {
        let (before, limit) = (
            before.unwrap_or(i64::MAX),
            i64::try_from(limit).unwrap_or(1),
        );
        match state {
            Some(state) => self.many_watched(
                "WHERE rule = ?1 AND state = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4",
                params![rule, state.name(), before, limit],
            ),
            None => self.many_watched(
                "WHERE rule = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3",
                params![rule, before, limit],
            ),
        }
    }

    /// The number of files of a folder in each state.
    pub fn watch_counts(&self, rule: i64) -> Result<Vec<WatchCount>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT state, files, bytes FROM watch_count WHERE rule = ?1")?;
        let rows = statement.query_map([rule], |row| {
            Ok(WatchCount {
                state: state_in(row, 0)?,
                files: row.get(1)?,
                bytes: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn one_watched(
        &self,
        which: &str,
        values: impl rusqlite::Params,
    ) -> Result<Option<WatchedFile>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("{SELECT} {which}"))?;
        Ok(statement.query_row(values, read_row).optional()?)
    }

    fn many_watched(
        &self,
        which: &str,
        values: impl rusqlite::Params,
    ) -> Result<Vec<WatchedFile>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("{SELECT} {which}"))?;
        let rows = statement.query_map(values, read_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Write<'_> {
    /// Adds a new file, at a time (Unix milliseconds), unless it has a row already.
    pub fn insert_watched_file(
        &mut self,
        rule: i64,
        file: &NewWatchedFile,
        now: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO watch_file
                   (rule, path, folder, place_key, size, modified, inode, state, seen, since, due, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'seen', ?8, ?8, ?9, ?8)",
            )?
            .execute(params![
                rule,
                file.path,
                file.folder,
                file.place_key,
                number(file.look.size),
                file.look.modified,
                number(file.look.inode),
                now,
                file.due
            ])?;
        Ok(())
    }

    /// Stores the state of a file, at the time `changed`.
    pub fn update_watched_file(&mut self, file: &WatchedFile) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE watch_file SET path = ?2, size = ?3, modified = ?4, inode = ?5, state = ?6, reason = ?7,
                   attempts = ?8, since = ?9, due = ?10, changed = ?11, sha512 = ?12, nid = ?13, mid = ?14,
                   twin = ?15, weight = ?16, untidy = ?17, gone = ?18, moved_to = ?19 WHERE id = ?1",
            )?
            .execute(params![
                file.id,
                file.path,
                number(file.look.size),
                file.look.modified,
                number(file.look.inode),
                file.state.name(),
                file.reason,
                file.attempts,
                file.since,
                file.due,
                file.changed,
                file.sha512,
                file.nid,
                file.mid,
                file.twin,
                file.weight,
                file.untidy,
                file.gone,
                file.moved_to
            ])?;
        Ok(())
    }

    /// Stores the new sort key of a file that was renamed.
    pub fn place_watched_file(
        &mut self,
        id: i64,
        folder: &str,
        place_key: &str,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE watch_file SET folder = ?2, place_key = ?3 WHERE id = ?1")?
            .execute(params![id, folder, place_key])?;
        Ok(())
    }

    /// Stores the item that a file becomes.
    pub fn set_watched_item(
        &mut self,
        id: i64,
        nid: i64,
        weight: Option<i64>,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE watch_file SET nid = ?2, weight = ?3 WHERE id = ?1")?
            .execute(params![id, nid, weight])?;
        Ok(())
    }

    /// Removes a row whose file has another row.
    pub fn delete_watched_file(&mut self, id: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM watch_file WHERE id = ?1")?
            .execute([id])?;
        Ok(())
    }

    /// Lets the files settle again that were being ingested when the program ended.
    pub fn resettle_watched_files(&mut self, rule: i64, now: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE watch_file SET state = 'settled', due = ?2, changed = ?2
                 WHERE rule = ?1 AND state = 'ingesting'",
            )?
            .execute(params![rule, now])?;
        Ok(())
    }

    /// Claims the next settled files for ingest, the longest waiting first, at most `limit`.
    pub fn claim_watched_files(
        &mut self,
        rule: i64,
        now: i64,
        limit: u32,
    ) -> Result<Vec<WatchedFile>, DbError> {
        let mut files = self.due_watched_files(rule, WatchState::Settled, now, limit)?;
        for file in &mut files {
            file.state = WatchState::Ingesting;
            file.changed = now;
            self.update_watched_file(file)?;
        }
        Ok(files)
    }
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn state_in(row: &Row<'_>, column: usize) -> rusqlite::Result<WatchState> {
    let name: String = row.get(column)?;
    // A row that somebody damaged is looked at again by a person.
    Ok(WatchState::from_name(&name).unwrap_or(WatchState::Failed))
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<WatchedFile> {
    let count = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok(WatchedFile {
        id: row.get(0)?,
        rule: row.get(1)?,
        path: row.get(2)?,
        look: FileLook {
            size: count(row.get(3)?),
            modified: row.get(4)?,
            inode: count(row.get(5)?),
        },
        state: state_in(row, 6)?,
        reason: row.get(7)?,
        attempts: row.get(8)?,
        seen: row.get(9)?,
        since: row.get(10)?,
        due: row.get(11)?,
        changed: row.get(12)?,
        sha512: row.get(13)?,
        nid: row.get(14)?,
        mid: row.get(15)?,
        twin: row.get(16)?,
        weight: row.get(17)?,
        untidy: row.get(18)?,
        gone: row.get(19)?,
        moved_to: row.get(20)?,
    })
}
