//! Fields that every resource of a kind has, in the order in which they are written and checked
//! (interface, Node and Media).

use std::sync::LazyLock;

use super::entity::{
    ALIASES, ASSIGNEE, DRAFT, IN_REVIEW, MODERATION_STATE, PUBLISH_ON, REVIEW_NOTE, UNPUBLISH_ON,
};
use super::{AllowedValue, EntityKind, FieldDefinition};

fn field(name: &str, label: &str, field_type: &str) -> FieldDefinition {
    FieldDefinition {
        name: name.into(),
        label: label.into(),
        field_type: field_type.into(),
        cardinality: 1,
        ..FieldDefinition::default()
    }
}

fn required(mut definition: FieldDefinition, max_length: usize) -> FieldDefinition {
    definition.required = true;
    definition.max_length = Some(max_length);
    definition
}

fn computed(mut definition: FieldDefinition) -> FieldDefinition {
    definition.computed = true;
    definition
}

fn aliases() -> FieldDefinition {
    FieldDefinition {
        cardinality: -1,
        ..field(ALIASES, "URL alias", "path")
    }
}

fn reference(name: &str, label: &str, target: EntityKind) -> FieldDefinition {
    FieldDefinition {
        target_type: Some(target.target_type().into()),
        ..field(name, label, "entity_reference")
    }
}

fn moderation_state() -> FieldDefinition {
    let state = |value: &str, label: &str| AllowedValue {
        value: value.into(),
        label: label.into(),
    };
    FieldDefinition {
        allowed_values: vec![state(DRAFT, "Draft"), state(IN_REVIEW, "In review")],
        ..field(MODERATION_STATE, "Moderation state", "list_string")
    }
}

fn node_fields() -> Vec<FieldDefinition> {
    vec![
        computed(field("nid", "ID", "integer")),
        computed(field("uuid", "UUID", "string")),
        computed(field("vid", "Revision ID", "integer")),
        field("langcode", "Language", "language"),
        computed(field("type", "Content type", "bundle")),
        computed(field(
            "revision_timestamp",
            "Revision create time",
            "timestamp",
        )),
        computed(reference("revision_uid", "Revision user", EntityKind::User)),
        field("revision_log", "Revision log message", "string_long"),
        field("status", "Published", "boolean"),
        required(field("title", "Title", "string"), 255),
        reference("uid", "Authored by", EntityKind::User),
        field("created", "Authored on", "timestamp"),
        computed(field("changed", "Changed", "timestamp")),
        field("promote", "Promoted to front page", "boolean"),
        field("sticky", "Sticky at top of lists", "boolean"),
        field(PUBLISH_ON, "Publish on", "timestamp"),
        field(UNPUBLISH_ON, "Unpublish on", "timestamp"),
        moderation_state(),
        reference(ASSIGNEE, "Assigned to", EntityKind::User),
        field(REVIEW_NOTE, "Review note", "string_long"),
        computed(field("default_langcode", "Default translation", "boolean")),
        computed(field(
            "revision_translation_affected",
            "Revision translation affected",
            "boolean",
        )),
        aliases(),
        computed(field(
            "content_translation_source",
            "Translation source",
            "string",
        )),
        computed(field(
            "content_translation_outdated",
            "Translation outdated",
            "boolean",
        )),
    ]
}

fn media_fields() -> Vec<FieldDefinition> {
    vec![
        computed(field("mid", "ID", "integer")),
        computed(field("uuid", "UUID", "string")),
        computed(field("vid", "Revision ID", "integer")),
        field("langcode", "Language", "language"),
        computed(field("bundle", "Media type", "bundle")),
        computed(field(
            "revision_created",
            "Revision create time",
            "timestamp",
        )),
        computed(reference(
            "revision_user",
            "Revision user",
            EntityKind::User,
        )),
        field(
            "revision_log_message",
            "Revision log message",
            "string_long",
        ),
        field("status", "Published", "boolean"),
        required(field("name", "Name", "string"), 255),
        computed(FieldDefinition {
            target_type: Some("file".into()),
            ..field("thumbnail", "Thumbnail", "image")
        }),
        reference("uid", "Authored by", EntityKind::User),
        field("created", "Authored on", "timestamp"),
        computed(field("changed", "Changed", "timestamp")),
        computed(field("default_langcode", "Default translation", "boolean")),
        computed(field(
            "revision_translation_affected",
            "Revision translation affected",
            "boolean",
        )),
        aliases(),
        computed(field(
            "content_translation_source",
            "Translation source",
            "string",
        )),
        computed(field(
            "content_translation_outdated",
            "Translation outdated",
            "boolean",
        )),
    ]
}

fn term_fields() -> Vec<FieldDefinition> {
    vec![
        computed(field("tid", "Term ID", "integer")),
        computed(field("uuid", "UUID", "string")),
        computed(field("revision_id", "Revision ID", "integer")),
        field("langcode", "Language", "language"),
        computed(field("vid", "Vocabulary", "bundle")),
        computed(field(
            "revision_created",
            "Revision create time",
            "timestamp",
        )),
        computed(reference(
            "revision_user",
            "Revision user",
            EntityKind::User,
        )),
        field(
            "revision_log_message",
            "Revision log message",
            "string_long",
        ),
        field("status", "Published", "boolean"),
        required(field("name", "Name", "string"), 255),
        field("description", "Description", "text_long"),
        field("weight", "Weight", "integer"),
        FieldDefinition {
            cardinality: -1,
            ..reference("parent", "Term Parents", EntityKind::Term)
        },
        computed(field("changed", "Changed", "timestamp")),
        computed(field("default_langcode", "Default translation", "boolean")),
        computed(field(
            "revision_translation_affected",
            "Revision translation affected",
            "boolean",
        )),
        aliases(),
        computed(field(
            "content_translation_source",
            "Translation source",
            "string",
        )),
        computed(field(
            "content_translation_outdated",
            "Translation outdated",
            "boolean",
        )),
        computed(reference(
            "content_translation_uid",
            "Translation author",
            EntityKind::User,
        )),
        computed(field(
            "content_translation_created",
            "Translation created",
            "timestamp",
        )),
    ]
}

static NODE: LazyLock<Vec<FieldDefinition>> = LazyLock::new(node_fields);
static MEDIA: LazyLock<Vec<FieldDefinition>> = LazyLock::new(media_fields);
static TERM: LazyLock<Vec<FieldDefinition>> = LazyLock::new(term_fields);

/// Base fields of nodes, media and terms. Files and users have no configured fields and are
/// written by their own formats.
pub fn base_fields(kind: EntityKind) -> &'static [FieldDefinition] {
    match kind {
        EntityKind::Node => &NODE,
        EntityKind::Media => &MEDIA,
        EntityKind::Term => &TERM,
        EntityKind::File | EntityKind::User => &[],
    }
}

/// A base field by name.
pub fn base_field(kind: EntityKind, name: &str) -> Option<&'static FieldDefinition> {
    base_fields(kind).iter().find(|field| field.name == name)
}
