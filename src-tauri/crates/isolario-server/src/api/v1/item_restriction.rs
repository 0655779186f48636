//! The restriction of a search to the items of a list.

use super::request_context::ListSnapshot;
use super::search::restriction;
use crate::api::ApiError;
use isolario_core::search::{MEMBER_OF, STATUS};
use isolario_db::{ItemFilter, ItemSort, Order, Start, View};
use isolario_search::Restriction;

/// Ids that are read at once.
const PAGE: usize = 50_000;

/// The items of a list. Where the index does not tell them by itself, the database says which these are; of what was
/// found already, only those.
///
/// # Errors
/// 404 for a hidden collection; what the database refuses.
pub(super) fn restricted(
    snapshot: &ListSnapshot<'_>,
    filter: &ItemFilter,
) -> Result<Restriction, ApiError> {
    let is_narrowed = filter.model.is_some()
        || filter.published.is_some()
        || filter.bundle.is_some()
        || filter.media_type.is_some()
        || filter.dated.is_some()
        || !filter.terms.is_empty()
        || !filter.having.is_empty();
    if let Some(nid) = filter.collection {
        snapshot.place(nid)?;
    }
    match (filter.view, filter.collection) {
        (View::All, None) if !is_narrowed => Ok(Restriction::None),
        (View::Unpublished, None) if !is_narrowed => Ok(Restriction::Value {
            facet: STATUS.to_owned(),
            value: "unpublished".to_owned(),
        }),
        (View::All, Some(nid)) if !is_narrowed && filter.below => restriction(snapshot, nid),
        (View::All, Some(nid)) if !is_narrowed => Ok(Restriction::Value {
            facet: MEMBER_OF.to_owned(),
            value: nid.to_string(),
        }),
        _ => ids(snapshot, filter).map(Restriction::Ids),
    }
}

fn ids(snapshot: &ListSnapshot<'_>, filter: &ItemFilter) -> Result<Vec<i64>, ApiError> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let order = Order {
            sort: ItemSort::Nid,
            descending: false,
        };
        let start = Start::After(after);
        let page = snapshot
            .read
            .item_page(filter, &snapshot.viewer, order, start, PAGE)?;
        ids.extend(page.rows);
        after = page.next;
        if after.is_none() {
            return Ok(ids);
        }
    }
}
