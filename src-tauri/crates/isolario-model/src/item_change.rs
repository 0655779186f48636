//! A change of many items, and what it makes of the values of each.

mod facts;
mod text;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::content::base_fields::base_field;
use crate::content::entity::reference_item;
use crate::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, Item, field_roles,
};
use crate::fields::{InputError, ReferenceLookup, read_items, same_item};

pub use facts::OriginalFacts;
use text::TextReplacement;

/// Types of fields of which no values are set in many items at once.
const NOT_FOR_MANY: [&str; 5] = ["file", "image", "media_track", "comment", "bundle"];

/// Values that a change names, and fields.
const MOST_NAMED: usize = 500;

/// What is done to each item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ItemChange {
    /// Adds the values that a field lacks. A field for one value gets it only when it is empty.
    Add {
        field: String,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Removes values from a field.
    Remove {
        field: String,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Replaces all values of a field. Without values it is cleared.
    Set {
        field: String,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Replaces one value of a field by others, at its place.
    Replace {
        field: String,
        #[schema(value_type = Object)]
        find: Value,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Replaces a part of texts, wherever it occurs. A text of which nothing is left is removed.
    ReplaceText {
        /// Names of fields of text. Without them: the title and every field of text.
        #[serde(default)]
        fields: Option<Vec<String>>,
        find: String,
        by: String,
        /// Whether upper and lower case matter.
        #[serde(default)]
        match_case: bool,
    },
    /// Moves items from one collection to another.
    Move {
        /// The collection that they leave; without it all that they are in.
        #[serde(default)]
        from: Option<i64>,
        /// The collection that they come to; without it none.
        #[serde(default)]
        to: Option<i64>,
        /// Whether they also stay where they are.
        #[serde(default)]
        keep: bool,
    },
    /// Fills empty fields with what the original file says about itself.
    TakeFacts {},
}

impl ItemChange {
    /// Every kind of change, by name.
    pub const ACTS: [&str; 7] = [
        "add",
        "remove",
        "set",
        "replace",
        "replace_text",
        "move",
        "take_facts",
    ];

    /// The name of the kind.
    pub fn act(&self) -> &'static str {
        let index = match self {
            ItemChange::Add { .. } => 0,
            ItemChange::Remove { .. } => 1,
            ItemChange::Set { .. } => 2,
            ItemChange::Replace { .. } => 3,
            ItemChange::ReplaceText { .. } => 4,
            ItemChange::Move { .. } => 5,
            ItemChange::TakeFacts {} => 6,
        };
        ItemChange::ACTS[index]
    }

    fn names(&self) -> usize {
        match self {
            ItemChange::Add { values, .. }
            | ItemChange::Remove { values, .. }
            | ItemChange::Set { values, .. }
            | ItemChange::Replace { values, .. } => values.len(),
            _ => self.fields().len(),
        }
    }

    /// The fields that the change names; none where it decides for each item.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            ItemChange::Add { field, .. }
            | ItemChange::Remove { field, .. }
            | ItemChange::Set { field, .. }
            | ItemChange::Replace { field, .. } => vec![field],
            ItemChange::ReplaceText { fields, .. } => {
                fields.iter().flatten().map(String::as_str).collect()
            }
            ItemChange::Move { .. } => vec![&field_roles().member_of],
            ItemChange::TakeFacts {} => Vec::new(),
        }
    }
}

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
}

impl StayReason {
    /// Every reason, by name.
    pub const ALL: [(&str, StayReason); 7] = [
        ("has", StayReason::Has),
        ("lacks", StayReason::Lacks),
        ("same", StayReason::Same),
        ("filled", StayReason::Filled),
        ("full", StayReason::Full),
        ("no_field", StayReason::NoField),
        ("no_facts", StayReason::NoFacts),
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
}

impl PreparedChange {
    /// Prepares a change for many items.
    ///
    /// # Errors
    /// In words, where it makes no sense for any item.
    pub fn new(change: ItemChange, model: &ContentModel) -> Result<PreparedChange, String> {
        if change.names() > MOST_NAMED {
            return Err(format!(
                "The change names more than {MOST_NAMED} values or fields."
            ));
        }
        let replacement = match &change {
            ItemChange::ReplaceText {
                fields,
                find,
                by,
                match_case,
            } => {
                for name in fields.iter().flatten() {
                    known_field(model, name, |field| {
                        text::is_text(field) || text::is_text_by_name(field)
                    })?;
                }
                Some(TextReplacement::new(find, by, *match_case)?)
            }
            ItemChange::Add { field, values } | ItemChange::Remove { field, values } => {
                known_field(model, field, is_for_many)?;
                if values.is_empty() {
                    return Err("The change names no values.".into());
                }
                None
            }
            ItemChange::Set { field, .. } | ItemChange::Replace { field, .. } => {
                known_field(model, field, is_for_many)?;
                None
            }
            ItemChange::Move { .. } | ItemChange::TakeFacts {} => None,
        };
        Ok(PreparedChange {
            change,
            replacement,
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
        let (name, values) = match &self.change {
            ItemChange::Add { field, values }
            | ItemChange::Remove { field, values }
            | ItemChange::Set { field, values }
            | ItemChange::Replace { field, values, .. } => (field.as_str(), values),
            ItemChange::ReplaceText { fields, .. } => {
                return match &self.replacement {
                    Some(replacement) => replacement.effect(bundle, item, fields.as_deref()),
                    None => Ok(ItemEffect::Stays(StayReason::Lacks)),
                };
            }
            ItemChange::Move { from, to, keep } => {
                return Ok(moved(bundle, item, *from, *to, *keep));
            }
            ItemChange::TakeFacts {} => return facts::effect(bundle, item, facts, references),
        };
        let Some(field) = definition(bundle, name) else {
            return Ok(ItemEffect::Stays(StayReason::NoField));
        };
        let (before, values) = (item.items(name), read(field, values)?);
        let after = match &self.change {
            ItemChange::Add { .. } => added(field, before, values),
            ItemChange::Remove { .. } => without(field, before, &values),
            ItemChange::Replace { find, .. } => {
                let found = read(field, std::slice::from_ref(find))?;
                replaced(field, before, &found, values)
            }
            _ if are_same(field, before, &values) => Err(StayReason::Same),
            _ => Ok(values),
        };
        Ok(match after {
            Ok(after) => ItemEffect::Changes(vec![(field, after)]),
            Err(reason) => ItemEffect::Stays(reason),
        })
    }
}

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
