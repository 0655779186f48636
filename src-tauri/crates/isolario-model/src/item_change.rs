//! A change of many items, and what it makes of the values of each.

mod acts;
mod description;
mod facts;
mod replacement;
mod term;
mod text;

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::content::base_fields::base_field;
use crate::content::entity::reference_item;
use crate::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, Item, field_roles,
};
use crate::fields::{InputError, ReferenceLookup, read_items, same_item};

pub use acts::{ItemChange, ItemWeight, TextMatch};
pub use facts::OriginalFacts;
use text::TextReplacement;

/// Types of fields of which no values are set in many items at once.
const NOT_FOR_MANY: [&str; 5] = ["file", "image", "media_track", "comment", "bundle"];

/// Values that a change names, and fields.
const MOST_NAMED: usize = 500;

/// Why a change leaves an item as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StayReason {
    Has,
    Lacks,
    Same,
    Filled,
    Full,
    NoField,
    NoFacts,
    NoPicture,
}

impl StayReason {
    /// Every reason, by name.
    pub const ALL: [(&str, StayReason); 8] = [
        ("has", StayReason::Has),
        ("lacks", StayReason::Lacks),
        ("same", StayReason::Same),
        ("filled", StayReason::Filled),
        ("full", StayReason::Full),
        ("no_field", StayReason::NoField),
        ("no_facts", StayReason::NoFacts),
        ("no_picture", StayReason::NoPicture),
    ];

    /// The name in answers.
    pub fn name(self) -> &'static str {
        let mut all = StayReason::ALL.iter();
        all.find(|(_, reason)| *reason == self)
            .map_or("same", |(name, _)| name)
    }
}

