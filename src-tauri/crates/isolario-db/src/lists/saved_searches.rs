//! Saved searches by name.

use super::cursor::{Cursor, Key, Page, Total};
use super::sql_parts::Query;
use super::visible::visible;
use crate::saved_search::{COLUMNS, read_saved_search};
use crate::{DbError, Read};
use isolario_model::content::record::SavedSearch;
use isolario_model::policy::Visibility;

/// The only order of the list of saved searches.
pub const SAVED_SEARCH_ORDER: &str = "saved search name";

impl Read<'_> {
    /// One page of the saved searches that somebody may see, by name.
    pub fn saved_search_page(
        &self,
        visibility: Visibility,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<SavedSearch>, DbError> {
        let query = page_query(visibility, after, limit + 1);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let found = statement.query_map(values, read_saved_search)?;
        let mut rows: Vec<SavedSearch> = found.collect::<Result<_, _>>()?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|search| Cursor {
            order: SAVED_SEARCH_ORDER.into(),
            key: Key::Text(search.name.clone()),
            id: search.id,
        });
        let mut all = Query::new("SELECT count(*)");
        all.append(&rows_of(visibility));
        let total = Total::exact(self.number(&all)?);
        Ok(Page { rows, next, total })
    }
}

fn page_query(visibility: Visibility, after: Option<&Cursor>, limit: usize) -> Query {
    let mut query = Query::new(&format!("SELECT {COLUMNS}"));
    query.append(&rows_of(visibility));
    if let Some(cursor) = after {
        query.push("AND (s.name, s.id) > (?, ?)");
        query.bind(cursor.key.clone()).bind(cursor.id);
    }
    query.push("ORDER BY s.name, s.id LIMIT ?");
    query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
    query
}

fn rows_of(visibility: Visibility) -> Query {
    let mut query = Query::new("FROM saved_search s WHERE s.deleted IS NULL");
    query.and(&visible("s", visibility));
    query
}
