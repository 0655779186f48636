//! Changes a node, media or term (interface, Endpoints, PATCH): only the fields that were sent.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::containers::{containers_of, permit_move};
use super::path_aliases::refuse_taken;
use super::permitted_references::PermittedReferences;
use super::request_body::{SHORT_BODY, SentValues, bundle_of, parse_body, read_fields};
use super::review::refuse_unfit_assignee;
use super::source_metadata::{claim_files, fill_from_source};
use super::{Author, Precondition, Refusal, validation, write_entity};
use isolario_db::{Db, Read, Write};
use isolario_model::content::entity::{ALIASES, ASSIGNEE, REVIEW_FIELDS};
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, Item, field_roles,
};
use isolario_model::fields::same_item;
use isolario_model::policy::permission::may_set;
use isolario_model::policy::{Actor, Denial, Operation, PermittedChange, may, permit};

/// The change that a client asks for.
pub(super) struct RequestedState<'m> {
    pub sent: SentValues<'m>,
    /// Whether all sent values are written, even where another file would bring its own facts. Otherwise only the
    /// values that differ from the stored ones are.
    pub to_the_letter: bool,
    pub log: Option<String>,
}

/// A change that was validated.
#[derive(Clone, Default)]
pub(super) struct PreparedUpdate {
    /// New values by field.
    fields: Vec<(String, Vec<Item>)>,
    pub log: Option<String>,
}

impl PreparedUpdate {
    /// Whether nothing changes.
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The names of the fields that change.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }

    /// New values by field.
    pub(super) fn into_fields(self) -> Vec<(String, Vec<Item>)> {
        self.fields
    }

    /// Sets what is kept beside the fields.
    pub(super) fn set(&mut self, name: &str, items: Vec<Item>) {
        self.fields.push((name.to_owned(), items));
    }

    fn touches(&self, field: &str) -> bool {
        self.names().any(|name| name == field)
    }
}

/// The resource, if the actor may change it. The caller asks before it reads the body; `patch_entity` asks again.
///
/// # Errors
/// `NotFound`; `Denied`.
pub fn admit(db: &Db, actor: &Actor, kind: EntityKind, id: i64) -> Result<Entity, Refusal> {
    db.read_here(|read| Ok(permitted_update(read, actor, kind, id)?.1))
}

fn permitted_update<'t>(
    read: &Read<'t>,
    actor: &Actor,
    kind: EntityKind,
    id: i64,
) -> Result<(PermittedChange<'t>, Entity), Refusal> {
    let found = read.entity(kind, id)?;
    let entity = found.ok_or(Refusal::NotFound { kind, id })?;
    let permitted = permit(actor, Operation::Update, &read.subject(actor, &entity)?)?;
    Ok((permitted, entity))
}

/// Changes a resource, if the policy permits it in the transaction. Returns it as committed. With `expected`, it
/// changes only that revision.
///
/// # Errors
/// `Denied`; `Malformed`, `Invalid`, `Forbidden` for the body; `Lost` when the revision is another;
/// `NotFound` when the resource has gone meanwhile.
pub async fn patch_entity(
    db: &Db,
    model: &Arc<ContentModel>,
    current: Entity,
    body: Vec<u8>,
    actor: &Actor,
    author: Author,
    expected: Precondition,
) -> Result<Entity, Refusal> {
    let also = |_: &mut Write<'_>, _: &Entity| Ok(());
    patch_entity_and(db, model, current, body, actor, author, (expected, also)).await
}

