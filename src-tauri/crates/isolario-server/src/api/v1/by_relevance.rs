//! The order of a list by how well its items fit the words. The index knows the order, the database knows the list.

use std::collections::HashSet;
use std::sync::Arc;

use super::item_restriction::restricted;
use super::request_context::ListSnapshot;
use super::search::failed;
use crate::api::ApiError;
use isolario_db::{Cursor, DbError, IdSet, ItemFilter, ItemSort, Key, Order, Page, Start, Total};
use isolario_search::{OrderedIds, Search, SearchIndex};

/// The name of the order.
pub(super) const RELEVANCE: &str = "relevance";

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
        self,
        snapshot: &ListSnapshot<'_>,
        filter: &ItemFilter,
        offset: i64,
        limit: usize,
    ) -> Result<Page<i64>, ApiError> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = skipped.saturating_add(limit);
        let best = self.best(snapshot, filter, skipped, limit)?;
        let next = (end < best.total).then(|| Cursor {
            order: RELEVANCE.to_owned(),
            key: Key::Number(i64::try_from(end).unwrap_or(i64::MAX)),
            id: 0,
        });
        Ok(Page {
            rows: in_list(snapshot, filter, &best.ids)?,
            next,
            total: Total::exact(i64::try_from(best.total).unwrap_or(i64::MAX)),
        })
    }

    /// How many items of a list stand before one of them; none if it is not in the list.
    ///
    /// # Errors
    /// As `page`.
    pub fn position(
        self,
        snapshot: &ListSnapshot<'_>,
        filter: &ItemFilter,
        nid: i64,
    ) -> Result<Option<i64>, ApiError> {
        let is_found = filter
            .found
            .as_ref()
            .is_none_or(|found| found.contains(nid));
        // To rank all that is found costs more than this look-up.
        if !is_found || in_list(snapshot, filter, &[nid])?.is_empty() {
            return Ok(None);
        }
        let best = self.best(snapshot, filter, 0, usize::MAX)?;
        let place = best.ids.iter().position(|id| *id == nid);
        Ok(place.and_then(|place| i64::try_from(place).ok()))
    }

    /// A page of what is found of a list. The index ranks it once, however little of it the list holds.
    fn best(
        self,
        snapshot: &ListSnapshot<'_>,
        filter: &ItemFilter,
        offset: usize,
        limit: usize,
    ) -> Result<OrderedIds, ApiError> {
        let search = Search {
            restriction: restricted(snapshot, filter)?,
            page: isolario_search::Page { offset, limit },
            ..self.search
        };
        let page = self.index.page_of_ids(&search);
        page.map_err(|error| failed(snapshot.context, &error))
    }
}

/// Those of some items that are in a list, in the same order.
fn in_list(
    snapshot: &ListSnapshot<'_>,
    filter: &ItemFilter,
    ids: &[i64],
) -> Result<Vec<i64>, DbError> {
    let filter = ItemFilter {
        found: Some(IdSet::new(ids)),
        ..filter.clone()
    };
    let order = Order {
        sort: ItemSort::Nid,
        descending: false,
    };
    let start = Start::After(None);
    let page = snapshot
        .read
        .item_page(&filter, &snapshot.viewer, order, start, ids.len())?;
    let rows: HashSet<i64> = page.rows.into_iter().collect();
    Ok(ids.iter().copied().filter(|id| rows.contains(id)).collect())
}
