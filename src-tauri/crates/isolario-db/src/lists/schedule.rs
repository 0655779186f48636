//! Items that are to be published or unpublished at a time.

use rusqlite::params;

use super::snapshot::Lists;
use crate::DbError;
use isolario_model::content::entity::{PUBLISH_ON, UNPUBLISH_ON};

impl Lists<'_> {
    /// Items (node ids) whose time in the schedule is not after `until` (Unix seconds), the earliest first, at most `limit`.
    pub fn scheduled(&self, until: i64, limit: u32) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM (
               SELECT id, value FROM field_number WHERE kind = 'node' AND field = ?1 AND value <= ?3
               UNION ALL
               SELECT id, value FROM field_number WHERE kind = 'node' AND field = ?2 AND value <= ?3
             ) ORDER BY value, id LIMIT ?4",
        )?;
        let asked = params![PUBLISH_ON, UNPUBLISH_ON, until, limit];
        let ids = statement.query_map(asked, |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The next time in the schedule (Unix seconds).
    pub fn next_scheduled(&self) -> Result<Option<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT min(value) FROM (
               SELECT min(value) AS value FROM field_number WHERE kind = 'node' AND field = ?1
               UNION ALL
               SELECT min(value) FROM field_number WHERE kind = 'node' AND field = ?2)",
        )?;
        let next: Option<f64> =
            statement.query_row([PUBLISH_ON, UNPUBLISH_ON], |row| row.get(0))?;
        Ok(next.map(|next| next as i64))
    }
}
