//! Yes or no.

use serde_json::Value;

use super::property::property;
use super::{FieldContext, FieldType, Property, Shape, Statement};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": true}`; `0`, `1`, `"0"` and `"1"` are accepted.
pub struct Boolean;

impl FieldType for Boolean {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Boolean)] }
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        let flag = item.get("value")?.as_bool()?;
        Some(IndexValue::Number(if flag { 1.0 } else { 0.0 }))
    }

    fn statements(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        let flag = item.get("value").and_then(Value::as_bool);
        flag.map(|flag| Statement::literal(if flag { "true" } else { "false" }, "boolean"))
            .into_iter()
            .collect()
    }
}
