//! The content model as the reference's configuration: bundles, their forms and their fields. Clients that load tables
//! learn from it which columns there may be. Only a form names the fields of its bundle.

use serde_json::{Map, Value, json};

use crate::content::{Bundle, ContentModel, EntityKind, FieldDefinition};

/// A node type, a media type or a vocabulary.
pub fn write_bundle(bundle: &Bundle) -> Value {
    let (id, label) = (&bundle.id, &bundle.label);
    let mut written = json!({
        "uuid": bundle.uuid, "langcode": "en", "status": true, "dependencies": {"config": [], "module": []},
    });
    let own = match bundle.kind {
        EntityKind::Node => json!({
            "name": label, "type": id, "description": null, "help": null, "new_revision": bundle.new_revision,
            "preview_mode": 1, "display_submitted": true,
        }),
        EntityKind::Media => json!({
            "id": id, "label": label, "description": null, "source": bundle.source, "queue_thumbnail_downloads": false,
            "new_revision": bundle.new_revision, "field_map": bundle.field_map,
            "source_configuration": {"source_field": bundle.source_field},
        }),
        _ => json!({
            "name": label, "vid": id, "description": null, "weight": 0, "new_revision": bundle.new_revision,
        }),
    };
    if let (Value::Object(written), Value::Object(own)) = (&mut written, own) {
        written.extend(own);
    }
    written
}

/// The form of a bundle. Its dependencies are its fields, in the order of the form.
pub fn write_form_display(bundle: &Bundle) -> Value {
    let kind = bundle.kind.target_type();
    let fields = bundle.fields.iter();
    let dependencies =
        fields.map(|field| format!("field.field.{kind}.{}.{}", bundle.id, field.name));
    let content: Map<String, Value> = bundle
        .fields
        .iter()
        .enumerate()
        .map(|(weight, field)| {
            let component =
                json!({"weight": weight, "region": "content", "settings": [], "third_party_settings": []});
            (field.name.clone(), component)
        })
        .collect();
    json!({
        "uuid": bundle.uuid,
        "langcode": "en",
        "status": true,
        "dependencies": {
            "config": dependencies.chain([dependency_on(bundle)]).collect::<Vec<_>>(),
            "module": [],
        },
        "id": format!("{kind}.{}.default", bundle.id),
        "targetEntityType": kind,
        "bundle": bundle.id,
        "mode": "default",
        "content": content,
        "hidden": [],
    })
}

/// A field of a bundle.
pub fn write_field(model: &ContentModel, bundle: &Bundle, field: &FieldDefinition) -> Value {
    let kind = bundle.kind.target_type();
    let mut dependencies = vec![
        format!("field.storage.{kind}.{}", field.name),
        dependency_on(bundle),
    ];
    let targets = field
        .target_kind()
        .into_iter()
        .flat_map(|target| targets(model, target, field));
    dependencies.extend(targets.map(dependency_on));
    json!({
        "langcode": "en",
        "status": true,
        "dependencies": {"config": dependencies, "module": []},
        "id": format!("{kind}.{}.{}", bundle.id, field.name),
        "field_name": field.name,
        "entity_type": kind,
        "bundle": bundle.id,
        "label": field.label,
        "description": "",
        "required": field.required,
        "translatable": field.translatable,
        "default_value": field.default_items,
        "default_value_callback": "",
        "settings": settings(model, field),
        "field_type": field.field_type,
    })
}

/// What all bundles of a kind share of a field.
pub fn write_field_storage(kind: EntityKind, field: &FieldDefinition) -> Value {
    let mut settings = Map::new();
    if let Some(length) = field.max_length {
        settings.insert("max_length".into(), length.into());
    }
    if let Some(target) = &field.target_type {
        settings.insert("target_type".into(), target.as_str().into());
    }
    if let Some(scheme) = &field.uri_scheme {
        settings.insert("uri_scheme".into(), scheme.as_str().into());
    }
    if !field.allowed_values.is_empty() {
        let values = field.allowed_values.iter();
        let values: Map<String, Value> = values
            .map(|allowed| (allowed.value.clone(), allowed.label.as_str().into()))
            .collect();
        settings.insert("allowed_values".into(), values.into());
    }
    json!({
        "langcode": "en",
        "status": true,
        "dependencies": {"config": [], "module": []},
        "id": format!("{}.{}", kind.target_type(), field.name),
        "field_name": field.name,
        "entity_type": kind.target_type(),
        "type": field.field_type,
        "settings": settings,
        "locked": false,
        "cardinality": if field.cardinality == 0 { 1 } else { field.cardinality },
        "translatable": true,
        "indexes": {},
        "persist_with_no_fields": false,
        "custom_storage": false,
    })
}

fn dependency_on(bundle: &Bundle) -> String {
    let kind = match bundle.kind {
        EntityKind::Node => "node.type",
        EntityKind::Media => "media.type",
        _ => "taxonomy.vocabulary",
    };
    format!("{kind}.{}", bundle.id)
}

/// The bundles that a reference may point at.
fn targets<'m>(
    model: &'m ContentModel,
    kind: EntityKind,
    field: &'m FieldDefinition,
) -> impl Iterator<Item = &'m Bundle> {
    let names = field.target_bundles.iter();
    names
        .filter_map(move |name| model.bundle(kind, name))
        .map(AsRef::as_ref)
}

fn settings(model: &ContentModel, field: &FieldDefinition) -> Map<String, Value> {
    let mut settings = Map::new();
    let mut add = |name: &str, value: Value| settings.insert(name.to_owned(), value);
    if let Some(target) = field.target_type.as_deref() {
        let names = field.target_bundles.iter();
        let bundles: Map<String, Value> = names
            .map(|name| (name.clone(), name.as_str().into()))
            .collect();
        add("handler", format!("default:{target}").into());
        let bundles = match bundles.is_empty() {
            true => Value::Null,
            false => bundles.into(),
        };
        add(
            "handler_settings",
            json!({"target_bundles": bundles, "auto_create": field.auto_create}),
        );
    }
    if field.field_type == "typed_relation" {
        add("rel_types", json!(model.relators));
    }
    if !field.authority_sources.is_empty() {
        add("authority_sources", json!(field.authority_sources));
    }
    if let Some(link_type) = field.link_type {
        add("link_type", link_type.into());
    }
    if let Some(least) = field.min {
        add("min", least.into());
    }
    if field.target_type.as_deref() == Some("file") {
        add("file_extensions", field.file_extensions.join(" ").into());
        add("file_directory", json!(field.file_directory));
        add("max_filesize", "".into());
        add("alt_field", field.alt_field.into());
        add("alt_field_required", field.alt_field_required.into());
        add("title_field", field.title_field.into());
    }
    settings
}
