//! Changes of the content model by people. Nothing is taken from resources: the values of a removed field stay, and come
//! back with the field. So a change is undone by sending the former model.

use std::sync::Arc;

use super::validation::refuse;
use super::{Precondition, Refusal, permitted_references::PermittedReferences, validation};
use crate::repository::Repository;
use isolario_db::{DbError, Read, ResourceCount, Write};
use isolario_model::content::{Bundle, ContentModel, EntityKind, FieldDefinition};
use isolario_model::fields::{Violation, check_items};
use isolario_model::model_change::{
    ModelChange, ModelDifference, broken_rules, completed, decided, differences,
};
use isolario_model::policy::{Actor, may_run_server, permit_roles, permit_server};

/// What a change does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelEffect {
    pub kind: EntityKind,
    pub bundle: String,
    pub field: Option<String>,
    pub change: ModelChange,
    /// The resources whose values it concerns; all of the bundle where it concerns no values.
    pub resources: u64,
}

/// A changed model, and what has changed.
#[derive(Debug, Clone)]
pub struct ChangedModel {
    pub model: Arc<ContentModel>,
    /// Whether it is another model than before. Relators and prefixes concern no bundle, and have no effects.
    pub is_changed: bool,
    pub effects: Vec<ModelEffect>,
}

/// What a change of the content model would do.
///
/// # Errors
/// As `change_content_model`.
pub async fn check_content_model(
    repository: &Repository,
    actor: &Actor,
    sent: ContentModel,
    expected: Precondition,
) -> Result<ChangedModel, Refusal> {
    let actor = actor.clone();
    let read = repository.db.read(move |read| -> Result<_, Refusal> {
        let (stored, changed) = admit(read, &actor, sent, &expected)?;
        let effects = effects(read, &stored, &changed)?;
        Ok(ChangedModel {
            is_changed: decided(&stored) != decided(&changed),
            model: Arc::new(changed),
            effects,
        })
    });
    read.await
}

/// Replaces the content model. Roles that may do something with all bundles of a kind may do it with a new one.
///
/// # Errors
/// `Denied` to all but administrators; `Lost` when somebody else has changed it; `InvalidFields` with the rules that it
/// breaks; `Conflict` where a type is to be removed that has resources.
pub async fn change_content_model(
    repository: &Repository,
    actor: &Actor,
    sent: ContentModel,
    expected: Precondition,
) -> Result<ChangedModel, Refusal> {
    let checked = check_content_model(repository, actor, sent.clone(), expected.clone()).await?;
    let asking = actor.clone();
    let write = repository.db.write(move |write| -> Result<_, Refusal> {
        let permitted = permit_server(&asking)?;
        let (stored, changed) = admit(write, &asking, sent, &expected)?;
        if decided(&stored) == decided(&changed) {
            return Ok(None);
        }
        write.set_content_model(&permitted, &changed)?;
        let roles_permitted = permit_roles(&asking)?;
        for bundle in &changed.bundles {
            if stored.bundle(bundle.kind, &bundle.id).is_none() {
                for (role, permissions) in permissions_of_new(write, &stored, bundle)? {
                    write.grant(&roles_permitted, &role, &permissions)?;
                }
            }
        }
        Ok(Some(changed))
    });
    let Some(changed) = write.await? else {
        let model = repository.model();
        return Ok(ChangedModel {
            model,
            is_changed: false,
            effects: Vec::new(),
        });
    };
    repository.authenticator.forget_permissions();
    repository.set_model(changed);
    Ok(ChangedModel {
        model: repository.model(),
        is_changed: true,
        effects: checked.effects,
    })
}

/// The stored and the changed model, where the change may be made.
fn admit(
    read: &Read<'_>,
    actor: &Actor,
    sent: ContentModel,
    expected: &Precondition,
) -> Result<(ContentModel, ContentModel), Refusal> {
    may_run_server(actor)?;
    let stored = read.content_model()?.unwrap_or_default();
    expected.refuse_other(stored.revision)?;
    let changed = completed(&stored, sent);
    refuse(broken_rules(&stored, &changed))?;
    refuse(bad_defaults(read, actor, &changed)?)?;
    for bundle in &stored.bundles {
        if changed.bundle(bundle.kind, &bundle.id).is_none() {
            refuse_used(read, bundle)?;
        }
    }
    Ok((stored, changed))
}