/// As `patch_entity`, and does something else in the same transaction.
///
/// # Errors
/// As `patch_entity`; those of `also`.
pub async fn patch_entity_and<F>(
    db: &Db,
    model: &Arc<ContentModel>,
    current: Entity,
    body: Vec<u8>,
    actor: &Actor,
    mut author: Author,
    (expected, also): (Precondition, F),
) -> Result<Entity, Refusal>
where
    F: FnOnce(&mut Write<'_>, &Entity) -> Result<(), Refusal> + Send + 'static,
{
    let (kind, id) = (current.kind, current.id);
    let change = if body.len() <= SHORT_BODY {
        db.read_here(|read| check(read, model, &current, &body, actor))?
    } else {
        let (model, actor) = (model.clone(), actor.clone());
        db.read(move |read| check(read, &model, &current, &body, &actor))
            .await?
    };
    author.log = change.log.clone();
    let (model, actor) = (model.clone(), actor.clone());
    db.write(move |write| {
        let (permitted, current) = permitted_update(write, &actor, kind, id)?;
        expected.refuse_lost_race(&current)?;
        let entity = make(
            write,
            &permitted,
            &model,
            current,
            &change,
            (&actor, &author),
        )?;
        also(write, &entity)?;
        Ok(entity)
    })
    .await
}

/// Writes a validated change to the current resource.
///
/// # Errors
/// `Denied` where the actor may not change what it is put into or taken out of; `Invalid` for a circle of members or
/// terms that another change has begun meanwhile.
pub(super) fn make<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    mut entity: Entity,
    change: &PreparedUpdate,
    (actor, author): (&Actor, &Author),
) -> Result<Entity, Refusal> {
    let before = containers_of(&entity);
    apply(&mut entity, change);
    permit_move(write, actor, &entity, &before)?;
    if change.touches(&field_roles().member_of) || change.touches("parent") {
        // What was checked was another state, of this node or of one above it.
        validation::refuse_circle(write, &entity)?;
    }
    if change.touches(ALIASES) {
        refuse_taken(write, &entity)?;
    }
    let entity = write_entity::update(write, permitted, model, entity, author)?;
    claim_files(write, permitted, model, &entity)?;
    Ok(entity)
}

fn apply(entity: &mut Entity, change: &PreparedUpdate) {
    for (field, items) in &change.fields {
        entity.set(field, items.clone());
    }
}

fn check(
    read: &Read<'_>,
    model: &ContentModel,
    current: &Entity,
    body: &[u8],
    actor: &Actor,
) -> Result<PreparedUpdate, Refusal> {
    may(actor, Operation::Update, &read.subject(actor, current)?)?;
    let body = parse_body(body)?;
    // The bundle must be named and known; it does not change, whatever it says.
    bundle_of(model, current.kind, &body)?;
    let bundle = known_bundle(model, current)?;
    let references = PermittedReferences::new(read, actor);
    let wanted = RequestedState {
        sent: read_fields(bundle, &body, &references)?,
        to_the_letter: false,
        log: sent_log(current.kind, &body),
    };
    let change = check_wanted(read, bundle, current, wanted, actor)?;
    Ok(references.settle(change)?)
}

/// # Errors
/// `Missing` when the model no longer has the bundle of the resource.
pub(super) fn known_bundle<'m>(
    model: &'m ContentModel,
    current: &Entity,
) -> Result<&'m Bundle, Refusal> {
    let bundle = model.bundle(current.kind, &current.bundle);
    bundle
        .map(AsRef::as_ref)
        .ok_or_else(|| Refusal::Missing(format!("There is no bundle {} any more.", current.bundle)))
}

/// Validates a change of a resource.
///
/// # Errors
/// `Forbidden` for a field that the actor may not change, `Invalid` for values that break a rule.
pub(super) fn check_wanted(
    read: &Read<'_>,
    bundle: &Bundle,
    current: &Entity,
    wanted: RequestedState<'_>,
    actor: &Actor,
) -> Result<PreparedUpdate, Refusal> {
    let references = PermittedReferences::new(read, actor);
    let literal = wanted.to_the_letter.then(|| wanted.sent.clone());
    let changed = changed_fields(read, current, bundle, wanted.sent, actor)?;
    let mut next = current.clone();
    for (definition, items) in &changed {
        next.set(&definition.name, items.clone());
    }
    end_review(&mut next, current, &changed);
    let said = literal.as_ref().unwrap_or(&changed);
    follow_source(&mut next, current, bundle, said, &references);
    let violations = in_order(bundle, &changed)
        .into_iter()
        .flat_map(|(definition, items)| {
            validation::validate_field(bundle, definition, items, &references)
        })
        .chain(validation::validate_schedule(&next))
        .chain(validation::validate_review(&next))
        .collect();
    references.settle(())?;
    validation::refuse(violations)?;
    permit_move(read, actor, &next, &containers_of(current))?;
    if next.items(ASSIGNEE) != current.items(ASSIGNEE) {
        refuse_unfit_assignee(read, &next)?;
    }
    if current.kind == EntityKind::Node || next.items("parent") != current.items("parent") {
        validation::refuse_circle(read, &next)?;
    }
    Ok(PreparedUpdate {
        log: wanted.log,
        fields: differences(current, next),
    })
}

/// Takes an item that is published now out of the review, unless the request says something else.
fn end_review(next: &mut Entity, current: &Entity, changed: &SentValues<'_>) {
    if next.kind != EntityKind::Node || current.is_published() || !next.is_published() {
        return;
    }
    let says_otherwise = |(definition, items): &(&FieldDefinition, Vec<Item>)| {
        REVIEW_FIELDS.contains(&definition.name.as_str()) && !items.is_empty()
    };
    if !changed.iter().any(says_otherwise) {
        next.end_review();
    }
}

