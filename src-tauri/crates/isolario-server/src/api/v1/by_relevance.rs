//! The order of a list by how well its items fit the words. The index knows the order, the database knows the list.

use std::collections::HashSet;
use std::sync::Arc;

use super::request_context::{RequestContext, ViewerSnapshot};
use super::search::failed;
use crate::api::ApiError;
use isolario_db::{
    Cursor, DbError, ItemFilter, ItemSort, Key, NodeSet, Order, Page, Start, Total, View,
};
use isolario_search::{OrderedIds, Search, SearchIndex};

/// The name of the order.
pub(super) const RELEVANCE: &str = "relevance";

/// Items that are looked for in the list at once.
const PART: usize = 1_000;
/// How many more of the best are asked for where too few of them are in the list.
const STEP: usize = 8;

/// Puts what a search finds in the order of how well it fits.
pub(in crate::api) struct ByRelevance {
    pub index: Arc<SearchIndex>,
    pub search: Search,
}

impl ByRelevance {
    /// A page of a list.
    ///
    /// # Errors
    /// What the database and the index refuse.
    pub fn page(
        &self,
        snapshot: &ViewerSnapshot<'_>,
        filter: &ItemFilter,
        offset: i64,
        limit: usize,
    ) -> Result<Page<i64>, ApiError> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = skipped.saturating_add(limit);
        let found = self.best(snapshot.context, 0, 0)?.total;
        let (rows, more, total) = if is_all_found(filter) {
            let best = self.best(snapshot.context, skipped, limit)?;
            let more = end < best.total;
            let rows = in_list(snapshot, filter, &best.ids)?;
            let total = i64::try_from(best.total).unwrap_or(i64::MAX);
            (rows, more, Total::exact(total))
        } else {
            let mut rows = match skipped < found {
                true => self.fitting(snapshot, filter, |rows| rows.len() > end)?,
                false => Vec::new(),
            };
            let more = rows.len() > end;
            rows.truncate(end);
            rows.drain(..skipped.min(rows.len()));
            let read = snapshot.read;
            let counted =
                read.item_page(filter, &snapshot.viewer, by_nid(), Start::At(offset), 0)?;
            (rows, more, counted.total)
        };
        let next = more.then(|| Cursor {
            order: RELEVANCE.to_owned(),
            key: Key::Number(i64::try_from(end).unwrap_or(i64::MAX)),
            id: 0,
        });
        Ok(Page { rows, next, total })
    }

    /// How many items of a list stand before one of them; none if it is not in the list.
    ///
    /// # Errors
    /// As `page`.
    pub fn position(
        &self,
        snapshot: &ViewerSnapshot<'_>,
        filter: &ItemFilter,
        nid: i64,
    ) -> Result<Option<i64>, ApiError> {
        let rows = self.fitting(snapshot, filter, |rows| rows.contains(&nid))?;
        let place = rows.iter().position(|row| *row == nid);
        Ok(place.and_then(|place| i64::try_from(place).ok()))
    }

    /// The first items of a list, until they are enough.
    fn fitting(
        &self,
        snapshot: &ViewerSnapshot<'_>,
        filter: &ItemFilter,
        is_enough: impl Fn(&[i64]) -> bool,
    ) -> Result<Vec<i64>, ApiError> {
        let mut asked = PART;
        loop {
            let best = self.best(snapshot.context, 0, asked)?;
            let mut rows = Vec::new();
            for part in best.ids.chunks(PART) {
                rows.extend(in_list(snapshot, filter, part)?);
                if is_enough(&rows) {
                    return Ok(rows);
                }
            }
            if best.ids.len() < asked {
                return Ok(rows);
            }
            asked = asked.saturating_mul(STEP);
        }
    }

    fn best(
        &self,
        context: &RequestContext,
        offset: usize,
        limit: usize,
    ) -> Result<OrderedIds, ApiError> {
        let mut search = self.search.clone();
        search.page = isolario_search::Page { offset, limit };
        let page = self.index.page_of_ids(&search);
        page.map_err(|error| failed(context, &error))
    }
}

/// Whether a list holds all that is found. What is below a collection was looked up in the index.
fn is_all_found(filter: &ItemFilter) -> bool {
    let ItemFilter {
        view,
        collection,
        below,
        found: _,
        model,
        published,
        bundle,
        terms,
        media_type,
        dated,
        having,
        recent_since: _,
    } = filter;
    let is_narrowed = *view != View::All
        || collection.is_some() && !below
        || model.is_some()
        || published.is_some()
        || bundle.is_some()
        || !terms.is_empty()
        || media_type.is_some()
        || dated.is_some()
        || !having.is_empty();
    !is_narrowed
}

/// Those of some items that are in a list, in the same order.
fn in_list(
    snapshot: &ViewerSnapshot<'_>,
    filter: &ItemFilter,
    ids: &[i64],
) -> Result<Vec<i64>, DbError> {
    let filter = ItemFilter {
        found: Some(NodeSet::new(ids)),
        ..filter.clone()
    };
    let page = snapshot
        .read
        .item_page(&filter, &snapshot.viewer, by_nid(), None, ids.len())?;
    let rows: HashSet<i64> = page.rows.into_iter().collect();
    Ok(ids.iter().copied().filter(|id| rows.contains(id)).collect())
}

fn by_nid() -> Order {
    Order {
        sort: ItemSort::Nid,
        descending: false,
    }
}
