//! Comment settings of the bundles that have them. We keep and write them; there is no discussion.

use super::cell::json_of;
use super::property::property;
use super::{FieldContext, FieldType, Property, Shape, TermNotation};
use crate::content::{FieldDefinition, Item};

/// `{"status": 2, "cid": 0, …}`.
pub struct Comment;

impl FieldType for Comment {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("status", Shape::Integer),
                property("cid", Shape::Integer),
                property("last_comment_timestamp", Shape::Integer),
                property("last_comment_name", Shape::Text),
                property("last_comment_uid", Shape::Integer),
                property("comment_count", Shape::Integer),
            ]
        }
    }

    fn is_empty(&self, item: &Item) -> bool {
        item.is_empty()
    }

    fn cell(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
        _terms: TermNotation,
    ) -> String {
        json_of(item)
    }
}
