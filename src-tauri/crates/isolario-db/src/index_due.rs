//! Table `index_due`: nodes whose index rows are not written yet. A change of a node writes one row here. The rows of its
//! values, its places in lists and the job of its record follow after the commit, for many nodes at once, and before a
//! list is read. So a change writes few pages, and an index page is written once for many nodes.

use std::time::Duration;

use rusqlite::params;

use super::write::DueNodes;
use super::{DbError, Read, Write};
use isolario_model::content::IndexRow;

/// How many nodes may be due before their index rows are written.
pub(super) const MOST_DUE: u64 = 512;
/// How long the writer waits for another change before it writes what is due.
pub(super) const IDLE: Duration = Duration::from_millis(100);

impl Read<'_> {
    /// The number of nodes whose index rows are due.
    pub(super) fn due_nodes(&self) -> Result<u64, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT count(*) FROM index_due")?;
        let count: i64 = statement.query_row([], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }
}

impl Write<'_> {
    /// Makes the index rows of a node due: those of its values, if some are given, and its places in lists.
    pub(super) fn defer_index(
        &mut self,
        nid: i64,
        values: Option<&[IndexRow]>,
    ) -> Result<(), DbError> {
        let values = values.map(serde_json::to_string).transpose()?;
        self.connection
            .prepare_cached(
                "INSERT INTO index_due (node, value_rows) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET value_rows = coalesce(excluded.value_rows, value_rows)",
            )?
            .execute(params![nid, values])?;
        self.due.add();
        Ok(())
    }

    /// Writes all index rows that are due.
    ///
    /// # Errors
    /// What the database refuses.
    pub(super) fn write_due_index(&mut self) -> Result<(), DbError> {
        let due = self.due_rows()?;
        self.due = DueNodes::written();
        if due.is_empty() {
            return Ok(());
        }
        self.connection
            .prepare_cached(
                "INSERT INTO record_due SELECT 'node/' || node FROM index_due WHERE is_record_due = 1",
            )?
            .execute([])?;
        self.connection
            .prepare_cached("DELETE FROM index_due")?
            .execute([])?;
        for (nid, values) in &due {
            match values {
                Some(values) => {
                    self.write_values(*nid, &serde_json::from_str::<Vec<_>>(values)?)?
                }
                None => self.list_original(*nid)?,
            }
        }
        Ok(())
    }

    /// Parents mostly have lower numbers than their members.
    fn due_rows(&self) -> Result<Vec<(i64, Option<String>)>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT node, value_rows FROM index_due ORDER BY node")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
