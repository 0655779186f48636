//! Text tracks of audio and video.

use serde_json::Value;

use super::cell::json_of;
use super::entity_reference::{index_target, points_nowhere, resolve_uuid, with_target};
use super::file::check_file;
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, TermNotation, Violation, WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"target_id": 5, "label": "…", "kind": "captions", "srclang": "en", "default": true, …}`.
pub struct MediaTrack;

impl FieldType for MediaTrack {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("target_id", Shape::Integer),
                property("label", Shape::Text),
                property("kind", Shape::Text),
                property("srclang", Shape::Text),
                property("default", Shape::Boolean),
            ]
        }
    }

    fn accept(
        &self,
        definition: &FieldDefinition,
        item: Item,
        references: &dyn ReferenceLookup,
    ) -> Result<Item, String> {
        resolve_uuid(definition, item, references)
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
        for name in ["label", "kind", "srclang", "default"] {
            written.entry(name).or_insert(Value::Null);
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
