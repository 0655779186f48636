//! Lists the terms of a vocabulary that nothing refers to.

use super::cursor::{Cursor, Key, Page, Total};
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::term_uses::unused;
use super::terms::{MOST_COUNTED, TERM_ORDERS, TermRow, page, vocabulary_query};
use super::visible::Viewer;
use crate::DbError;

impl Lists<'_> {
    /// One page of the terms of a vocabulary to which nothing refers that the viewer may see, by name.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn unused_term_page(
        &self,
        vocabulary: &str,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<TermRow>, DbError> {
        let mut query: Query = vocabulary_query(vocabulary, viewer);
        query.and(&unused(viewer));
        let count = self.count_up_to(&query, MOST_COUNTED + 1)?;
        page(&mut query, after, limit + 1);
        let mut rows = self.term_rows(&query)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| Cursor {
            order: TERM_ORDERS[0].into(),
            key: Key::Text(row.name.clone()),
            id: row.tid,
        });
        self.add_facts(&mut rows, viewer)?;
        let mut total = Total::exact(count.min(MOST_COUNTED));
        total.is_exact = count <= MOST_COUNTED;
        Ok(Page { rows, next, total })
    }

    /// Terms by their ids, with the numbers of their uses.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn terms_by_id(&self, tids: &[i64], viewer: &Viewer) -> Result<Vec<TermRow>, DbError> {
        let mut query = Query::new(
            "SELECT t.id, t.uuid, t.label, t.bundle FROM json_each(?) j
             CROSS JOIN taxonomy_term t ON t.id = j.value WHERE t.deleted IS NULL",
        );
        query.bind(serde_json::json!(tids).to_string());
        query.push("ORDER BY j.key");
        let mut rows = self.term_rows(&query)?;
        self.add_facts(&mut rows, viewer)?;
        Ok(rows)
    }
}
