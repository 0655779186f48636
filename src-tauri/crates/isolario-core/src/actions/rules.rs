//! Rules that hold for a whole resource, and the words for those who break them.

use super::Refusal;
use isolario_db::Read;
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::{Bundle, Entity, EntityKind, FieldDefinition, Item, field_roles};
use isolario_model::fields::{ReferenceLookup, Violation, ViolationCode, check_items, field_type};

/// Every rule that a resource's values break: base fields in their order, then fields by name.
pub fn check_all(
    bundle: &Bundle,
    entity: &Entity,
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    base_fields(bundle.kind)
        .iter()
        .filter(|definition| !definition.computed)
        .chain(bundle.fields_by_name())
        .flat_map(|definition| {
            check_field(
                bundle,
                definition,
                entity.items(&definition.name),
                references,
            )
        })
        .collect()
}

/// Every rule that the values of one field of a resource break.
pub fn check_field(
    bundle: &Bundle,
    definition: &FieldDefinition,
    items: &[Item],
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    if bundle.kind != EntityKind::Term || definition.name != "parent" {
        return check_items(definition, items, references);
    }
    let of_the_same_vocabulary = FieldDefinition {
        target_bundles: vec![bundle.id.clone()],
        ..definition.clone()
    };
    check_items(&of_the_same_vocabulary, items, references)
}

/// Nothing, or the refusal that lists the violations.
///
/// # Errors
/// `InvalidFields` when there are violations.
pub fn refuse(violations: Vec<Violation>) -> Result<(), Refusal> {
    if violations.is_empty() {
        Ok(())
    } else {
        Err(Refusal::InvalidFields(violations))
    }
}

/// Items a new resource gets in a field nobody sends.
pub fn default_items(definition: &FieldDefinition) -> Vec<Item> {
    let kind = field_type(&definition.field_type);
    let coerced = definition.default_items.iter().map(|item| {
        let properties = kind.properties().iter();
        properties
            .filter_map(|property| {
                let value = item.get(property.name)?;
                Some((property.name.to_owned(), property.shape.coerce(value)))
            })
            .collect()
    });
    coerced.collect()
}

/// A node may not stand above itself.
///
/// # Errors
/// `InvalidFields`, naming the parent that would close the circle.
pub fn refuse_circle(read: &Read<'_>, node: &Entity) -> Result<(), Refusal> {
    let member_of = &field_roles().member_of;
    for (delta, parent) in node.references(member_of).into_iter().enumerate() {
        if read.is_self_or_ancestor(parent, node.id)? {
            let violation = Violation::at(
                "target_id",
                ViolationCode::CircularReference,
                "An item cannot be a member of itself or of one of its own members.",
            );
            return Err(violation.in_field(member_of, delta).into());
        }
    }
    Ok(())
}
