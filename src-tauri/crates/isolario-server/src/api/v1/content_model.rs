//! `/api/v1/content-model`: which things there can be, and the fields of their forms.

use std::collections::BTreeMap;

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::item_json::term;
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::Term;
use crate::api::ApiError;
use isolario_model::content::base_fields::base_field;
use isolario_model::content::entity::{PUBLISH_ON, UNPUBLISH_ON};
use isolario_model::content::roles::{BundleRoles, FieldRoles, FileKind};
use isolario_model::content::{Bundle, ContentModel, EntityKind, FieldDefinition, model_roles};

/// The content model of the repository.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContentModelAnswer {
    node_types: BTreeMap<String, BundleForm>,
    media_types: BTreeMap<String, MediaTypeForm>,
    vocabularies: BTreeMap<String, BundleForm>,
    /// Roles of linked agents: `relators:aut` → `Author`.
    relators: BTreeMap<String, String>,
    media_uses: Vec<Term>,
    models: Vec<Term>,
    /// Names of bundles that have a role in the program.
    bundle_roles: BundleRoles,
    /// Names of fields that have a role in the program.
    field_roles: FieldRoles,
    /// What files become, in the order in which media types are asked whether they take one.
    file_kinds: Vec<FileKind>,
}

/// A node type or a vocabulary.
#[derive(Debug, Serialize, ToSchema)]
pub struct BundleForm {
    label: String,
    /// In the order of the form.
    fields: Vec<Field>,
}

/// A media type.
#[derive(Debug, Serialize, ToSchema)]
pub struct MediaTypeForm {
    label: String,
    /// The field that holds the file, or the address, the media is about.
    source_field: Option<String>,
    /// Lower-case extensions that its files may have; empty where it keeps no file.
    file_extensions: Vec<String>,
    /// Its files may have any other extension, too, or none.
    any_extension: bool,
    /// In the order of the form.
    fields: Vec<Field>,
}

/// A field of a form.
#[derive(Debug, Serialize, ToSchema)]
pub struct Field {
    name: String,
    label: String,
    /// The label of one value, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    value_label: Option<String>,
    /// Name of the field type.
    #[serde(rename = "type")]
    field_type: String,
    required: bool,
    /// How many values it may hold; -1 for any number.
    cardinality: i64,
    /// Characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    /// Kind of the things it refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_type: Option<String>,
    /// Node types, media types or vocabularies it may refer to; any where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    target_bundles: Vec<String>,
    /// Terms may be made on the spot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    auto_create: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed_values: Vec<Choice>,
    /// Sources of authority links: id → name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    authority_sources: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    file_extensions: Vec<String>,
    /// The facet by which searches count and choose its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    facet: Option<String>,
    /// What people should enter.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The heading under which forms show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    /// Forms leave it out while it has no value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// The program fills it in from the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    derived: bool,
}

/// One choice of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Choice {
    value: String,
    label: String,
}

/// The content model
#[utoipa::path(get, path = "/api/v1/content-model", tag = "lists", responses((status = 200, body = ContentModelAnswer)))]
pub async fn content_model(context: RequestContext) -> Result<Json<ContentModelAnswer>, ApiError> {
    context.read(|snapshot| Ok(Json(answer(snapshot)?))).await
}

fn answer(snapshot: &ViewerSnapshot<'_>) -> Result<ContentModelAnswer, ApiError> {
    let model = snapshot.model();
    let terms = |vocabulary: &str| -> Result<Vec<Term>, ApiError> {
        let terms = snapshot
            .read
            .whole_vocabulary(vocabulary, &snapshot.viewer)?;
        Ok(terms.into_iter().map(term).collect())
    };
    let roles = model_roles();
    Ok(ContentModelAnswer {
        node_types: forms(model, EntityKind::Node),
        media_types: media_types(model),
        vocabularies: forms(model, EntityKind::Term),
        relators: model.relators.clone(),
        media_uses: terms(&roles.bundles.media_uses)?,
        models: terms(&roles.bundles.models)?,
        bundle_roles: roles.bundles.clone(),
        field_roles: roles.fields.clone(),
        file_kinds: roles.file_kinds.clone(),
    })
}

fn forms(model: &ContentModel, kind: EntityKind) -> BTreeMap<String, BundleForm> {
    let forms = model.bundles_of(kind).map(|bundle| {
        let form = BundleForm {
            label: bundle.label.clone(),
            fields: fields(bundle),
        };
        (bundle.id.clone(), form)
    });
    forms.collect()
}

fn media_types(model: &ContentModel) -> BTreeMap<String, MediaTypeForm> {
    let forms = model.bundles_of(EntityKind::Media).map(|bundle| {
        let file = bundle.file_field();
        let form = MediaTypeForm {
            label: bundle.label.clone(),
            source_field: bundle.source_field.clone(),
            file_extensions: file.map_or_else(Vec::new, |field| field.file_extensions.clone()),
            any_extension: file.is_some_and(|field| field.any_extension),
            fields: fields(bundle),
        };
        (bundle.id.clone(), form)
    });
    forms.collect()
}

/// Base fields that stand before and after the configured ones in a form.
fn base_field_names(kind: EntityKind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        EntityKind::Node => (&["title"], &["status", PUBLISH_ON, UNPUBLISH_ON]),
        EntityKind::Term => (&["name", "description"], &["parent", "weight", "status"]),
        _ => (&["name"], &["status"]),
    }
}

fn fields(bundle: &Bundle) -> Vec<Field> {
    let (before, after) = base_field_names(bundle.kind);
    let base = |names: &'static [&'static str]| {
        names
            .iter()
            .filter_map(|name| base_field(bundle.kind, name))
    };
    let all = base(before).chain(&bundle.fields).chain(base(after));
    all.map(|definition| field(bundle, definition)).collect()
}

fn field(bundle: &Bundle, definition: &FieldDefinition) -> Field {
    let choices = definition.allowed_values.iter().map(|choice| Choice {
        value: choice.value.clone(),
        label: choice.label.clone(),
    });
    Field {
        name: definition.name.clone(),
        label: definition.label.clone(),
        value_label: definition.value_label.clone(),
        field_type: definition.field_type.clone(),
        required: definition.required,
        cardinality: definition
            .limit()
            .map_or(-1, |limit| i64::try_from(limit).unwrap_or(-1)),
        max_length: definition.max_length,
        min: definition.min,
        target_type: definition.target_type.clone(),
        target_bundles: target_bundles(bundle, definition),
        auto_create: definition.auto_create,
        allowed_values: choices.collect(),
        authority_sources: definition.authority_sources.clone(),
        file_extensions: definition.file_extensions.clone(),
        facet: definition.facet.clone(),
        description: definition.description.clone(),
        group: definition.group.clone(),
        hidden: definition.hidden,
        derived: bundle
            .field_map
            .values()
            .any(|name| *name == definition.name),
    }
}

/// A term's parents are in its own vocabulary.
fn target_bundles(bundle: &Bundle, definition: &FieldDefinition) -> Vec<String> {
    if bundle.kind == EntityKind::Term && definition.name == "parent" {
        vec![bundle.id.clone()]
    } else {
        definition.target_bundles.clone()
    }
}
