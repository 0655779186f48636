//! Schemas of the interface's resources (interface, Resources and their fields).

use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::values::schemas;
use isolario_model::content::EntityKind;
use isolario_model::content::base_fields::base_fields;

schemas! {
    /// One value of a field.
    FieldItem => read(item());
    /// A JSON-LD document.
    JsonLd => read(json_ld());
    /// A node.
    Node => resource(EntityKind::Node, "A node.");
    /// A media.
    MediaResource => resource(EntityKind::Media, "A media.");
    /// A term.
    TermResource => resource(EntityKind::Term, "A taxonomy term.");
    /// The record of a file.
    FileResource => listed("The record of a file.", &FILE_FIELDS);
    /// A user.
    UserResource => listed("A user.", &USER_FIELDS);
    /// A bearer token.
    Token => read(object("A bearer token.", &[("token", json!({ "type": "string" }))]));
    /// The keys that verify bearer tokens.
    KeySet => read(key_set());
    /// A part of the content model.
    Configuration => read(json!({
        "type": "object",
        "description": "A bundle, its form, or a field, as the configuration of the reference.",
        "additionalProperties": true
    }));
    /// An address of a resource beside its own.
    PathAliasResource => listed("An address of a node, media or term beside its own.", &ALIAS_FIELDS);
    /// An address that leads elsewhere.
    RedirectResource => listed("An address that leads elsewhere.", &REDIRECT_FIELDS);
    /// What somebody signs in with.
    Credentials => read(credentials());
    /// A session that has begun.
    LoggedIn => read(logged_in());
}

const FILE_FIELDS: [&str; 11] = [
    "fid", "uuid", "langcode", "uid", "filename", "uri", "filemime", "filesize", "status",
    "created", "changed",
];
const ALIAS_FIELDS: [&str; 5] = ["id", "langcode", "path", "alias", "status"];
const REDIRECT_FIELDS: [&str; 7] = [
    "rid",
    "type",
    "uid",
    "redirect_source",
    "redirect_redirect",
    "status_code",
    "language",
];
const USER_FIELDS: [&str; 3] = ["uid", "uuid", "name"];

fn read(schema: Value) -> RefOr<Schema> {
    serde_json::from_value(schema).unwrap_or_else(|_| Schema::default().into())
}

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
fn resource(kind: EntityKind, description: &str) -> RefOr<Schema> {
    let names: Vec<&str> = base_fields(kind)
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    listed(description, &names)
}

fn listed(description: &str, names: &[&str]) -> RefOr<Schema> {
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|&name| (name.to_owned(), items()))
        .collect();
    read(json!({
        "type": "object",
        "description": format!("{description} Every field is an array of items, empty where it has no value."),
        "properties": properties,
        "additionalProperties": items()
    }))
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
    json!({
        "type": "object",
        "description": "A name and a password, and the code of the second factor where the account has one.",
        "properties": {
            "name": { "type": "string" },
            "pass": { "type": "string" },
            "code": {
                "type": "string",
                "description": "The present code of the second factor. It lets in once."
            },
            "keep": {
                "type": "boolean",
                "default": true,
                "description": "False: the session ends with the browser."
            }
        },
        "required": ["name", "pass"]
    })
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
