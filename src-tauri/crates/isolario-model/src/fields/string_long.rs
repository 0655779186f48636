//! Long plain text, of any length.

use super::property::property;
use super::string::{index_text, literal};
use super::{FieldContext, FieldType, Property, Shape, Statement};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": "…"}`.
pub struct StringLong;

impl FieldType for StringLong {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::LongText)] }
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_text(item)
    }

    fn statements(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        literal(definition, item)
    }
}
