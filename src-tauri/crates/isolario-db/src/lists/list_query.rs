//! The query of a list of nodes: which list, what narrows it, and its order.

use super::count::NodeSelection;
use super::filter::{Filter, SizeEstimate};
use super::list_id::ListId;
use super::order::Order;
use super::sql_parts::Query;
use isolario_model::policy::{ItemVisibility, Visibility};

/// The query of a list of nodes.
pub(super) struct ListQuery {
    pub(super) list: ListId,
    pub(super) counted: NodeSelection,
    pub(super) visibility: ItemVisibility,
    /// The terms that the viewer may see. An order by the name of a term uses only these.
    pub(super) terms: Visibility,
    /// The filter by visibility comes first.
    pub(super) filters: Vec<Filter>,
    /// SELECT of one column `id`: nodes that only this viewer finds in the list, because the resource that excludes
    /// them for others is hidden from this viewer.
    pub(super) also: Option<Query>,
    pub(super) order: Order,
}

impl ListQuery {
    /// The filter of which the number of fitting nodes is known, and the number.
    pub(super) fn known(&self) -> Option<(i64, &Filter)> {
        self.filters.iter().find_map(|filter| match filter.size {
            SizeEstimate::Known(count) => Some((count, filter)),
            _ => None,
        })
    }

    /// Whether the list holds nothing but what is published, or nothing but what is not.
    pub(super) fn is_all(&self, published: bool) -> bool {
        self.list == ListId::Unpublished && !published
    }

    /// Whether nothing narrows the list but what the viewer sees, which is all.
    fn is_unnarrowed(&self) -> bool {
        (self.counted, self.filters.len()) == (NodeSelection::All, 1)
            && self.visibility.is_everything()
    }

    /// Whether the list holds every live node.
    pub(super) fn holds_everything(&self) -> bool {
        self.list == ListId::All && self.is_unnarrowed()
    }

    /// The index of `listing` that says of a node whether it is in the list: the smallest that has all that is asked, so
    /// that no row is looked up twice.
    pub(super) fn member_index(&self) -> &'static str {
        match self.is_unnarrowed() {
            true => "listing_nid",
            // The primary key, which is the table itself.
            false => "sqlite_autoindex_listing_1",
        }
    }

    pub(super) fn index(&self) -> &'static str {
        if self.counted == NodeSelection::Collections {
            "listing_collection"
        } else {
            self.order.sort.index()
        }
    }
}