/// What a change makes of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemEffect<'m> {
    /// The fields that get other values.
    Changes(Vec<(&'m FieldDefinition, Vec<Item>)>),
    Stays(StayReason),
}

/// A change that was found to make sense.
#[derive(Debug, Clone)]
pub struct PreparedChange {
    change: ItemChange,
    replacement: Option<TextReplacement>,
    /// Weights by node id.
    weights: HashMap<i64, i64>,
}

impl PreparedChange {
    /// Prepares a change of the values of many items.
    ///
    /// # Errors
    /// In words, where it makes no sense for any item.
    pub fn new(change: ItemChange, model: &ContentModel) -> Result<PreparedChange, String> {
        if change.names() > MOST_NAMED {
            return Err(format!(
                "The change names more than {MOST_NAMED} values or fields."
            ));
        }
        let (mut replacement, mut weights) = (None, HashMap::new());
        let no_values = || "The change names no values.".to_owned();
        match &change {
            ItemChange::ReplaceText {
                fields,
                find,
                by,
                matching,
                match_case,
            } => {
                for name in fields.iter().flatten() {
                    known_field(model, name, |field| {
                        text::is_text(field) || text::is_text_by_name(field)
                    })?;
                }
                replacement = Some(TextReplacement::new(find, by, *matching, *match_case)?);
            }
            ItemChange::ReplaceTerm { fields, find, by } => {
                for name in fields.iter().flatten() {
                    known_field(model, name, term::is_of_terms)?;
                }
                if find == by {
                    return Err("A term is replaced by another one.".into());
                }
            }
            ItemChange::Add { field, values } | ItemChange::Remove { field, values } => {
                known_field(model, field, is_for_many)?;
                if values.is_empty() {
                    return Err(no_values());
                }
            }
            ItemChange::Set { field, .. } | ItemChange::Replace { field, .. } => {
                known_field(model, field, is_for_many)?;
            }
            ItemChange::Describe { values, .. } if values.is_empty() => return Err(no_values()),
            ItemChange::Describe { values, .. } => {
                for name in values.keys() {
                    known_field(model, name, is_for_many)?;
                }
            }
            ItemChange::Order { weights: named } => {
                weights.extend(named.iter().map(|one| (one.nid, one.weight)));
            }
            ItemChange::Move { .. }
            | ItemChange::TakeFacts {}
            | ItemChange::Rotate { .. }
            | ItemChange::Duplicate { .. }
            | ItemChange::Delete { .. }
            | ItemChange::Restore {}
            | ItemChange::Purge {} => {}
        }
        Ok(PreparedChange {
            change,
            replacement,
            weights,
        })
    }

    /// Whether the effect depends on the facts of the original file.
    pub fn needs_facts(&self) -> bool {
        matches!(self.change, ItemChange::TakeFacts {})
    }

    /// What the change makes of an item.
    ///
    /// # Errors
    /// Where its values cannot be those of the field.
    pub fn effect<'m>(
        &self,
        bundle: &'m Bundle,
        item: &Entity,
        facts: Option<&OriginalFacts>,
        references: &dyn ReferenceLookup,
    ) -> Result<ItemEffect<'m>, InputError> {
        let read = |field: &FieldDefinition, values: &[Value]| {
            read_items(field, &Value::Array(values.to_vec()), references)
        };
        let in_field =
            |name: &str, change: &FieldChange<'_>| -> Result<ItemEffect<'m>, InputError> {
                let Some(field) = definition(bundle, name) else {
                    return Ok(ItemEffect::Stays(StayReason::NoField));
                };
                Ok(match change(field, item.items(name))? {
                    Ok(after) => ItemEffect::Changes(vec![(field, after)]),
                    Err(reason) => ItemEffect::Stays(reason),
                })
            };
        match &self.change {
            ItemChange::Add { field, values } => in_field(field, &|field, before| {
                Ok(added(field, before, read(field, values)?))
            }),
            ItemChange::Remove { field, values } => in_field(field, &|field, before| {
                Ok(without(field, before, &read(field, values)?))
            }),
            ItemChange::Set { field, values } => in_field(field, &|field, before| {
                Ok(set(field, before, read(field, values)?))
            }),
            ItemChange::Replace {
                field,
                find,
                values,
            } => in_field(field, &|field, before| {
                let found = read(field, std::slice::from_ref(find))?;
                Ok(replaced(field, before, &found, read(field, values)?))
            }),
            ItemChange::ReplaceText { fields, .. } => match &self.replacement {
                Some(replacement) => replacement.effect(bundle, item, fields.as_deref()),
                None => Ok(ItemEffect::Stays(StayReason::Lacks)),
            },
            ItemChange::ReplaceTerm { fields, find, by } => {
                let fields = fields.as_deref();
                term::effect(bundle, item, fields, (*find, *by), references)
            }
            ItemChange::Move { from, to, keep } => Ok(moved(bundle, item, *from, *to, *keep)),
            ItemChange::TakeFacts {} => facts::effect(bundle, item, facts, references),
            ItemChange::Describe { values, replace } => {
                description::effect(bundle, item, values, *replace, references)
            }
            ItemChange::Order { .. } => match self.weights.get(&item.id) {
                Some(weight) => in_field(&field_roles().weight, &|field, before| {
                    Ok(set(
                        field,
                        before,
                        read(field, &[json!({"value": weight})])?,
                    ))
                }),
                None => Ok(ItemEffect::Stays(StayReason::Lacks)),
            },
            // These change no values.
            ItemChange::Rotate { .. }
            | ItemChange::Duplicate { .. }
            | ItemChange::Delete { .. }
            | ItemChange::Restore {}
            | ItemChange::Purge {} => Ok(ItemEffect::Stays(StayReason::Same)),
        }
    }
}

/// The values of a field after a change, or why they stay.
type FieldChange<'c> =
    dyn Fn(&FieldDefinition, &[Item]) -> Result<Result<Vec<Item>, StayReason>, InputError> + 'c;

