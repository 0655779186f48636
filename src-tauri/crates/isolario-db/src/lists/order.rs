//! The orders a list of nodes can have, each with its index.

use super::cursor::{Cursor, Key};
use super::field_sort::FieldSort;
use super::page_start::Stretch;
use super::sql_parts::Query;

/// What a list of items is sorted by. Rows without a weight, a date or a value of the field stand at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemSort {
    Title,
    Created,
    Changed,
    Nid,
    Weight,
    Date,
    Field(FieldSort),
}

impl ItemSort {
    /// Every order but those of fields, as the address names it.
    pub const ALL: [(&str, ItemSort); 6] = [
        ("title", ItemSort::Title),
        ("created", ItemSort::Created),
        ("changed", ItemSort::Changed),
        ("nid", ItemSort::Nid),
        ("weight", ItemSort::Weight),
        ("date", ItemSort::Date),
    ];

    pub(super) fn column(&self) -> &str {
        match self {
            ItemSort::Title => "title",
            ItemSort::Created => "created",
            ItemSort::Changed => "changed",
            ItemSort::Nid => "node",
            ItemSort::Weight => "weight",
            ItemSort::Date => "day",
            ItemSort::Field(by) => &by.field,
        }
    }

    pub(super) fn index(&self) -> &'static str {
        match self {
            ItemSort::Title => "listing_title",
            ItemSort::Created => "listing_created",
            ItemSort::Changed => "listing_changed",
            ItemSort::Nid | ItemSort::Field(_) => "listing_nid",
            ItemSort::Weight => "listing_weight",
            ItemSort::Date => "listing_date",
        }
    }

    fn has_gaps(&self) -> bool {
        matches!(self, ItemSort::Weight | ItemSort::Date | ItemSort::Field(_))
    }
}

/// A sort key and a direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub sort: ItemSort,
    pub descending: bool,
}

impl Order {
    /// The name by which a cursor knows its order.
    pub fn name(&self) -> String {
        let direction = if self.descending { "desc" } else { "asc" };
        format!("{} {direction}", self.sort.column())
    }

    fn direction(&self) -> (&'static str, &'static str) {
        if self.descending {
            ("DESC", "<")
        } else {
            ("ASC", ">")
        }
    }

    /// The stretches that still have to be read after a cursor.
    pub(super) fn stretches(&self, after: Option<&Cursor>) -> Vec<Stretch> {
        let past_keys = after.is_some_and(|cursor| cursor.key == Key::None);
        match (self.sort.has_gaps(), past_keys) {
            (false, _) => vec![Stretch::Keyed],
            (true, false) => vec![Stretch::Keyed, Stretch::Unkeyed],
            (true, true) => vec![Stretch::Unkeyed],
        }
    }

    /// The condition for the rows of a stretch after a cursor, on the alias `l`.
    pub(super) fn after(&self, stretch: Stretch, after: Option<&Cursor>) -> Query {
        let (column, (_, than)) = (self.sort.column(), self.direction());
        let mut query = match stretch {
            Stretch::Unkeyed => Query::new(&format!("l.{column} IS NULL")),
            Stretch::Keyed if self.sort.has_gaps() => {
                Query::new(&format!("l.{column} IS NOT NULL"))
            }
            Stretch::Keyed => Query::new("1"),
        };
        match (stretch, after) {
            (_, None) => {}
            (Stretch::Unkeyed, Some(cursor)) if cursor.key != Key::None => {}
            (Stretch::Keyed, Some(cursor)) if self.sort != ItemSort::Nid => {
                query
                    .push(&format!("AND (l.{column}, l.node) {than} (?, ?)"))
                    .bind(cursor.key.clone())
                    .bind(cursor.id);
            }
            (_, Some(cursor)) => {
                query.push(&format!("AND l.node {than} ?")).bind(cursor.id);
            }
        }
        query
    }

    /// `ORDER BY` for a stretch.
    pub(super) fn order_by(&self, stretch: Stretch) -> String {
        let (column, (direction, _)) = (self.sort.column(), self.direction());
        if stretch == Stretch::Unkeyed || self.sort == ItemSort::Nid {
            format!("ORDER BY l.node {direction}")
        } else {
            format!("ORDER BY l.{column} {direction}, l.node {direction}")
        }
    }
}
