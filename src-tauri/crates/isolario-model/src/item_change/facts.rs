//! Fills empty fields with what the original file says about itself.

use serde_json::{Map, Value};

use super::{ItemEffect, StayReason, definition};
use crate::content::file_name::title;
use crate::content::{Bundle, Entity, FieldDefinition, Item, field_roles};
use crate::fields::{InputError, ReferenceLookup, read_items};

/// What the original file of an item says about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct OriginalFacts {
    pub filename: String,
    /// The values that are offered for fields, by the names of docs/DERIVATIVES.md.
    pub offered: Map<String, Value>,
}

impl OriginalFacts {
    /// The offered facts with the fields that take them.
    fn offers<'m>(&self, bundle: &'m Bundle) -> Vec<(&'m FieldDefinition, Value)> {
        let roles = field_roles();
        let takers = [
            ("title", bundle.kind.label_field()),
            ("date", &roles.date_created),
            ("description", &roles.description),
            ("rights", &roles.rights),
            ("coordinates", &roles.coordinates),
        ];
        let offers = takers.into_iter().filter_map(|(fact, field)| {
            let value = value_of(self.offered.get(fact)?)?;
            Some((definition(bundle, field)?, value))
        });
        offers.collect()
    }

    /// A title that is the name of the file counts as none.
    fn leaves_empty(&self, field: &FieldDefinition, bundle: &Bundle, items: &[Item]) -> bool {
        if field.name != bundle.kind.label_field() {
            return items.is_empty();
        }
        let text = items.first().and_then(|item| item.get("value")?.as_str());
        let text = text.unwrap_or_default().trim();
        text.is_empty() || text == self.filename || text == title(&self.filename)
    }
}

fn value_of(fact: &Value) -> Option<Value> {
    let words = fact.as_str().map(str::trim).filter(|text| !text.is_empty());
    if let Some(words) = words {
        return Some(serde_json::json!([{ "value": words }]));
    }
    let [latitude, longitude] = ["latitude", "longitude"].map(|name| fact.get(name)?.as_f64());
    Some(serde_json::json!([{ "lat": latitude?, "lng": longitude? }]))
}

pub(super) fn effect<'m>(
    bundle: &'m Bundle,
    item: &Entity,
    facts: Option<&OriginalFacts>,
    references: &dyn ReferenceLookup,
) -> Result<ItemEffect<'m>, InputError> {
    let Some(facts) = facts else {
        return Ok(ItemEffect::Stays(StayReason::NoFacts));
    };
    let offers = facts.offers(bundle);
    if offers.is_empty() {
        return Ok(ItemEffect::Stays(StayReason::NoFacts));
    }
    let mut changes = Vec::new();
    for (field, value) in offers {
        let before = item.items(&field.name);
        if !facts.leaves_empty(field, bundle, before) {
            continue;
        }
        let after = read_items(field, &value, references)?;
        if !super::are_same(field, before, &after) {
            changes.push((field, after));
        }
    }
    Ok(match changes.is_empty() {
        true => ItemEffect::Stays(StayReason::Filled),
        false => ItemEffect::Changes(changes),
    })
}
