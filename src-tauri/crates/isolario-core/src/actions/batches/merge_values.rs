//! What a merge of terms makes of the values of what uses them, and of the term that stays.

use serde_json::json;

use super::super::Refusal;
use super::super::patch_entity::known_bundle;
use super::super::request_body::{SentValues, definition_of};
use super::merge_plan::MergePlan;
use isolario_db::Read;
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::entity::value_item;
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, Item, field_roles,
};
use isolario_model::fields::same_item;

/// The name of a term.
const NAME: &str = "name";

/// The fields of something that refer to merged terms, with the values afterwards. A value that the field has already
/// is not repeated.
///
/// # Errors
/// `Invalid` for a bundle that the content model lacks.
pub(super) fn moved_references<'m>(
    model: &'m ContentModel,
    item: &Entity,
    plan: &MergePlan,
) -> Result<SentValues<'m>, Refusal> {
    let fields = referring(known_bundle(model, item)?, item, plan);
    let moved = |field: &'m FieldDefinition| {
        let mut after: Vec<Item> = Vec::new();
        for value in item.items(&field.name) {
            let mut value = value.clone();
            if names_one(&value, plan) {
                value.insert("target_id".into(), json!(plan.into));
            }
            if !after.iter().any(|other| same_item(field, other, &value)) {
                after.push(value);
            }
        }
        (field, after)
    };
    Ok(fields.map(moved).collect())
}

/// What the term that stays takes over: names as alternative names, alternative names, and addresses that it lacks. It
/// no longer refers to the merged terms.
///
/// # Errors
/// What the database refuses.
pub(super) fn taken_over<'m>(
    read: &Read<'_>,
    model: &'m ContentModel,
    kept: &Entity,
    plan: &MergePlan,
) -> Result<SentValues<'m>, Refusal> {
    let bundle = known_bundle(model, kept)?;
    let mut merged = Vec::with_capacity(plan.terms.len());
    for tid in &plan.terms {
        merged.extend(read.entity(EntityKind::Term, *tid)?);
    }
    let without = |field: &'m FieldDefinition| {
        let values = kept.items(&field.name).iter();
        let others = values.filter(|value| !names_one(value, plan)).cloned();
        (field, others.collect())
    };
    let mut sent: SentValues<'m> = referring(bundle, kept, plan).map(without).collect();
    sent.extend(with_names(bundle, kept, &merged));
    let roles = field_roles();
    for name in [&roles.external_uri, &roles.authority_link] {
        sent.extend(with_addresses(definition_of(bundle, name), kept, &merged));
    }
    Ok(sent)
}

/// The fields by which something refers to merged terms.
fn referring<'m, 'e>(
    bundle: &'m Bundle,
    item: &'e Entity,
    plan: &'e MergePlan,
) -> impl Iterator<Item = &'m FieldDefinition> + use<'m, 'e> {
    let fields = base_fields(bundle.kind).iter().chain(&bundle.fields);
    let terms = EntityKind::Term.target_type();
    fields.filter(move |field| {
        let mut values = item.items(&field.name).iter();
        field.target_type.as_deref() == Some(terms) && values.any(|value| names_one(value, plan))
    })
}

fn names_one(value: &Item, plan: &MergePlan) -> bool {
    let target = value.get("target_id").and_then(serde_json::Value::as_i64);
    target.is_some_and(|target| plan.terms.contains(&target))
}

/// The field for other names of a term, with the names of the merged terms.
fn with_names<'m>(
    bundle: &'m Bundle,
    kept: &Entity,
    merged: &[Entity],
) -> Option<(&'m FieldDefinition, Vec<Item>)> {
    let mut names = field_roles().alternative_names.iter();
    let field = names.find_map(|name| definition_of(bundle, name))?;
    let mut after = kept.items(&field.name).to_vec();
    for term in merged {
        let name = term.text(NAME).map(value_item);
        for value in name.iter().chain(term.items(&field.name)) {
            let text = value.get("value").and_then(serde_json::Value::as_str);
            if text != kept.text(NAME) && !after.iter().any(|other| same_item(field, other, value))
            {
                after.push(value.clone());
            }
        }
    }
    within(field, after, kept)
}

/// A field for addresses of a term, with those of the merged terms that it lacks.
fn with_addresses<'m>(
    field: Option<&'m FieldDefinition>,
    kept: &Entity,
    merged: &[Entity],
) -> Option<(&'m FieldDefinition, Vec<Item>)> {
    let field = field?;
    let mut after = kept.items(&field.name).to_vec();
    for value in merged.iter().flat_map(|term| term.items(&field.name)) {
        if !after
            .iter()
            .any(|other| other.get("uri") == value.get("uri"))
        {
            after.push(value.clone());
        }
    }
    within(field, after, kept)
}

/// The values, as many as the field may have; `None` where it has them already.
fn within<'m>(
    field: &'m FieldDefinition,
    mut after: Vec<Item>,
    kept: &Entity,
) -> Option<(&'m FieldDefinition, Vec<Item>)> {
    if let Ok(most) = usize::try_from(field.cardinality) {
        after.truncate(most.max(1));
    }
    (after.len() > kept.items(&field.name).len()).then_some((field, after))
}