/// The sent fields whose values differ from the stored ones and that the actor may change.
fn changed_fields<'m>(
    read: &Read<'_>,
    current: &Entity,
    bundle: &Bundle,
    sent: SentValues<'m>,
    actor: &Actor,
) -> Result<SentValues<'m>, Refusal> {
    let collections = read.subject(actor, current)?.collections;
    let mut changed = Vec::new();
    for (definition, items) in sent {
        let name = definition.name.as_str();
        if is_same(current, definition, &items) {
            continue;
        }
        if definition.computed {
            refuse_computed(bundle.kind, name)?;
        } else if let Err(Denial { message }) = may_set(actor, bundle.kind, name, &collections) {
            return Err(Refusal::Forbidden(format!(
                "Access denied on updating field '{name}'. {message}"
            )));
        } else {
            changed.push((definition, items));
        }
    }
    Ok(changed)
}

/// Ignores computed fields, and refuses the other fields that no client may write.
fn refuse_computed(kind: EntityKind, name: &str) -> Result<(), Refusal> {
    let reason = match name {
        "thumbnail" | "content_translation_uid" | "content_translation_created" => return Ok(()),
        _ if name == kind.id_field() => " The entity ID cannot be changed.",
        "uuid" => " The entity UUID cannot be changed.",
        _ => "",
    };
    Err(Refusal::Forbidden(format!(
        "Access denied on updating field '{name}'.{reason}"
    )))
}

fn is_same(current: &Entity, definition: &FieldDefinition, items: &[Item]) -> bool {
    let kept = match definition.name.as_str() {
        "uuid" => return only_value(items) == Some(&Value::from(current.uuid.as_str())),
        name if name == current.kind.id_field() => {
            return only_value(items) == Some(&Value::from(current.id));
        }
        name if name == current.kind.revision_field() => {
            return only_value(items) == Some(&Value::from(current.revision));
        }
        "default_langcode" | "revision_translation_affected" => {
            return only_value(items).is_none_or(|value| *value == Value::Bool(true));
        }
        "content_translation_outdated" => {
            return only_value(items).is_none_or(|value| *value == Value::Bool(false));
        }
        "content_translation_source" => {
            return only_value(items).is_none_or(|value| value == "und");
        }
        ALIASES if items.is_empty() => return true,
        name => current.items(name),
    };
    kept.len() == items.len()
        && kept
            .iter()
            .zip(items)
            .all(|(kept, sent)| same_item(definition, kept, sent))
}

fn only_value(items: &[Item]) -> Option<&Value> {
    items.first()?.get("value")
}

/// Copies the name, size and type of a new source file, unless the request sets them.
fn follow_source(
    next: &mut Entity,
    current: &Entity,
    bundle: &Bundle,
    said: &SentValues<'_>,
    references: &PermittedReferences<'_>,
) {
    let Some(source) = bundle.file_field() else {
        return;
    };
    if next.reference(&source.name) == current.reference(&source.name) {
        return;
    }
    fill_from_source(next, bundle, references, true);
    for (definition, items) in said {
        next.set(&definition.name, items.clone());
    }
}

fn in_order<'c>(
    bundle: &Bundle,
    changed: &'c SentValues<'_>,
) -> Vec<&'c (&'c FieldDefinition, Vec<Item>)> {
    let base = isolario_model::content::base_fields::base_fields(bundle.kind);
    let place = |name: &str| {
        base.iter()
            .position(|field| field.name == name)
            .unwrap_or(base.len())
    };
    let mut ordered: Vec<_> = changed.iter().collect();
    ordered.sort_by(|(a, _), (b, _)| (place(&a.name), &a.name).cmp(&(place(&b.name), &b.name)));
    ordered
}

fn differences(current: &Entity, next: Entity) -> Vec<(String, Vec<Item>)> {
    let mut names: Vec<&String> = next.values.keys().chain(current.values.keys()).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .filter(|name| current.items(name) != next.items(name))
        .map(|name| (name.clone(), next.items(name).to_vec()))
        .collect()
}

fn sent_log(kind: EntityKind, body: &Map<String, Value>) -> Option<String> {
    let item = body.get(kind.revision_log_field())?.as_array()?.first()?;
    let log = item.get("value").unwrap_or(item).as_str()?;
    (!log.is_empty()).then(|| log.to_owned())
}

#[cfg(test)]
mod tests;
