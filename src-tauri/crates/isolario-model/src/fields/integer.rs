//! Whole numbers.

use serde_json::Value;

use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, Violation, ViolationCode,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": 3}`, with a least value where the definition has one.
pub struct Integer;

impl FieldType for Integer {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Integer)] }
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        match item.get("value") {
            Some(Value::Number(number)) => below_least(definition, number.as_i64())
                .into_iter()
                .collect(),
            Some(Value::String(_)) => {
                vec![Violation::at(
                    "value",
                    ViolationCode::NotANumber,
                    "This value should be a valid number.",
                )]
            }
            _ => Vec::new(),
        }
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        Some(IndexValue::Number(item.get("value")?.as_f64()?))
    }

    fn statements(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        let number = item.get("value").and_then(Value::as_i64);
        number
            .map(|number| Statement::literal(&number.to_string(), "int"))
            .into_iter()
            .collect()
    }
}

fn below_least(definition: &FieldDefinition, number: Option<i64>) -> Option<Violation> {
    let least = definition.min?;
    (number? < least).then(|| {
        Violation::at(
            "value",
            ViolationCode::OutOfRange,
            format!(
                "{}: the value may be no less than {least}.",
                definition.label
            ),
        )
    })
}
