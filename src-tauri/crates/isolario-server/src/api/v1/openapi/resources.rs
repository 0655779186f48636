//! Schemas of the interface's resources (interface, Resources and their fields).

use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use isolario_model::content::EntityKind;
use isolario_model::content::base_fields::base_fields;

/// The named schemas of the interface.
pub fn schemas() -> Vec<(String, RefOr<Schema>)> {
    let named = [
        ("FieldItem", item()),
        ("JsonLd", json_ld()),
        ("Node", resource(EntityKind::Node, "A node.")),
        ("MediaResource", resource(EntityKind::Media, "A media.")),
        (
            "TermResource",
            resource(EntityKind::Term, "A taxonomy term."),
        ),
        (
            "FileResource",
            listed("The record of a file.", &FILE_FIELDS),
        ),
        ("UserResource", listed("A user.", &USER_FIELDS)),
        (
            "Token",
            object("A bearer token.", &[("token", json!({ "type": "string" }))]),
        ),
        ("KeySet", key_set()),
        ("Credentials", credentials()),
        ("LoggedIn", logged_in()),
    ];
    named
        .into_iter()
        .filter_map(|(name, schema)| Some((name.to_owned(), read(schema)?)))
        .collect()
}

const FILE_FIELDS: [&str; 11] = [
    "fid", "uuid", "langcode", "uid", "filename", "uri", "filemime", "filesize", "status",
    "created", "changed",
];
const USER_FIELDS: [&str; 3] = ["uid", "uuid", "name"];

fn read(schema: Value) -> Option<RefOr<Schema>> {
    serde_json::from_value(schema).ok()
}

/// One value of a field.
fn item() -> Value {
    json!({
        "type": "object",
        "description": "One value of a field: `value` for plain fields, `target_id` and `target_type` for references, others by field type.",
        "additionalProperties": true
    })
}

fn json_ld() -> Value {
    json!({
        "type": "object",
        "description": "A JSON-LD 1.1 document.",
        "properties": { "@graph": { "type": "array", "items": { "type": "object" } } },
        "additionalProperties": true
    })
}

fn items() -> Value {
    json!({ "type": "array", "items": { "$ref": "#/components/schemas/FieldItem" } })
}

/// Base fields by name; the fields of the content model, which differ by bundle, have the same shape.
fn resource(kind: EntityKind, description: &str) -> Value {
    let names: Vec<&str> = base_fields(kind)
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    listed(description, &names)
}

fn listed(description: &str, names: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|&name| (name.to_owned(), items()))
        .collect();
    json!({
        "type": "object",
        "description": format!("{description} Every field is an array of items, empty where it has no value."),
        "properties": properties,
        "additionalProperties": items()
    })
}

fn object(description: &str, properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> = properties
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({ "type": "object", "description": description, "properties": properties, "required": required })
}

fn key_set() -> Value {
    let text = json!({ "type": "string" });
    let members = ["kty", "use", "alg", "kid", "n", "e"].map(|name| (name, text.clone()));
    let key = object("A public RSA key.", &members);
    let keys = json!({ "type": "array", "items": key });
    object("A JSON Web Key Set.", &[("keys", keys)])
}

fn credentials() -> Value {
    let text = json!({ "type": "string" });
    object(
        "A name and a password.",
        &[("name", text.clone()), ("pass", text)],
    )
}

fn logged_in() -> Value {
    let text = json!({ "type": "string" });
    let user = json!({
        "type": "object",
        "properties": {
            "uid": { "type": "string" },
            "name": { "type": "string" },
            "roles": { "type": "array", "items": { "type": "string" } }
        },
        "required": ["uid", "name"]
    });
    object(
        "A session that has begun.",
        &[
            ("current_user", user),
            ("csrf_token", text.clone()),
            ("logout_token", text),
        ],
    )
}
