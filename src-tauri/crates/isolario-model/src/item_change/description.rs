//! Gives values to several fields, as another item or a template has them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{ItemEffect, StayReason, are_same, definition};
use crate::content::{Bundle, Entity};
use crate::fields::{InputError, ReferenceLookup, read_items};

/// With `replace`, fields that have values get others, too.
pub(super) fn effect<'m>(
    bundle: &'m Bundle,
    item: &Entity,
    values: &BTreeMap<String, Vec<Value>>,
    replace: bool,
    references: &dyn ReferenceLookup,
) -> Result<ItemEffect<'m>, InputError> {
    let (mut changes, mut reason) = (Vec::new(), StayReason::NoField);
    for (name, values) in values {
        let Some(field) = definition(bundle, name) else {
            continue;
        };
        let before = item.items(name);
        if !replace && !before.is_empty() {
            reason = StayReason::Filled;
            continue;
        }
        let after = read_items(field, &Value::Array(values.clone()), references)?;
        if !are_same(field, before, &after) {
            changes.push((field, after));
        } else if reason == StayReason::NoField {
            reason = StayReason::Same;
        }
    }
    Ok(match changes.is_empty() {
        true => ItemEffect::Stays(reason),
        false => ItemEffect::Changes(changes),
    })
}