fn refuse_used(read: &Read<'_>, bundle: &Bundle) -> Result<(), Refusal> {
    match read.count_resources(bundle.kind, &bundle.id, ResourceCount::All)? {
        0 => Ok(()),
        count => Err(Refusal::Conflict(format!(
            "{} cannot be removed: {count} are of this type, those in the trash counted.",
            bundle.label
        ))),
    }
}

fn all_fields(model: &ContentModel) -> impl Iterator<Item = (&Bundle, &FieldDefinition)> {
    let bundles = model.bundles.iter();
    bundles.flat_map(|bundle| bundle.fields.iter().map(|field| (&**bundle, field)))
}

fn place_of(bundle: &Bundle, field: &FieldDefinition) -> String {
    let kind = bundle.kind.target_type();
    format!("{kind}.{}.{}", bundle.id, field.name)
}

/// The default values that could not be entered.
fn bad_defaults(
    read: &Read<'_>,
    actor: &Actor,
    model: &ContentModel,
) -> Result<Vec<Violation>, DbError> {
    let references = PermittedReferences::new(read, actor);
    let mut violations = Vec::new();
    for (bundle, field) in all_fields(model).filter(|(_, field)| !field.default_items.is_empty()) {
        let items = validation::default_items(field);
        for violation in check_items(field, &items, &references) {
            let field = place_of(bundle, field);
            violations.push(Violation { field, ..violation });
        }
    }
    references.settle(violations)
}

fn effects(
    read: &Read<'_>,
    stored: &ContentModel,
    changed: &ContentModel,
) -> Result<Vec<ModelEffect>, DbError> {
    let effect = |difference: ModelDifference<'_>| {
        Ok(ModelEffect {
            resources: count(read, &difference)?,
            kind: difference.kind,
            bundle: difference.bundle.to_owned(),
            field: difference.field.map(|field| field.name.clone()),
            change: difference.change,
        })
    };
    let differences = differences(stored, changed).into_iter();
    differences.map(effect).collect()
}

fn count(read: &Read<'_>, difference: &ModelDifference<'_>) -> Result<u64, DbError> {
    let Some(field) = difference.field else {
        return read.count_resources(difference.kind, difference.bundle, ResourceCount::All);
    };
    let name = &field.name;
    let values: Vec<String>;
    let which = match difference.change {
        ModelChange::NowRequired => ResourceCount::Without(name),
        ModelChange::FewerValues => ResourceCount::MoreThan(name, field.limit().unwrap_or(1)),
        ModelChange::FewerTargets => match field.target_kind() {
            Some(kind) => ResourceCount::TargetsBeyond(name, kind, &field.target_bundles),
            None => ResourceCount::With(name),
        },
        ModelChange::FewerChoices => {
            let allowed = field.allowed_values.iter();
            values = allowed.map(|choice| choice.value.clone()).collect();
            ResourceCount::ValuesBeyond(name, &values)
        }
        ModelChange::Shorter => ResourceCount::LongerThan(name, field.max_length.unwrap_or(0)),
        _ => ResourceCount::With(name),
    };
    read.count_resources(difference.kind, difference.bundle, which)
}

/// What roles may do with a new bundle: what they may do with all others of its kind.
fn permissions_of_new(
    write: &Write<'_>,
    stored: &ContentModel,
    new: &Bundle,
) -> Result<Vec<(String, Vec<String>)>, DbError> {
    let others: Vec<&str> = stored
        .bundles_of(new.kind)
        .map(|one| one.id.as_str())
        .collect();
    let Some(sample) = others.first() else {
        return Ok(Vec::new());
    };
    let with = |permission: &str, from: &str, to: &str| -> Option<String> {
        let mut words: Vec<&str> = permission.split(' ').collect();
        let place = words.iter().position(|word| *word == from)?;
        words[place] = to;
        Some(words.join(" "))
    };
    let roles = write.roles()?.into_iter().map(|role| {
        let of_all = |permission: &&String| {
            let mut all = others.iter().map(|other| with(permission, sample, other));
            all.all(|one| one.is_some_and(|one| role.permissions.contains(&one)))
        };
        let held = role.permissions.iter().filter(of_all);
        let granted = held.filter_map(|permission| with(permission, sample, &new.id));
        (role.name.clone(), granted.collect())
    });
    Ok(roles.collect())
}
