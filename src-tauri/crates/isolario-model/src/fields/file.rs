//! A stored file.

use serde_json::Value;

use super::entity_reference::{
    check_target, index_target, points_nowhere, resolve_uuid, with_target,
};
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Violation, ViolationCode,
    WrittenItem,
};
use crate::content::{EntityKind, FieldDefinition, IndexValue, Item};

/// `{"target_id": 5, "display": null, "description": null, …, "url": "http://…"}`.
pub struct File;

impl FieldType for File {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("target_id", Shape::Integer),
                property("display", Shape::Boolean),
                property("description", Shape::Text),
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
        for name in ["display", "description"] {
            written.entry(name).or_insert(Value::Null);
        }
        WrittenItem::Made(written)
    }

    fn index(&self, definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_target(definition, item)
    }
}

/// The violations of a file that is not there or whose name has another extension than allowed.
pub(super) fn check_file(
    definition: &FieldDefinition,
    item: &Item,
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    let missing = check_target(definition, item, references);
    if missing.is_some() {
        return missing.into_iter().collect();
    }
    let id = item.get("target_id").and_then(Value::as_i64).unwrap_or(0);
    let extension = references
        .target(EntityKind::File, id)
        .and_then(|target| crate::content::file::extension_of(&target.label));
    if definition.takes_extension(extension.as_deref()) {
        return Vec::new();
    }
    let allowed = &definition.file_extensions;
    vec![Violation::at(
        "",
        ViolationCode::FileExtension,
        format!(
            "Only files with the following extensions are allowed: {}.",
            allowed.join(" ")
        ),
    )]
}
