//! Queries of the lists of items and of collections: filters, pages and counts.

use super::count::{NodeSelection, ViewCounts};
use super::cursor::{Cursor, Page};
use super::filter::{self, Filter};
use super::item_filter::{ItemFilter, View};
use super::list_id::ListId;
use super::list_query::ListQuery;
use super::order::{ItemSort, Order};
use super::page_start::Start;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, visible_item};
use super::waiting::waiting_for;
use super::without_original::{also_without_original, without_original};
use crate::DbError;
use isolario_model::policy::Visibility;

impl Lists<'_> {
    /// Node ids of one page of items.
    pub fn item_page(
        &self,
        items: &ItemFilter,
        viewer: &Viewer,
        order: Order,
        start: impl Into<Start>,
        limit: usize,
    ) -> Result<Page<i64>, DbError> {
        let list_query = self.list_query_of(items, viewer, order)?;
        self.listing_page(&list_query, &start.into(), limit)
    }

    /// Node ids of one page of collections, by title: those under a node, or those at the top; all, or those of one
    /// title.
    pub fn collection_page(
        &self,
        parent: Option<i64>,
        title: Option<&str>,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<i64>, DbError> {
        let list = parent.map_or(ListId::TopCollections, ListId::MembersOf);
        let mut list_query = plain(list, viewer, collection_order());
        list_query.counted = NodeSelection::Collections;
        list_query.also = also_at_the_top(viewer).filter(|_| parent.is_none());
        let titled = title.map(|title| filter::by_collection_title(list, title));
        list_query.filters.extend(titled);
        self.listing_page(&list_query, &after.into(), limit)
    }

    /// How many items and how many collections somebody sees directly in a node.
    pub fn collection_counts(&self, nid: i64, viewer: &Viewer) -> Result<(i64, i64), DbError> {
        let list = ListId::MembersOf(nid);
        Ok((
            self.count_of_list(list, &viewer.nodes, NodeSelection::Others)?,
            self.count_of_list(list, &viewer.nodes, NodeSelection::Collections)?,
        ))
    }

    /// How many items each view holds. What changed recently is counted up to 10,000.
    pub fn view_counts(&self, viewer: &Viewer, recent_since: i64) -> Result<ViewCounts, DbError> {
        let count = |list, counted| self.count_of_list(list, &viewer.nodes, counted);
        Ok(ViewCounts {
            all: count(ListId::All, NodeSelection::All)?,
            unfiled: self.view_count(View::Unfiled, viewer)?,
            unpublished: count(ListId::Unpublished, NodeSelection::All)?,
            without_original: self.view_count(View::WithoutOriginal, viewer)?,
            recent: self.recent_count(viewer, recent_since)?,
            waiting: match viewer.uid {
                // Nothing waits for nobody in particular.
                0 => 0,
                _ => self.view_count(View::Waiting, viewer)?,
            },
            collections: count(ListId::All, NodeSelection::Collections)?,
        })
    }

    fn view_count(&self, view: View, viewer: &Viewer) -> Result<i64, DbError> {
        let items = ItemFilter {
            view,
            ..ItemFilter::default()
        };
        let page = self.item_page(&items, viewer, by_nid(), None, 0)?;
        Ok(page.total.count)
    }

    fn recent_count(&self, viewer: &Viewer, since: i64) -> Result<i64, DbError> {
        let [list, of] = ListId::All.columns();
        let mut rows = Query::with(
            "SELECT 1 FROM listing l INDEXED BY listing_changed WHERE l.list = ? AND l.of = ? AND l.changed >= ?",
            &[list, of, since],
        );
        rows.and(&visible_item("l", "l.node", &viewer.nodes));
        self.count_up_to(&rows, 10_000)
    }
}

/// The order of collections.
pub fn collection_order() -> Order {
    Order {
        sort: ItemSort::Title,
        descending: false,
    }
}

fn by_nid() -> Order {
    Order {
        sort: ItemSort::Nid,
        descending: false,
    }
}

fn plain(list: ListId, viewer: &Viewer, order: Order) -> ListQuery {
    ListQuery {
        list,
        counted: NodeSelection::All,
        visibility: viewer.nodes.clone(),
        terms: viewer.terms,
        filters: vec![filter::by_visibility(list, &viewer.nodes)],
        also: None,
        order,
    }
}

