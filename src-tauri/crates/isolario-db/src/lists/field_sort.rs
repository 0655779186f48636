//! Lists in the order of a field: of its first value, or of the name of its first term. A long list is read from the
//! index of the values or names. A short one is sorted.

use super::cursor::{Cursor, Key};
use super::item_filter::FieldShape;
use super::page_start::Stretch;
use super::sql_parts::Query;
use super::visible::visible;
use isolario_model::policy::Visibility;

/// A field to sort by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSort {
    pub field: String,
    /// `Reference`: by the names of terms.
    pub shape: FieldShape,
}

impl FieldSort {
    /// The sort key, the node, and for names the term.
    pub(super) fn select(&self, stretch: Stretch) -> &'static str {
        match (stretch, self.shape) {
            (Stretch::Unkeyed, _) => "SELECT NULL, l.node FROM",
            // As NOCASE compares.
            (_, FieldShape::Text) => "SELECT lower(f.value), f.id FROM",
            (_, FieldShape::Number) => "SELECT CAST(f.value AS INTEGER), f.id FROM",
            (_, FieldShape::Date) => "SELECT f.first_day, f.id FROM",
            (_, FieldShape::Reference) => "SELECT lower(t.label), f.id, t.id FROM",
        }
    }

    fn column(&self) -> &'static str {
        match self.shape {
            FieldShape::Text | FieldShape::Number => "f.value",
            FieldShape::Date => "f.first_day",
            FieldShape::Reference => "t.label",
        }
    }

    /// The values in their order.
    pub(super) fn values(&self) -> Query {
        Query::new(match self.shape {
            FieldShape::Text => "field_text f INDEXED BY field_text_value",
            FieldShape::Number => "field_number f INDEXED BY field_number_value",
            FieldShape::Date => "field_date f INDEXED BY field_date_first",
            FieldShape::Reference => {
                "taxonomy_term t INDEXED BY taxonomy_term_name
                 CROSS JOIN field_reference f INDEXED BY field_reference_target ON f.target_id = t.id
                   AND f.target_kind = 'taxonomy_term'"
            }
        })
    }

    /// The values in their order, each joined with its row of `listing`, from an index that has all needed columns.
    pub(super) fn leading(&self, index: &str) -> Query {
        let mut query = self.values();
        query.push(&format!(
            "CROSS JOIN listing l INDEXED BY {index} ON l.node = f.id"
        ));
        query
    }

    /// The value of each row of `listing`.
    pub(super) fn following(&self) -> Query {
        let mut query = Query::new("CROSS JOIN");
        query.push(self.shape.table()).push("f ON f.id = l.node");
        if self.shape == FieldShape::Reference {
            query.push(
                "CROSS JOIN taxonomy_term t ON t.id = f.target_id AND f.target_kind = 'taxonomy_term'",
            );
        }
        query
    }

    /// The condition that a value is the first of the field, and that the viewer may view it.
    pub(super) fn is_first(&self, terms: Visibility) -> Query {
        let mut query = Query::new("f.kind = 'node' AND f.field = ? AND f.delta = 0");
        query.bind(self.field.clone());
        if self.shape == FieldShape::Reference {
            query.push("AND t.deleted IS NULL");
            query.and(&visible("t", terms));
        }
        query
    }

    /// The condition that a row of `listing` has no such value.
    pub(super) fn lacks(&self, terms: Visibility) -> Query {
        let mut query = Query::new("NOT EXISTS (SELECT 1 FROM");
        query.push(self.shape.table()).push("f");
        if self.shape == FieldShape::Reference {
            query.push("CROSS JOIN taxonomy_term t ON t.id = f.target_id AND f.target_kind = 'taxonomy_term'");
        }
        query.push("WHERE f.id = l.node AND");
        query.append(&self.is_first(terms)).push(")");
        query
    }

    /// The rows of a stretch after a cursor.
    pub(super) fn after(
        &self,
        stretch: Stretch,
        descending: bool,
        after: Option<&Cursor>,
    ) -> Query {
        let than = if descending { "<" } else { ">" };
        let mut query = Query::new("1");
        match (stretch, after) {
            (Stretch::Unkeyed, Some(cursor)) if cursor.key == Key::None => {
                query.push(&format!("AND l.node {than} ?")).bind(cursor.id);
            }
            (Stretch::Keyed, Some(cursor)) => {
                query.and(&self.after_key(than, cursor));
            }
            _ => {}
        }
        query
    }

    fn after_key(&self, than: &str, cursor: &Cursor) -> Query {
        let column = self.column();
        let collation = match self.shape {
            FieldShape::Text | FieldShape::Reference => "COLLATE NOCASE",
            FieldShape::Number | FieldShape::Date => "",
        };
        // The index is entered by the key alone, and those that are equal told apart.
        let mut query = Query::new(&format!(
            "{column} {than}= ? {collation} AND ({column} {than} ? {collation}"
        ));
        query.bind(cursor.key.clone()).bind(cursor.key.clone());
        if self.shape == FieldShape::Reference {
            let term = match cursor.key {
                Key::Name(_, term) => term,
                _ => 0,
            };
            query
                .push(&format!(
                    "OR t.id {than} ? OR (t.id = ? AND f.id {than} ?))"
                ))
                .bind(term)
                .bind(term)
                .bind(cursor.id);
        } else {
            query.push(&format!("OR f.id {than} ?)")).bind(cursor.id);
        }
        query
    }

    /// `ORDER BY` for a stretch.
    pub(super) fn order_by(&self, stretch: Stretch, descending: bool) -> String {
        let direction = if descending { "DESC" } else { "ASC" };
        let column = self.column();
        match (stretch, self.shape) {
            (Stretch::Unkeyed, _) => format!("ORDER BY l.node {direction}"),
            (_, FieldShape::Reference) => format!(
                "ORDER BY {column} COLLATE NOCASE {direction}, t.id {direction}, f.id {direction}"
            ),
            (_, FieldShape::Text) => {
                format!("ORDER BY {column} COLLATE NOCASE {direction}, f.id {direction}")
            }
            _ => format!("ORDER BY {column} {direction}, f.id {direction}"),
        }
    }
}
