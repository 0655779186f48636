//! The record of a file as JSON (interface, File). Linked data of it: `jsonld::write_file`.

use serde_json::{Value, json};

use crate::content::entity::value_item;
use crate::content::{EntityKind, FieldDefinition, FileRecord};
use crate::fields::{FieldContext, field_type};

/// A file as a client reads it. The address of its bytes is relative to the server.
pub fn write_file(record: &FileRecord, context: &dyn FieldContext) -> Value {
    json!({
        "fid": [{ "value": record.fid }],
        "uuid": [{ "value": record.uuid }],
        "langcode": [{ "value": "en" }],
        "uid": [owner(record.uid, context)],
        "filename": [{ "value": record.filename }],
        "uri": [{ "value": record.uri.to_string(), "url": context.file_path(&record.uri) }],
        "filemime": [{ "value": record.mime.as_str() }],
        "filesize": [{ "value": record.size }],
        "status": [{ "value": record.permanent }],
        "created": [time(record.created, context)],
        "changed": [time(record.changed, context)],
    })
}

fn owner(uid: i64, context: &dyn FieldContext) -> Value {
    let kind = EntityKind::User;
    match context.target(kind, uid) {
        Some(user) => json!({
            "target_id": uid,
            "target_type": kind.target_type(),
            "target_uuid": user.uuid,
            "url": kind.path(uid),
        }),
        None => json!({ "target_id": uid }),
    }
}

fn time(seconds: i64, context: &dyn FieldContext) -> Value {
    let item = value_item(seconds);
    let written = field_type("timestamp").write(&FieldDefinition::default(), &item, context);
    Value::Object(written.into_item())
}