fn known_field(
    model: &ContentModel,
    name: &str,
    is_fit: impl Fn(&FieldDefinition) -> bool,
) -> Result<(), String> {
    let mut bundles = model.bundles_of(EntityKind::Node);
    match bundles.any(|bundle| definition(bundle, name).is_some_and(&is_fit)) {
        true => Ok(()),
        false => Err(format!("No item has a field {name} for such a change.")),
    }
}

fn is_for_many(field: &FieldDefinition) -> bool {
    !field.computed && !NOT_FOR_MANY.contains(&field.field_type.as_str())
}

fn definition<'m>(bundle: &'m Bundle, name: &str) -> Option<&'m FieldDefinition> {
    base_field(bundle.kind, name).or_else(|| bundle.field(name))
}

fn includes(field: &FieldDefinition, items: &[Item], item: &Item) -> bool {
    items.iter().any(|other| same_item(field, other, item))
}

fn are_same(field: &FieldDefinition, a: &[Item], b: &[Item]) -> bool {
    let mut pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.all(|(a, b)| same_item(field, a, b))
}

fn added(
    field: &FieldDefinition,
    before: &[Item],
    values: Vec<Item>,
) -> Result<Vec<Item>, StayReason> {
    let mut after = before.to_vec();
    for value in values {
        if !includes(field, &after, &value) {
            after.push(value);
        }
    }
    match field.limit() {
        _ if after.len() == before.len() => Err(StayReason::Has),
        Some(1) if !before.is_empty() => Err(StayReason::Filled),
        Some(limit) if after.len() > limit => Err(StayReason::Full),
        _ => Ok(after),
    }
}

fn set(
    field: &FieldDefinition,
    before: &[Item],
    values: Vec<Item>,
) -> Result<Vec<Item>, StayReason> {
    match are_same(field, before, &values) {
        true => Err(StayReason::Same),
        false => Ok(values),
    }
}

fn without(
    field: &FieldDefinition,
    before: &[Item],
    values: &[Item],
) -> Result<Vec<Item>, StayReason> {
    let kept = before.iter().filter(|item| !includes(field, values, item));
    let after: Vec<Item> = kept.cloned().collect();
    if after.len() == before.len() {
        return Err(StayReason::Lacks);
    }
    Ok(after)
}

fn replaced(
    field: &FieldDefinition,
    before: &[Item],
    found: &[Item],
    values: Vec<Item>,
) -> Result<Vec<Item>, StayReason> {
    let at = before.iter().position(|item| includes(field, found, item));
    let mut after = before.to_vec();
    let at = at.ok_or(StayReason::Lacks)?;
    after.remove(at);
    let fresh = values
        .into_iter()
        .filter(|value| !includes(field, &after, value))
        .collect::<Vec<_>>();
    after.splice(at..at, fresh);
    if are_same(field, before, &after) {
        return Err(StayReason::Same);
    }
    Ok(after)
}

/// The new parent takes the place of the one that is left, so that the first stays the first.
fn moved<'m>(
    bundle: &'m Bundle,
    item: &Entity,
    from: Option<i64>,
    to: Option<i64>,
    keep: bool,
) -> ItemEffect<'m> {
    let name = &field_roles().member_of;
    let Some(field) = definition(bundle, name) else {
        return ItemEffect::Stays(StayReason::NoField);
    };
    let before = item.references(name);
    let leaves = |parent: &i64| !keep && from.is_none_or(|from| from == *parent);
    let place = before.iter().position(|parent| Some(*parent) == from);
    let stay = before.iter().copied().filter(|parent| !leaves(parent));
    let mut after: Vec<i64> = stay.collect();
    if let Some(to) = to.filter(|to| !after.contains(to)) {
        let place = if keep {
            after.len()
        } else {
            place.unwrap_or(0)
        };
        after.insert(place.min(after.len()), to);
    }
    if after == before {
        return ItemEffect::Stays(StayReason::Same);
    }
    ItemEffect::Changes(vec![(
        field,
        after.into_iter().map(reference_item).collect(),
    )])
}

#[cfg(test)]
mod tests;
