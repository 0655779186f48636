//! Long plain text, of any length.

use super::property::property;
use super::string::{index_text, literal};
use super::{FieldType, Property, Shape, Statement, Surroundings};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": "…"}`.
pub struct StringLong;

impl FieldType for StringLong {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Text)] }
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_text(item)
    }

    fn statements(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _around: &dyn Surroundings,
    ) -> Vec<Statement> {
        literal(definition, item)
    }
}
