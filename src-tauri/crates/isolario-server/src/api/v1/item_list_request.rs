//! A list of items as it was asked for, its pages and the places of items in it.

use super::by_relevance::{ByRelevance, RELEVANCE};
use super::parameters::{after, offset, refused};
use super::request_context::ListSnapshot;
use super::search;
use crate::api::ApiError;
use isolario_db::{ItemFilter, Order, Page, Start};

/// A list as it was asked for.
pub(in crate::api) struct ItemListRequest {
    pub filter: ItemFilter,
    pub order: Order,
    /// Whether what words find was looked up in an index that shows all changes.
    pub is_current: bool,
    /// Takes the place of the order, if there are words.
    pub by_relevance: Option<ByRelevance>,
}

impl ItemListRequest {
    /// Where a page begins, from its `after` and `offset`.
    ///
    /// # Errors
    /// 400 where they make no sense, or both are there.
    pub fn start(&self, cursor: Option<&String>, rows: Option<&String>) -> Result<Start, ApiError> {
        match self.by_relevance {
            Some(_) => Ok(Start::At(search::start(cursor, rows, RELEVANCE)?)),
            None => start_in(cursor, rows, &self.order),
        }
    }

    /// A page of the list; 404 where its collection is hidden.
    ///
    /// # Errors
    /// What the database and the index refuse.
    pub fn page(
        self,
        snapshot: &ListSnapshot<'_>,
        start: Start,
        limit: usize,
    ) -> Result<Page<i64>, ApiError> {
        if let Some(nid) = self.filter.collection {
            snapshot.place(nid)?;
        }
        match (self.by_relevance, start) {
            (Some(best), Start::At(offset)) => best.page(snapshot, &self.filter, offset, limit),
            (_, start) => {
                let (read, viewer) = (snapshot.read, &snapshot.viewer);
                Ok(read.item_page(&self.filter, viewer, self.order, start, limit)?)
            }
        }
    }

    /// How many items of the list stand before one of them; 404 where its collection is hidden.
    ///
    /// # Errors
    /// As `page`.
    pub fn position(self, snapshot: &ListSnapshot<'_>, nid: i64) -> Result<Option<i64>, ApiError> {
        if let Some(nid) = self.filter.collection {
            snapshot.place(nid)?;
        }
        match self.by_relevance {
            Some(best) => best.position(snapshot, &self.filter, nid),
            None => {
                let (read, viewer) = (snapshot.read, &snapshot.viewer);
                Ok(read.item_position(nid, &self.filter, viewer, self.order)?)
            }
        }
    }
}

/// Where a page begins in a list of this order, from its `after` and `offset`.
///
/// # Errors
/// 400 where they make no sense, or both are there.
fn start_in(
    cursor: Option<&String>,
    rows: Option<&String>,
    order: &Order,
) -> Result<Start, ApiError> {
    match (after(cursor, &[order.name()])?, offset("offset", rows)?) {
        (Some(_), Some(_)) => Err(refused("offset", "left out where there is \"after\"")),
        (after, None) => Ok(Start::After(after)),
        (None, Some(offset)) => Ok(Start::At(offset)),
    }
}
