//! Rules that hold for a whole resource, and the words for those who break them.

use super::Refusal;
use crate::content::base_fields::base_fields;
use crate::content::{Bundle, Entity, EntityKind, FieldDefinition, Item};
use crate::db::Read;
use crate::fields::{Lookups, Violation, check_items, field_type, message_of};

/// Every rule that a resource's values break: base fields in their order, then fields by name.
pub fn check_all(bundle: &Bundle, entity: &Entity, known: &dyn Lookups) -> Vec<Violation> {
    base_fields(bundle.kind)
        .iter()
        .filter(|definition| !definition.computed)
        .chain(bundle.fields_by_name())
        .flat_map(|definition| {
            check_field(bundle, definition, entity.items(&definition.name), known)
        })
        .collect()
}

/// Every rule that the values of one field of a resource break.
pub fn check_field(
    bundle: &Bundle,
    definition: &FieldDefinition,
    items: &[Item],
    known: &dyn Lookups,
) -> Vec<Violation> {
    if bundle.kind != EntityKind::Term || definition.name != "parent" {
        return check_items(definition, items, known);
    }
    let of_the_same_vocabulary = FieldDefinition {
        target_bundles: vec![bundle.id.clone()],
        ..definition.clone()
    };
    check_items(&of_the_same_vocabulary, items, known)
}

/// Nothing, or the refusal that lists the violations.
///
/// # Errors
/// `Invalid` when there are violations.
pub fn refuse(violations: Vec<Violation>) -> Result<(), Refusal> {
    if violations.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Invalid(message_of(&violations)))
    }
}

/// The refusal for one violation.
pub fn invalid(path: &str, text: &str) -> Refusal {
    Refusal::Invalid(message_of(&[Violation {
        path: path.to_owned(),
        text: text.to_owned(),
    }]))
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
/// `Invalid`, naming the value of `field_member_of` that would close the circle.
pub fn refuse_circle(read: &Read<'_>, node: &Entity) -> Result<(), Refusal> {
    for (delta, parent) in node.references("field_member_of").into_iter().enumerate() {
        if read.is_self_or_ancestor(parent, node.id)? {
            return Err(invalid(
                &format!("field_member_of.{delta}.target_id"),
                "An item cannot be a member of itself or of one of its own members.",
            ));
        }
    }
    Ok(())
}
