//! Short plain text.

use serde_json::Value;

use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, Violation, ViolationCode,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": "…"}`, with a greatest length.
pub struct PlainString;

impl FieldType for PlainString {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Text)] }
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        too_long(definition, item).into_iter().collect()
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

/// The violation of a text over its greatest length, counted in characters.
pub(super) fn too_long(definition: &FieldDefinition, item: &Item) -> Option<Violation> {
    let limit = definition.max_length?;
    let text = item.get("value")?.as_str()?;
    (text.chars().count() > limit).then(|| {
        Violation::at(
            "value",
            ViolationCode::TooLong,
            format!(
                "{}: may not be longer than {limit} characters.",
                definition.label
            ),
        )
    })
}

/// The main text as an index value.
pub(super) fn index_text(item: &Item) -> Option<IndexValue> {
    let text = item.get("value")?.as_str()?;
    Some(IndexValue::Text(text.to_owned()))
}

/// The main text as a literal: in a language where the field can be translated, else a string.
pub(super) fn literal(definition: &FieldDefinition, item: &Item) -> Vec<Statement> {
    match item.get("value").and_then(Value::as_str) {
        Some(text) if definition.translatable => vec![Statement::text(text, "en")],
        Some(text) => vec![Statement::literal(text, "string")],
        None => Vec::new(),
    }
}
