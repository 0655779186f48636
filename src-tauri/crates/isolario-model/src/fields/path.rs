//! The addresses that a resource has beside its own.

use serde_json::Value;

use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Violation, ViolationCode,
    WrittenItem,
};
use crate::content::{FieldDefinition, Item, address};

/// `{"alias": "/maps", "pid": null, "langcode": "en"}`. Only the alias is kept; one that is `null` says nothing.
pub struct PathAlias;

impl FieldType for PathAlias {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("alias", Shape::Text),
                property("pid", Shape::Integer),
                property("langcode", Shape::Text),
            ]
        }
    }

    fn accept(
        &self,
        _definition: &FieldDefinition,
        item: Item,
        _references: &dyn ReferenceLookup,
    ) -> Result<Item, String> {
        let alias = item.into_iter().filter(|(name, _)| name == "alias");
        let trimmed = alias.map(|(name, value)| match value {
            Value::String(text) => (name, text.trim().trim_end_matches('/').into()),
            other => (name, other),
        });
        Ok(trimmed.collect())
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        let alias = item.get("alias").and_then(Value::as_str);
        let complaint = alias.and_then(address::complaint);
        let violation = complaint.map(|words| {
            let message = format!("{}: {words}", definition.label);
            Violation::at("alias", ViolationCode::WrongSyntax, message)
        });
        violation.into_iter().collect()
    }

    fn write<'i>(
        &self,
        _definition: &FieldDefinition,
        item: &'i Item,
        _context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        let mut written = item.clone();
        written.insert("pid".into(), Value::Null);
        written.insert("langcode".into(), "en".into());
        WrittenItem::Made(written)
    }
}
