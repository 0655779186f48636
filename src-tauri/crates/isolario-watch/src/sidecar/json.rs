//! `NAME.json`: an object of field names. A value is a text, a number, true or false, a list of such, or
//! what REST takes for the field.

use serde_json::Value;

use super::{Description, SidecarValue};

/// Reads one.
///
/// # Errors
/// A few words.
pub fn read(bytes: &[u8]) -> Result<Description, String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let Value::Object(fields) = value else {
        return Err("it is no JSON object".into());
    };
    let said = |value: Value| match value {
        Value::Array(values) => values.into_iter().filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    };
    Ok(fields
        .into_iter()
        .map(|(name, value)| (name, said(value)))
        .collect())
}

fn one(value: Value) -> Option<SidecarValue> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(SidecarValue::Text(text)),
        Value::Bool(_) | Value::Number(_) => Some(SidecarValue::Text(value.to_string())),
        Value::Object(_) | Value::Array(_) => Some(SidecarValue::Item(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_items_can_stand_side_by_side() {
        let read = read(br#"{"title": "A", "field_weight": 3, "field_subject": ["x", {"target_id": 7}], "b": null}"#);
        let read = read.unwrap();
        assert_eq!(read["title"], [SidecarValue::Text("A".into())]);
        assert_eq!(read["field_weight"], [SidecarValue::Text("3".into())]);
        let item = SidecarValue::Item(serde_json::json!({"target_id": 7}));
        assert_eq!(
            read["field_subject"],
            [SidecarValue::Text("x".into()), item]
        );
        assert!(read["b"].is_empty());
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for wrong in [&b"[1]"[..], b"{", b"\xff"] {
            assert!(super::read(wrong).is_err());
        }
    }
}
