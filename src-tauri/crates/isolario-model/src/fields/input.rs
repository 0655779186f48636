//! Reading a field's values from a request body, and checking them.

use serde_json::Value;

use super::{FieldType, ReferenceLookup, Violation, ViolationCode, field_type};
use crate::content::{FieldDefinition, Item};

/// Why values cannot be read as those of a field.
#[derive(Debug, PartialEq, Eq)]
pub enum InputError {
    /// The complete message of the reference, which refuses this before it validates.
    Message(String),
    Violation(Violation),
}

impl From<String> for InputError {
    fn from(message: String) -> InputError {
        InputError::Message(message)
    }
}

/// Reads the values sent for a field, without asking whether they keep the rules. A plain item or
/// value is accepted where an array of items is customary, as the reference does.
///
/// # Errors
/// Where the value cannot be read as field values at all.
pub fn read_items(
    definition: &FieldDefinition,
    sent: &Value,
    references: &dyn ReferenceLookup,
) -> Result<Vec<Item>, InputError> {
    let kind = field_type(&definition.field_type);
    let mut items = Vec::new();
    for value in as_array(definition, sent)? {
        let item = kind.accept(definition, properties(kind, definition, value)?, references)?;
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
) -> Result<Item, InputError> {
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
        Value::Array(_) => Err(InputError::Violation(
            Violation::wrong_type("").in_field(&definition.name, 0),
        )),
        scalar => {
            let main = kind.properties()[0];
            Ok(Item::from_iter([(
                main.name.to_owned(),
                main.shape.coerce(scalar),
            )]))
        }
    }
}

/// Whether two items of a field say the same.
pub fn same_item(definition: &FieldDefinition, kept: &Item, sent: &Item) -> bool {
    // What is written without a list of options is read with an empty one.
    let is_said = |value: &&Value| !value.as_array().is_some_and(Vec::is_empty);
    let of = |item: &Item, name: &str| {
        let said = item.get(name).filter(is_said);
        said.cloned().unwrap_or(Value::Null)
    };
    field_type(&definition.field_type)
        .properties()
        .iter()
        .all(|property| of(kept, property.name) == of(sent, property.name))
}

/// The rules that a field's items break, in the order of the reference.
pub fn check_items(
    definition: &FieldDefinition,
    items: &[Item],
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    if definition.required && items.is_empty() {
        violations.push(Violation {
            field: definition.name.clone(),
            ..Violation::required("")
        });
    }
    if definition.limit().is_some_and(|limit| items.len() > limit) {
        violations.push(Violation::of_field(
            &definition.name,
            ViolationCode::TooManyValues,
            format!(
                "{}: this field cannot hold more than {} values.",
                definition.label,
                definition.limit().unwrap_or(1)
            ),
        ));
    }
    for (delta, item) in items.iter().enumerate() {
        let found = check_item(definition, item, references);
        violations.extend(
            found
                .into_iter()
                .map(|violation| violation.in_field(&definition.name, delta)),
        );
    }
    violations
}

fn check_item(
    definition: &FieldDefinition,
    item: &Item,
    references: &dyn ReferenceLookup,
) -> Vec<Violation> {
    let kind = field_type(&definition.field_type);
    let mut violations = kind.check(definition, item, references);
    for property in kind.properties() {
        let Some(value) = item.get(property.name) else {
            continue;
        };
        if !property.shape.fits(value) {
            violations.push(Violation::wrong_type(property.name));
        } else if let Some(unfit) = property.shape.unfit_character(value) {
            let number = u32::from(unfit);
            let words = format!("This value may not hold the control character U+{number:04X}.");
            let code = ViolationCode::ControlCharacter;
            violations.push(Violation::at(property.name, code, words));
        }
    }
    violations
}
