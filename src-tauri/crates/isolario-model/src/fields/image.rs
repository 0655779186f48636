//! A stored picture, with its alternative text and size.

use serde_json::Value;

use super::cell::json_of;
use super::entity_reference::{index_target, points_nowhere, resolve_uuid, target_of, with_target};
use super::file::check_file;
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, TermNotation, Violation, WrittenItem,
};
use crate::content::{EntityKind, FieldDefinition, IndexValue, Item};

/// `{"target_id": 5, "alt": "…", "title": null, "width": 7, "height": 5, …, "url": "http://…"}`, pixels.
pub struct Image;

impl FieldType for Image {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("target_id", Shape::Integer),
                property("alt", Shape::Text),
                property("title", Shape::Text),
                property("width", Shape::Integer),
                property("height", Shape::Integer),
            ]
        }
    }

    fn accept(
        &self,
        definition: &FieldDefinition,
        item: Item,
        references: &dyn ReferenceLookup,
    ) -> Result<Item, String> {
        let mut item = resolve_uuid(definition, item, references)?;
        fill_size(&mut item, references);
        Ok(item)
    }

    fn is_empty(&self, item: &Item) -> bool {
        points_nowhere(item)
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        check_file(definition, item, references)
    }

    fn write<'i>(
        &self,
        definition: &FieldDefinition,
        item: &'i Item,
        context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        let mut written = with_target(definition, item, context);
        for name in ["alt", "title", "width", "height"] {
            written.entry(name).or_insert(Value::Null);
        }
        if target_of(definition, item, context).is_none() {
            written.remove("url");
        }
        WrittenItem::Made(written)
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

    fn index(&self, definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_target(definition, item)
    }
}

fn fill_size(item: &mut Item, references: &dyn ReferenceLookup) {
    let Some(id) = item.get("target_id").and_then(Value::as_i64) else {
        return;
    };
    let facts = references
        .target(EntityKind::File, id)
        .and_then(|target| target.file);
    if let Some(facts) = facts {
        for (name, pixels) in [("width", facts.width), ("height", facts.height)] {
            if item.get(name).is_none_or(Value::is_null) {
                item.insert(name.into(), pixels.into());
            }
        }
    }
}
