//! Replaces a term by another one.

use serde_json::Value;

use super::{ItemEffect, StayReason, definition, includes};
use crate::content::{Bundle, Entity, EntityKind, FieldDefinition, Item};
use crate::fields::{InputError, ReferenceLookup};

/// Whether the values of a field are terms.
pub(super) fn is_of_terms(field: &FieldDefinition) -> bool {
    !field.computed && field.target_kind() == Some(EntityKind::Term)
}

/// What becomes of an item when the first term is replaced by the second.
pub(super) fn effect<'m>(
    bundle: &'m Bundle,
    item: &Entity,
    names: Option<&[String]>,
    (find, by): (i64, i64),
    references: &dyn ReferenceLookup,
) -> Result<ItemEffect<'m>, InputError> {
    let target = references.target(EntityKind::Term, by);
    let target = target.ok_or_else(|| InputError::Message(format!("There is no term {by}.")))?;
    let takes = |field: &FieldDefinition| {
        let allowed = &field.target_bundles;
        is_of_terms(field) && (allowed.is_empty() || allowed.contains(&target.bundle))
    };
    let fields: Vec<&FieldDefinition> = match names {
        Some(names) => {
            let named = names.iter();
            named.filter_map(|name| definition(bundle, name)).collect()
        }
        None => bundle.fields.iter().filter(|field| takes(field)).collect(),
    };
    if fields.is_empty() {
        return Ok(ItemEffect::Stays(StayReason::NoField));
    }
    let changes = fields.into_iter().filter_map(|field| {
        let after = replaced(field, item.items(&field.name), find, by)?;
        Some((field, after))
    });
    let changes: Vec<_> = changes.collect();
    Ok(match changes.is_empty() {
        true => ItemEffect::Stays(StayReason::Lacks),
        false => ItemEffect::Changes(changes),
    })
}

/// The values of a field with the other term, each once; `None` where it lacks the first.
fn replaced(field: &FieldDefinition, before: &[Item], find: i64, by: i64) -> Option<Vec<Item>> {
    let names = |item: &Item| item.get("target_id").and_then(Value::as_i64) == Some(find);
    let mut after: Vec<Item> = Vec::with_capacity(before.len());
    for item in before {
        if !names(item) {
            after.push(item.clone());
            continue;
        }
        let mut changed = item.clone();
        changed.insert("target_id".into(), by.into());
        // A relator stays, so two values are the same only with the same one.
        if !includes(field, &after, &changed) && !includes(field, before, &changed) {
            after.push(changed);
        }
    }
    before.iter().any(names).then_some(after)
}
