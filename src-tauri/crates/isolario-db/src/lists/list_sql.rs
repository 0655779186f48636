//! The SQL that reads the rows of a page.

use super::count::NodeSelection;
use super::cursor::Cursor;
use super::field_sort::FieldSort;
use super::list_id::ListId;
use super::list_query::ListQuery;
use super::order::{ItemSort, Order};
use super::page_start::{Span, Stretch};
use super::sql_parts::{FEW, Query};

/// Where the rows of a page come from: a list, or the candidates of one filter where these are fewer.
pub(super) struct RowSource {
    pub(super) list: ListId,
    pub(super) candidates: Option<Query>,
    /// Few enough rows to sort.
    pub(super) is_short: bool,
    /// The conditions that the candidates do not already fulfil.
    pub(super) conditions: Query,
}

impl RowSource {
    pub(super) fn page(&self, list_query: &ListQuery, span: &Span<'_>) -> Query {
        let (order, stretch) = (&list_query.order, span.stretch);
        let mut query = match &order.sort {
            ItemSort::Field(by) => {
                let mut query = Query::new(by.select(stretch));
                query.append(&self.rows_by(by, list_query, stretch, self.is_walked()));
                query.and(&by.after(stretch, order.descending, span.after));
                query.push(&by.order_by(stretch, order.descending));
                query
            }
            sort => {
                let mut query = Query::new("SELECT");
                query.push(&format!("l.{}, l.node FROM", sort.column()));
                query.append(&self.rows(list_query.index()));
                query.and(&order.after(stretch, span.after));
                query.push(&order.order_by(stretch));
                query
            }
        };
        query
            .push("LIMIT ?")
            .bind(i64::try_from(span.limit).unwrap_or(i64::MAX));
        if span.skipped > 0 {
            query.push("OFFSET ?").bind(span.skipped);
        }
        query
    }

    /// How many rows a stretch has, or has before one of them.
    pub(super) fn count_stretch(
        &self,
        list_query: &ListQuery,
        stretch: Stretch,
        before: Option<&Cursor>,
    ) -> Query {
        // What is before a row comes after it, the other way round.
        let backwards = Order {
            descending: !list_query.order.descending,
            sort: list_query.order.sort.clone(),
        };
        let mut query = Query::new("SELECT count(*) FROM");
        match &backwards.sort {
            ItemSort::Field(by) => query
                .append(&self.rows_by(by, list_query, stretch, self.is_walked()))
                .and(&by.after(stretch, backwards.descending, before)),
            _ => query
                .append(&self.rows(list_query.index()))
                .and(&backwards.after(stretch, before)),
        };
        query
    }

    /// The row of one node with its key, where the source has it in a stretch.
    pub(super) fn row_of(&self, nid: i64, list_query: &ListQuery, stretch: Stretch) -> Query {
        let order = &list_query.order;
        let mut query = match &order.sort {
            ItemSort::Field(by) => {
                let mut query = Query::new(by.select(stretch));
                query.append(&self.rows_by(by, list_query, stretch, false));
                query
            }
            sort => {
                let mut query = Query::new(&format!("SELECT l.{}, l.node FROM", sort.column()));
                query.append(&self.rows("listing_nid"));
                query.and(&order.after(stretch, None));
                query
            }
        };
        query.push("AND l.node = ?").bind(nid);
        query
    }

    /// Whether the values of a field lead to the rows: of few rows each leads to its value.
    fn is_walked(&self) -> bool {
        self.candidates.is_none() && !self.is_short
    }

    /// The rows of the source with a value of a field, or those without.
    fn rows_by(
        &self,
        by: &FieldSort,
        list_query: &ListQuery,
        stretch: Stretch,
        walked: bool,
    ) -> Query {
        if walked && stretch == Stretch::Keyed && list_query.holds_everything() {
            // Only what is live has values.
            let mut query = by.values();
            query.push("WHERE").append(&by.is_first(list_query.terms));
            return query;
        }
        let mut query = match stretch {
            Stretch::Unkeyed => self.from("listing_nid"),
            Stretch::Keyed if walked => by.leading(list_query.member_index()),
            Stretch::Keyed => {
                let mut query = self.from("listing_nid");
                query.append(&by.following());
                query
            }
        };
        query.append(&self.that_fit());
        query.and(&match stretch {
            Stretch::Keyed => by.is_first(list_query.terms),
            Stretch::Unkeyed => by.lacks(list_query.terms),
        });
        query
    }

    /// The rows of the source, from the given index unless candidates lead to them.
    fn rows(&self, index: &str) -> Query {
        let mut query = self.from(index);
        query.append(&self.that_fit());
        query
    }

    fn from(&self, index: &str) -> Query {
        let mut query = Query::default();
        match &self.candidates {
            Some(candidates) => query
                .push("(SELECT DISTINCT id FROM (")
                .append(candidates)
                .push(")) c CROSS JOIN listing l ON l.node = c.id"),
            None => query.push(&format!("listing l INDEXED BY {index}")),
        };
        query
    }

    fn that_fit(&self) -> Query {
        let [list, of] = self.list.columns();
        let mut query = Query::with("WHERE l.list = ? AND l.of = ?", &[list, of]);
        query.and(&self.conditions);
        query
    }

    pub(super) fn count(&self) -> Query {
        let mut query = Query::new("SELECT count(*) FROM");
        query.append(&self.rows("listing_nid"));
        query
    }

    /// How many of the first candidates of a filter fit.
    pub(super) fn count_in_candidates(&self, candidates: &Query) -> Query {
        let mut query = Query::new("SELECT count(*) FROM (SELECT id FROM (");
        query.append(candidates).push(") LIMIT ?) c").bind(FEW);
        query.push("CROSS JOIN listing l ON l.node = c.id");
        query.append(&self.that_fit());
        query
    }

    /// How many of the first rows fit.
    pub(super) fn count_in_sample(&self, counted: NodeSelection) -> Query {
        let index = if counted == NodeSelection::Collections {
            "listing_collection"
        } else {
            "listing_nid"
        };
        let [list, of] = self.list.columns();
        let mut query = Query::new("SELECT count(*) FROM (SELECT * FROM listing INDEXED BY");
        query
            .push(index)
            .push("WHERE list = ? AND of = ?")
            .bind(list)
            .bind(of);
        if counted == NodeSelection::Collections {
            query.push("AND is_collection = 1");
        }
        query
            .push("LIMIT ?) l WHERE")
            .bind(FEW)
            .append(&self.conditions);
        query
    }
}
