//! The language a resource is in.

use serde_json::Value;

use super::property::property;
use super::{FieldType, Property, ReferenceLookup, Shape, Violation};
use crate::content::{FieldDefinition, Item};

/// Languages a resource may be in: the repository's own, undetermined, and not applicable.
const KNOWN: &[&str] = &["en", "und", "zxx"];

/// `{"value": "en"}`.
pub struct Language;

impl FieldType for Language {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Text)] }
    }

    fn check(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        match item.get("value").and_then(Value::as_str) {
            Some(code) if !KNOWN.contains(&code) => vec![Violation::not_a_choice("")],
            _ => Vec::new(),
        }
    }
}
