//! Short lists in the order in which their rows were made, the newest first.

use rusqlite::Row;

use super::cursor::{Cursor, Key, Page, Total};
use super::sql_parts::Query;
use crate::{DbError, Read};

/// A table as such a list.
pub(super) struct NewestFirst<T> {
    /// The name of the order in cursors.
    pub order: &'static str,
    pub table: &'static str,
    pub columns: &'static str,
    pub read: fn(&Row<'_>) -> rusqlite::Result<T>,
    pub id: fn(&T) -> i64,
}

impl Read<'_> {
    /// One page of the rows for which some columns have these values; no value: any.
    pub(super) fn newest_first<T>(
        &self,
        list: &NewestFirst<T>,
        columns: &[(&str, Option<i64>)],
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<T>, DbError> {
        let NewestFirst { table, .. } = list;
        let mut query = Query::new(&format!("SELECT {} FROM {table} WHERE 1", list.columns));
        query.append(&condition(columns));
        if let Some(cursor) = after {
            query.push("AND id < ?").bind(cursor.id);
        }
        query.push("ORDER BY id DESC LIMIT ?");
        query.bind(i64::try_from(limit + 1).unwrap_or(i64::MAX));
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let found = statement.query_map(values, list.read)?;
        let mut rows: Vec<T> = found.collect::<Result<_, _>>()?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| Cursor {
            order: list.order.into(),
            key: Key::None,
            id: (list.id)(row),
        });
        let mut all = Query::new(&format!("SELECT count(*) FROM {table} WHERE 1"));
        all.append(&condition(columns));
        let total = Total::exact(self.number(&all)?);
        Ok(Page { rows, next, total })
    }
}

fn condition(columns: &[(&str, Option<i64>)]) -> Query {
    let mut query = Query::default();
    for (column, value) in columns {
        if let Some(value) = value {
            query.push(&format!("AND {column} = ?")).bind(*value);
        }
    }
    query
}
