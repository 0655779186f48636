//! What a changed content model changes.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use crate::content::{Bundle, ContentModel, EntityKind, FieldDefinition};

/// A change of the content model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelChange {
    BundleAdded,
    BundleRemoved,
    /// Its label, its description, or how RDF names it.
    BundleChanged,
    FieldAdded,
    /// Resources keep their values. They are no longer shown.
    FieldRemoved,
    /// A removed field is back, with its values.
    FieldReturned,
    /// Something that no value depends on, such as a label.
    FieldChanged,
    /// The order of the form.
    Order,
    NowRequired,
    FewerValues,
    FewerTargets,
    FewerChoices,
    Shorter,
}

/// A change, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelDifference<'m> {
    pub kind: EntityKind,
    pub bundle: &'m str,
    /// As it is now, or as it was where it was removed.
    pub field: Option<&'m FieldDefinition>,
    pub change: ModelChange,
}

/// What a changed model changes, in the order of its bundles; what it removes comes last.
pub fn differences<'m>(
    stored: &'m ContentModel,
    changed: &'m ContentModel,
) -> Vec<ModelDifference<'m>> {
    let mut all = Vec::new();
    for bundle in &changed.bundles {
        match stored.bundle(bundle.kind, &bundle.id) {
            Some(known) => in_bundle(known, bundle, &mut all),
            None => all.push(of_bundle(bundle, ModelChange::BundleAdded)),
        }
    }
    let is_gone = |bundle: &&Arc<Bundle>| changed.bundle(bundle.kind, &bundle.id).is_none();
    let removed = stored.bundles.iter().filter(is_gone);
    all.extend(removed.map(|bundle| of_bundle(bundle, ModelChange::BundleRemoved)));
    all
}

fn of_bundle(bundle: &Bundle, change: ModelChange) -> ModelDifference<'_> {
    ModelDifference {
        kind: bundle.kind,
        bundle: &bundle.id,
        field: None,
        change,
    }
}

fn in_bundle<'m>(stored: &'m Bundle, changed: &'m Bundle, all: &mut Vec<ModelDifference<'m>>) {
    let frame = |bundle: &Bundle| {
        (
            bundle.label.clone(),
            bundle.description.clone(),
            bundle.rdf_types.clone(),
            bundle.base_predicates.clone(),
        )
    };
    if frame(stored) != frame(changed) {
        all.push(of_bundle(changed, ModelChange::BundleChanged));
    }
    let mut push = |field: &'m FieldDefinition, change| {
        all.push(ModelDifference {
            field: Some(field),
            ..of_bundle(changed, change)
        });
    };
    for field in &changed.fields {
        match (stored.field(&field.name), stored.known_field(&field.name)) {
            (Some(known), _) => changes(known, field)
                .into_iter()
                .for_each(|change| push(field, change)),
            (None, Some(_)) => push(field, ModelChange::FieldReturned),
            (None, None) => push(field, ModelChange::FieldAdded),
        }
    }
    for field in &stored.fields {
        if changed.field(&field.name).is_none() {
            push(field, ModelChange::FieldRemoved);
        }
    }
    if order(stored, changed) != order(changed, stored) {
        all.push(of_bundle(changed, ModelChange::Order));
    }
}

/// The names of fields that another bundle has, too.
fn order<'m>(bundle: &'m Bundle, other: &Bundle) -> Vec<&'m str> {
    let names = bundle.fields.iter().map(|field| field.name.as_str());
    names.filter(|name| other.field(name).is_some()).collect()
}

fn changes(stored: &FieldDefinition, changed: &FieldDefinition) -> Vec<ModelChange> {
    let mut all = Vec::new();
    if changed.required && !stored.required {
        all.push(ModelChange::NowRequired);
    }
    let most = |field: &FieldDefinition| field.limit().unwrap_or(usize::MAX);
    if most(changed) < most(stored) {
        all.push(ModelChange::FewerValues);
    }
    if is_narrower(&stored.target_bundles, &changed.target_bundles) {
        all.push(ModelChange::FewerTargets);
    }
    let values = |field: &FieldDefinition| -> Vec<String> {
        let values = field.allowed_values.iter();
        values.map(|choice| choice.value.clone()).collect()
    };
    if is_narrower(&values(stored), &values(changed)) {
        all.push(ModelChange::FewerChoices);
    }
    let length = |field: &FieldDefinition| field.max_length.unwrap_or(usize::MAX);
    if length(changed) < length(stored) {
        all.push(ModelChange::Shorter);
    }
    if all.is_empty() && stored != changed {
        all.push(ModelChange::FieldChanged);
    }
    all
}
/// An empty list allows everything.
fn is_narrower(stored: &[String], changed: &[String]) -> bool {
    let is_lost = |name: &String| !changed.contains(name);
    !changed.is_empty() && (stored.is_empty() || stored.iter().any(is_lost))
}
