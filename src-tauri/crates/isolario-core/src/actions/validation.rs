//! Validates whole resources, and makes refusals of what violates a rule.

use super::Refusal;
use isolario_db::Read;
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::entity::UNPUBLISH_ON;
use isolario_model::content::{Bundle, Entity, EntityKind, FieldDefinition, Item, field_roles};
use isolario_model::fields::{ReferenceLookup, Violation, ViolationCode, check_items, field_type};

/// The field with the terms above a term.
const PARENT: &str = "parent";

/// The violations in all values of a resource: of base fields in their order, then of fields by name.
pub fn validate_all(
    bundle: &Bundle,
    entity: &Entity,
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    base_fields(bundle.kind)
        .iter()
        .filter(|definition| !definition.computed)
        .chain(bundle.fields_by_name())
        .flat_map(|definition| {
            validate_field(
                bundle,
                definition,
                entity.items(&definition.name),
                references,
            )
        })
        .collect()
}

/// The violations in the values of one field of a resource.
pub fn validate_field(
    bundle: &Bundle,
    definition: &FieldDefinition,
    items: &[Item],
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    if bundle.kind != EntityKind::Term || definition.name != PARENT {
        return check_items(definition, items, references);
    }
    let of_the_same_vocabulary = FieldDefinition {
        target_bundles: vec![bundle.id.clone()],
        ..definition.clone()
    };
    check_items(&of_the_same_vocabulary, items, references)
}

/// The violation of an item that is to be unpublished before it is published.
pub fn validate_schedule(entity: &Entity) -> Option<Violation> {
    match entity.schedule() {
        (Some(publish), Some(unpublish)) if unpublish <= publish => Some(Violation::of_field(
            UNPUBLISH_ON,
            ViolationCode::OutOfRange,
            "Unpublish on: this time is not after the one of Publish on.",
        )),
        _ => None,
    }
}

/// The violation of an item that is published, and has something that only items on their way there have.
pub fn validate_review(entity: &Entity) -> Option<Violation> {
    let field = entity.review_field().filter(|_| entity.is_published())?;
    Some(Violation::of_field(
        field,
        ViolationCode::OutOfRange,
        "An item that is published has no moderation state, nobody assigned and no review note.",
    ))
}

/// Refuses violations, if there are any.
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

/// The items that a new resource gets in a field that the request does not name.
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

/// Refuses a node or term that is its own ancestor.
///
/// # Errors
/// `InvalidFields`, with the parent that closes the circle.
pub fn refuse_circle(read: &Read<'_>, entity: &Entity) -> Result<(), Refusal> {
    let (field, words) = match entity.kind {
        EntityKind::Node => (
            field_roles().member_of.as_str(),
            "An item cannot be a member of itself or of one of its own members.",
        ),
        EntityKind::Term => (
            PARENT,
            "A term cannot be below itself or below a term that is below it.",
        ),
        _ => return Ok(()),
    };
    for (delta, parent) in entity.references(field).into_iter().enumerate() {
        let is_circle = match entity.kind {
            EntityKind::Term => read.is_term_or_above(parent, entity.id)?,
            _ => read.is_self_or_ancestor(parent, entity.id)?,
        };
        if is_circle {
            let violation = Violation::at("target_id", ViolationCode::CircularReference, words);
            return Err(violation.in_field(field, delta).into());
        }
    }
    Ok(())
}
