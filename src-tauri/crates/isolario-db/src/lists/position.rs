//! Finds the position of a node in a list. It counts the rows before the node along the index of the list's order. That
//! costs as much as reading a page at this position.

use super::cursor::{Cursor, Key};
use super::item_filter::ItemFilter;
use super::list_query::ListQuery;
use super::list_sql::RowSource;
use super::order::Order;
use super::page_start::Stretch;
use super::snapshot::Lists;
use super::visible::Viewer;
use crate::DbError;

impl Lists<'_> {
    /// The number of rows before an item in a list; `None` if the list does not show it to this viewer.
    pub fn item_position(
        &self,
        nid: i64,
        items: &ItemFilter,
        viewer: &Viewer,
        order: Order,
    ) -> Result<Option<i64>, DbError> {
        let list_query = self.list_query_of(items, viewer, order)?;
        if list_query.visibility.is_nothing() {
            return Ok(None);
        }
        let sources = self.sources(&list_query)?;
        let Some(row) = self.row_in(nid, &list_query, &sources)? else {
            return Ok(None);
        };
        let mut before = 0;
        for source in &sources {
            before += self.rows_before(&row, &list_query, source)?;
        }
        Ok(Some(before))
    }

    fn row_in(
        &self,
        nid: i64,
        list_query: &ListQuery,
        sources: &[RowSource],
    ) -> Result<Option<Cursor>, DbError> {
        for source in sources {
            for stretch in list_query.order.stretches(None) {
                let found = self.keys(&source.row_of(nid, list_query, stretch))?;
                if let Some((key, id)) = found.into_iter().next() {
                    let order = list_query.order.name();
                    return Ok(Some(Cursor { order, key, id }));
                }
            }
        }
        Ok(None)
    }

    fn rows_before(
        &self,
        row: &Cursor,
        list_query: &ListQuery,
        source: &RowSource,
    ) -> Result<i64, DbError> {
        let count = |stretch, before| {
            let query = source.count_stretch(list_query, stretch, before);
            self.number(&query)
        };
        // Those without a key come last.
        match row.key {
            Key::None => Ok(count(Stretch::Keyed, None)? + count(Stretch::Unkeyed, Some(row))?),
            _ => count(Stretch::Keyed, Some(row)),
        }
    }
}
