//! Reads a request body into a bundle, fields and values.

use serde_json::{Map, Value};

use super::Refusal;
use isolario_model::content::base_fields::base_field;
use isolario_model::content::{Bundle, ContentModel, EntityKind, FieldDefinition, Item};
use isolario_model::fields::{ReferenceLookup, Violation, ViolationCode, read_items};

/// Values by field, in the order of the body.
pub type SentValues<'m> = Vec<(&'m FieldDefinition, Vec<Item>)>;

/// A body of at most so many bytes is read and validated on the thread that received it, a longer one on another
/// thread.
pub const SHORT_BODY: usize = 32 * 1024;

/// Reads a request body as a JSON object.
///
/// # Errors
/// `Malformed`, with the message of the reference.
pub fn parse_body(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
    if bytes.is_empty() {
        return Err(Refusal::Malformed("No entity content received.".into()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Refusal::Malformed("Malformed UTF-8 characters, possibly incorrectly encoded".into())
    })?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(Value::Array(items)) if items.is_empty() => Ok(Map::new()),
        Ok(_) => Err(Refusal::Malformed("The body must be a JSON object.".into())),
        Err(_) => Err(Refusal::Malformed("Syntax error".into())),
    }
}

/// The bundle a body names.
///
/// # Errors
/// `Invalid` when it names none or an unknown one.
pub fn bundle_of<'m>(
    model: &'m ContentModel,
    kind: EntityKind,
    body: &Map<String, Value>,
) -> Result<&'m Bundle, Refusal> {
    let name = bundle_name(kind, body).ok_or_else(|| {
        Refusal::Invalid(format!(
            "Could not determine entity type bundle: \"{}\" field is missing.",
            kind.bundle_field()
        ))
    })?;
    let bundle = model.bundle(kind, &name).ok_or_else(|| {
        Refusal::Invalid(format!(
            "\"{name}\" is not a valid bundle type for denormalization."
        ))
    })?;
    Ok(bundle)
}

/// The keys of the bundle in a body. Media accept `type` beside `bundle`.
pub fn bundle_keys(kind: EntityKind) -> &'static [&'static str] {
    match kind {
        EntityKind::Node => &["type"],
        EntityKind::Media => &["bundle", "type"],
        _ => &["vid"],
    }
}

fn bundle_name(kind: EntityKind, body: &Map<String, Value>) -> Option<String> {
    let sent = bundle_keys(kind).iter().find_map(|key| body.get(*key))?;
    match sent {
        Value::String(name) => Some(name.clone()),
        Value::Array(items) => match items.first()? {
            Value::String(name) => Some(name.clone()),
            Value::Object(item) => item
                .get("target_id")
                .or_else(|| item.get("value"))?
                .as_str()
                .map(str::to_owned),
            _ => None,
        },
        _ => None,
    }
    .filter(|name| !name.is_empty())
}

/// Reads every field of a body except the bundle, which no request changes.
///
/// # Errors
/// `InvalidFields` for a field that the bundle does not have; that or `Invalid` for values of an impossible structure.
pub fn read_fields<'m>(
    bundle: &'m Bundle,
    body: &Map<String, Value>,
    references: &dyn ReferenceLookup,
) -> Result<SentValues<'m>, Refusal> {
    let mut sent = Vec::new();
    for (name, value) in body {
        if bundle_keys(bundle.kind).contains(&name.as_str()) {
            continue;
        }
        let definition = definition_of(bundle, name).ok_or_else(|| no_such_field(bundle, name))?;
        let items = read_items(definition, value, references)?;
        sent.push((definition, items));
    }
    Ok(sent)
}

/// The base or configured field of that name.
pub fn definition_of<'m>(bundle: &'m Bundle, name: &str) -> Option<&'m FieldDefinition> {
    base_field(bundle.kind, name).or_else(|| bundle.field(name))
}

/// The refusal of a field that the bundle does not have.
pub fn no_such_field(bundle: &Bundle, name: &str) -> Refusal {
    let message = format!("There is no field of this name on {}.", bundle.id);
    Violation::of_field(name, ViolationCode::UnknownField, message).into()
}
