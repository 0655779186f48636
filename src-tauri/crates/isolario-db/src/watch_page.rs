//! Tables `watch_folder` and `watch_file`: folders that became items, and the order of their pages.

use rusqlite::params;

use super::{DbError, Read};

impl Read<'_> {
    /// The folders that have become items.
    pub fn watch_folders(&self, rule: i64) -> Result<Vec<String>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT path FROM watch_folder WHERE rule = ?1")?;
        let rows = statement.query_map([rule], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The ingested pages of the item of a folder whose weight does not agree with the order of their names.
    pub fn misplaced_pages(
        &self,
        rule: i64,
        folder: &str,
    ) -> Result<Vec<(i64, i64, i64)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, nid, place FROM (
               SELECT id, nid, weight, state, row_number() OVER (ORDER BY place_key, id) AS place
               FROM watch_file WHERE rule = ?1 AND folder = ?2 AND state <> 'skipped')
             WHERE state = 'done' AND nid IS NOT NULL AND weight IS NOT NULL AND weight <> place",
        )?;
        let rows = statement.query_map(params![rule, folder], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The place of a file among those of its folder, from 1.
    pub fn watched_place(&self, id: i64) -> Result<i64, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 + count(*) FROM watch_file one JOIN watch_file other
               ON other.rule = one.rule AND other.folder = one.folder
               AND (other.place_key, other.id) < (one.place_key, one.id) AND other.state <> 'skipped'
             WHERE one.id = ?1",
        )?;
        Ok(statement.query_row([id], |row| row.get(0))?)
    }
}
