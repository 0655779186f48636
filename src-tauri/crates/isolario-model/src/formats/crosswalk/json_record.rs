//! Records in JSON-LD: what rules write is put together in one object. A member that is written again has a list.

use serde_json::{Map, Value};

use super::{RecordFormat, RecordPart};

/// A record as a document.
pub(super) fn write(format: &RecordFormat, all: &[RecordPart<'_>]) -> String {
    let mut record = Map::new();
    if let Some(context) = &format.context {
        record.insert("@context".into(), context.clone().into());
    }
    for written in all {
        match written.into {
            Some(name) => add(&mut record, name, &written.value),
            None => {
                for (name, value) in written.value.as_object().into_iter().flatten() {
                    add(&mut record, name, value);
                }
            }
        }
    }
    let mut text = serde_json::to_string_pretty(&record).unwrap_or_default();
    text.push('\n');
    text
}

fn add(record: &mut Map<String, Value>, name: &str, value: &Value) {
    match record.get_mut(name) {
        None => {
            record.insert(name.to_owned(), value.clone());
        }
        Some(known) if known == value => {}
        Some(Value::Array(values)) if values.contains(value) => {}
        Some(Value::Array(values)) => values.push(value.clone()),
        Some(known) => *known = Value::Array(vec![known.take(), value.clone()]),
    }
}
