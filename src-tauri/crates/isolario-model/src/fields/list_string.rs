//! One of a list of allowed values.

use serde_json::Value;

use super::property::property;
use super::string::{index_text, literal};
use super::{FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, Violation};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": "schema:Corporation"}`.
pub struct ListString;

impl FieldType for ListString {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Text)] }
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        let chosen = item.get("value").and_then(Value::as_str);
        let allowed = chosen.is_none_or(|chosen| {
            definition
                .allowed_values
                .iter()
                .any(|choice| choice.value == chosen)
        });
        if allowed {
            Vec::new()
        } else {
            vec![Violation::not_a_choice("")]
        }
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_text(item)
    }

    fn words(&self, definition: &FieldDefinition, item: &Item) -> Option<String> {
        let value = item.get("value")?.as_str()?;
        let mut choices = definition.allowed_values.iter();
        let choice = choices.find(|choice| choice.value == value);
        Some(choice.map_or(value, |choice| &choice.label).to_owned())
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
