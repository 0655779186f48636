//! Reading a field's values from a request body, and checking them.

use serde_json::Value;

use super::violation::{MISSING, WRONG_SHAPE};
use super::{FieldType, Lookups, Violation, field_type};
use crate::content::{FieldDefinition, Item};

/// Reads the values sent for a field, without asking whether they keep the rules. A plain item or
/// value is accepted where an array of items is customary, as the reference does.
///
/// # Errors
/// The complete message where the value cannot be read as field values at all.
pub fn read_items(
    definition: &FieldDefinition,
    sent: &Value,
    known: &dyn Lookups,
) -> Result<Vec<Item>, String> {
    let kind = field_type(&definition.field_type);
    let mut items = Vec::new();
    for value in as_array(definition, sent)? {
        let item = kind.accept(definition, properties(kind, definition, value)?, known)?;
        if !kind.is_empty(&item) {
            items.push(item);
        }
    }
    Ok(items)
}

fn as_array<'v>(definition: &FieldDefinition, sent: &'v Value) -> Result<Vec<&'v Value>, String> {
    match sent {
        Value::Null => Ok(Vec::new()),
        Value::Array(values) => Ok(values.iter().collect()),
        Value::Object(_) => Ok(vec![sent]),
        _ => Err(format!(
            "Field values for \"{}\" must use an array structure",
            definition.name
        )),
    }
}

fn properties(
    kind: &dyn FieldType,
    definition: &FieldDefinition,
    value: &Value,
) -> Result<Item, String> {
    match value {
        Value::Object(sent) => {
            let mut item = Item::new();
            for property in kind.properties() {
                if let Some(value) = sent.get(property.name) {
                    item.insert(property.name.into(), property.shape.coerce(value));
                }
            }
            if let Some(uuid) = sent.get("target_uuid").filter(|uuid| uuid.is_string()) {
                item.insert("target_uuid".into(), uuid.clone());
            }
            Ok(item)
        }
        Value::Null => Ok(Item::new()),
        Value::Array(_) => Err(super::message_of(&[
            Violation::at("", WRONG_SHAPE).in_field(&definition.name, 0)
        ])),
        scalar => {
            let main = kind.properties()[0];
            Ok(Item::from_iter([(
                main.name.to_owned(),
                main.shape.coerce(scalar),
            )]))
        }
    }
}

/// The rules that a field's items break, in the order of the reference.
pub fn check_items(
    definition: &FieldDefinition,
    items: &[Item],
    known: &dyn Lookups,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    if definition.required && items.is_empty() {
        violations.push(Violation::at(&definition.name, MISSING));
    }
    if definition.limit().is_some_and(|limit| items.len() > limit) {
        violations.push(Violation::at(
            &definition.name,
            format!(
                "{}: this field cannot hold more than {} values.",
                definition.label,
                definition.limit().unwrap_or(1)
            ),
        ));
    }
    for (delta, item) in items.iter().enumerate() {
        let found = check_item(definition, item, known);
        violations.extend(
            found
                .into_iter()
                .map(|violation| violation.in_field(&definition.name, delta)),
        );
    }
    violations
}

fn check_item(definition: &FieldDefinition, item: &Item, known: &dyn Lookups) -> Vec<Violation> {
    let kind = field_type(&definition.field_type);
    let mut violations = kind.check(definition, item, known);
    for property in kind.properties() {
        let fits = item
            .get(property.name)
            .is_none_or(|value| property.shape.fits(value));
        if !fits {
            violations.push(Violation::at(property.name, WRONG_SHAPE));
        }
    }
    violations
}
