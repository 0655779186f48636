//! The rows by which a resource is found, from the values of all its fields.

use super::field_type;
use crate::content::base_fields::base_fields;
use crate::content::entity::{MODERATION_STATE, PUBLISH_ON, UNPUBLISH_ON};
use crate::content::page_of::PAGE_OF;
use crate::content::{ContentModel, Entity, EntityKind, FieldDefinition, IndexRow, IndexValue};

/// The owner is a column of the resource's own row.
const OWNER: &str = "uid";

/// Every index row of a resource.
pub fn index_rows(model: &ContentModel, entity: &Entity) -> Vec<IndexRow> {
    let page = entity.page_of().map(|page| text(PAGE_OF, page.key()));
    // Other kinds have an index of their table.
    let node_type = (entity.kind == EntityKind::Node)
        .then(|| text(entity.kind.bundle_field(), entity.bundle.clone()));
    field_rows(model, entity)
        .chain(page)
        .chain(node_type)
        .collect()
}

fn text(field: &str, value: String) -> IndexRow {
    IndexRow {
        field: field.to_owned(),
        delta: 0,
        value: IndexValue::Text(value),
    }
}

/// The words of a value of a configured field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldWords<'m> {
    pub definition: &'m FieldDefinition,
    pub words: String,
}

/// The words in the values of a resource's configured fields. References have none of their own.
pub fn field_words<'m>(model: &'m ContentModel, entity: &Entity) -> Vec<FieldWords<'m>> {
    let bundle = model.bundle(entity.kind, &entity.bundle);
    let definitions = bundle.into_iter().flat_map(|bundle| &bundle.fields);
    let words = definitions.flat_map(|definition| {
        let kind = field_type(&definition.field_type);
        let items = entity.items(&definition.name).iter();
        items.filter_map(move |item| {
            let words = kind.words(definition, item)?;
            Some(FieldWords { definition, words })
        })
    });
    words.collect()
}

/// Of the base fields only references, the state of the review and the times of the schedule are looked up; lists sort and filter by configured
/// fields. Values of removed fields stay, so that they are right when the field comes back.
fn field_rows(model: &ContentModel, entity: &Entity) -> impl Iterator<Item = IndexRow> {
    let base = base_fields(entity.kind).iter();
    let base = base
        .filter(|field| !field.computed && field.name != OWNER)
        .flat_map(|field| rows_of(field, entity))
        .filter(|row| {
            matches!(row.value, IndexValue::Reference { .. })
                || [PUBLISH_ON, UNPUBLISH_ON, MODERATION_STATE].contains(&row.field.as_str())
        });
    let configured = model
        .bundle(entity.kind, &entity.bundle)
        .map(|bundle| bundle.fields.iter().chain(&bundle.removed_fields));
    let configured = configured.into_iter().flatten();
    base.chain(configured.flat_map(|field| rows_of(field, entity)))
}

fn rows_of(definition: &FieldDefinition, entity: &Entity) -> Vec<IndexRow> {
    let kind = field_type(&definition.field_type);
    let rows = entity.items(&definition.name).iter().enumerate();
    rows.filter_map(|(delta, item)| {
        Some(IndexRow {
            field: definition.name.clone(),
            delta,
            value: kind.index(definition, item)?,
        })
    })
    .collect()
}
