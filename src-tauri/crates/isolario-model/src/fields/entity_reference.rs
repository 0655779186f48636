//! References to nodes, media, terms, files and users.

use std::sync::Arc;

use serde_json::Value;

use super::cell::text_of;
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, TermNotation, Violation,
    ViolationCode, WrittenItem,
};
use crate::content::{EntityKind, FieldDefinition, IndexValue, Item, Target};

/// `{"target_id": 46, "target_type": "taxonomy_term", "target_uuid": "…", "url": "/taxonomy/term/46"}`.
pub struct EntityReference;

impl FieldType for EntityReference {
    fn properties(&self) -> &'static [Property] {
        const { &[property("target_id", Shape::Integer)] }
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
        check_target(definition, item, references)
            .into_iter()
            .collect()
    }

    fn write<'i>(
        &self,
        definition: &FieldDefinition,
        item: &'i Item,
        context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        written_target(definition, item, context)
    }

    fn cell(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        context: &dyn FieldContext,
        terms: TermNotation,
    ) -> String {
        target_cell(definition, item, context, terms)
    }

    fn index(&self, definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_target(definition, item)
    }

    fn statements(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        context: &dyn FieldContext,
    ) -> Vec<Statement> {
        address_of_target(definition, item, context)
            .map(Statement::thing)
            .into_iter()
            .collect()
    }
}

/// Finds the id where only a UUID was sent.
pub(super) fn resolve_uuid(
    definition: &FieldDefinition,
    mut item: Item,
    references: &dyn ReferenceLookup,
) -> Result<Item, String> {
    let uuid = item.remove("target_uuid");
    let has_id = item.get("target_id").is_some_and(|id| !id.is_null());
    if let (false, Some(Value::String(uuid)), Some(kind)) = (has_id, uuid, definition.target_kind())
    {
        let id = references
            .id_of_uuid(kind, &uuid)
            .ok_or_else(|| format!("No \"\" entity found with UUID \"{uuid}\" for field \"0\"."))?;
        item.insert("target_id".into(), id.into());
    }
    Ok(item)
}

/// Whether a reference names nothing: no id, or 0.
pub(super) fn points_nowhere(item: &Item) -> bool {
    match item.get("target_id") {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(id) => id.as_i64() == Some(0),
    }
}

/// The violation of a reference to a thing that is not there for the one who writes, or is of another bundle than allowed.
pub(super) fn check_target(
    definition: &FieldDefinition,
    item: &Item,
    references: &dyn ReferenceLookup,
) -> Option<Violation> {
    let kind = definition.target_kind()?;
    let sent = item.get("target_id")?;
    let target = sent.as_i64().and_then(|id| references.target(kind, id));
    let Some(target) = target else {
        let shown = sent
            .as_str()
            .map_or_else(|| sent.to_string(), str::to_owned);
        return Some(Violation::at(
            "target_id",
            ViolationCode::UnknownReference,
            format!(
                "The referenced entity ({}: {shown}) does not exist.",
                kind.target_type()
            ),
        ));
    };
    let allowed_bundle =
        definition.target_bundles.is_empty() || definition.target_bundles.contains(&target.bundle);
    (!allowed_bundle).then(|| {
        Violation::at(
            "target_id",
            ViolationCode::ReferenceNotAllowed,
            format!(
                "This entity ({}: {}) cannot be referenced.",
                kind.target_type(),
                target.id
            ),
        )
    })
}

/// The live target of a kept reference, for those who may see it.
pub(super) fn target_of(
    definition: &FieldDefinition,
    item: &Item,
    context: &dyn FieldContext,
) -> Option<Arc<Target>> {
    context.target(definition.target_kind()?, item.get("target_id")?.as_i64()?)
}

/// The reference as it is written; a target that is not there, or not for the one who reads, leaves only its id.
pub(super) fn written_target<'i>(
    definition: &FieldDefinition,
    item: &'i Item,
    context: &dyn FieldContext,
) -> WrittenItem<'i> {
    let Some(target) = target_of(definition, item, context) else {
        return WrittenItem::Kept(item);
    };
    let url = match &target.file {
        Some(file) => context.absolute(&context.file_path(&file.uri)),
        None => target.kind.path(target.id),
    };
    let added = vec![
        ("target_type", target.kind.target_type().into()),
        ("target_uuid", target.uuid.as_str().into()),
        ("url", url.into()),
    ];
    WrittenItem::With(item, added)
}

/// As `written_target`, as an item.
pub(super) fn with_target(
    definition: &FieldDefinition,
    item: &Item,
    context: &dyn FieldContext,
) -> Item {
    written_target(definition, item, context).into_item()
}

/// The reference as an index value.
pub(super) fn index_target(definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
    Some(IndexValue::Reference {
        kind: definition.target_kind()?,
        id: item.get("target_id")?.as_i64()?,
    })
}

/// Absolute address of the live target, as linked data names it.
pub(super) fn address_of_target(
    definition: &FieldDefinition,
    item: &Item,
    context: &dyn FieldContext,
) -> Option<String> {
    let target = target_of(definition, item, context)?;
    Some(match (&target.file, target.kind) {
        (Some(file), EntityKind::File) => context.absolute(&context.file_path(&file.uri)),
        _ => context.absolute(&target.kind.path(target.id)),
    })
}

/// What stands for the target in a table. One that is not there, or not for the one who reads, is its id alone.
pub(super) fn target_cell(
    definition: &FieldDefinition,
    item: &Item,
    context: &dyn FieldContext,
    terms: TermNotation,
) -> String {
    let term = match (definition.target_kind(), terms) {
        (Some(EntityKind::Term), TermNotation::Names | TermNotation::Uris) => {
            target_of(definition, item, context)
        }
        _ => None,
    };
    let Some(term) = term else {
        return text_of(item, "target_id");
    };
    let uri = match terms {
        TermNotation::Uris => context.uri_of_term(&term),
        _ => None,
    };
    uri.unwrap_or_else(|| format!("{}:{}", term.bundle, term.label))
}