impl Lists<'_> {
    pub(super) fn list_query_of(
        &self,
        items: &ItemFilter,
        viewer: &Viewer,
        order: Order,
    ) -> Result<ListQuery, DbError> {
        let mut list_query = match items.collection {
            Some(nid) => {
                let below = self.by_place_below(nid, items, viewer)?;
                members(nid, below, items.view, viewer, order)
            }
            None => view(items, viewer, order),
        };
        match items.view {
            View::Recent => {
                let filter = filter::by_change(items.recent_since);
                list_query.filters.push(filter);
            }
            View::Waiting => list_query.filters.push(waiting_for(viewer)),
            _ => {}
        }
        for tid in items.terms.iter().chain(&items.model) {
            if !self.has_term(*tid, viewer)? {
                list_query.filters.push(filter::none());
            }
        }
        if let Some(tid) = items.model {
            list_query.filters.push(filter::by_model(tid));
        }
        if let Some(bundle) = &items.bundle {
            list_query.filters.push(filter::by_bundle(bundle));
        }
        if let Some(published) = items
            .published
            .filter(|published| !list_query.is_all(*published))
        {
            let filter = filter::by_status(list_query.list, published);
            list_query.filters.push(filter);
        }
        list_query.filters.extend(described(items, viewer));
        let found = items.found.iter().map(filter::by_set);
        list_query.filters.extend(found);
        Ok(list_query)
    }
}

/// What is asked of the description and the media.
fn described(items: &ItemFilter, viewer: &Viewer) -> Vec<Filter> {
    let terms = items.terms.iter().map(|tid| filter::by_term(*tid));
    let media_type = items.media_type.as_deref();
    let media_type = media_type.map(|bundle| filter::by_media_type(bundle, &viewer.media));
    let dated = items.dated.as_ref().map(filter::by_date);
    let having = items.having.iter().map(filter::by_having);
    terms.chain(media_type).chain(dated).chain(having).collect()
}

fn members(
    nid: i64,
    below: Option<Filter>,
    view: View,
    viewer: &Viewer,
    order: Order,
) -> ListQuery {
    let list = match below {
        Some(_) => ListId::All,
        None => ListId::MembersOf(nid),
    };
    let mut list_query = plain(list, viewer, order);
    list_query.filters.extend(below);
    match view {
        View::All | View::Recent | View::Waiting => {}
        View::Unfiled => list_query.filters.push(filter::by_list(ListId::Unfiled)),
        View::Unpublished => list_query
            .filters
            .push(filter::by_list(ListId::Unpublished)),
        View::WithoutOriginal => list_query.filters.push(without_original(viewer)),
    }
    list_query
}

fn view(items: &ItemFilter, viewer: &Viewer, order: Order) -> ListQuery {
    match items.view {
        View::All | View::Recent | View::Waiting if items.published == Some(false) => {
            plain(ListId::Unpublished, viewer, order)
        }
        View::All | View::Recent | View::Waiting => plain(ListId::All, viewer, order),
        View::Unpublished => plain(ListId::Unpublished, viewer, order),
        View::Unfiled => {
            let mut list_query = plain(ListId::Unfiled, viewer, order);
            list_query.counted = NodeSelection::Others;
            list_query.also = also_at_the_top(viewer);
            list_query
        }
        View::WithoutOriginal if !published_is_seen(viewer.media.itself) => {
            let mut list_query = plain(ListId::All, viewer, order);
            list_query.filters.push(without_original(viewer));
            list_query
        }
        View::WithoutOriginal => {
            let mut list_query = plain(ListId::WithoutOriginal, viewer, order);
            list_query.counted = NodeSelection::Others;
            list_query.also = also_without_original(viewer);
            list_query
        }
    }
}

/// Whether a rule hides unpublished things only.
fn published_is_seen(visibility: Visibility) -> bool {
    visibility.allows(true, 0)
}

/// Nodes whose every parent is hidden from the viewer.
fn also_at_the_top(viewer: &Viewer) -> Option<Query> {
    if viewer.nodes.is_everything() {
        return None;
    }
    let mut query = Query::new(
        "SELECT m.node AS id FROM listing_count c CROSS JOIN node h ON h.id = c.of AND h.deleted IS NULL
         CROSS JOIN listing m INDEXED BY listing_nid ON m.list = 1 AND m.of = h.id
         WHERE c.list = 1 AND c.nodes > 0",
    );
    query
        .push("AND NOT")
        .append(&visible_item("h", "h.id", &viewer.nodes));
    query.push(
        "AND NOT EXISTS (SELECT 1 FROM listing o CROSS JOIN node p ON p.id = o.of
         WHERE o.node = m.node AND o.list = 1",
    );
    query
        .and(&visible_item("p", "p.id", &viewer.nodes))
        .push(")");
    Some(query)
}
