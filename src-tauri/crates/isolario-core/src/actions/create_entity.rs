//! Making a node, media or term from a request body (interface, Endpoints, POST).

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::containers::{container_field, permit_creation};
use super::item_templates::fill_defaults;
use super::path_aliases::refuse_taken;
use super::permitted_references::PermittedReferences;
use super::request_body::{SHORT_BODY, SentValues, bundle_of, parse_body, read_fields};
use super::review::refuse_unfit_assignee;
use super::source_metadata::fill_from_source;
use super::{Author, Refusal, validation, write_entity};
use isolario_db::{Db, Read, Write};
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::entity::{ALIASES, reference_item, value_item};
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind, Item};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::permission::{
    may_create, may_create_some, may_create_somewhere, may_set,
};
use isolario_model::policy::{Actor, Denial};

/// A resource that is to be created.
#[derive(Debug, Clone)]
pub struct Creation {
    pub kind: EntityKind,
    /// The request body.
    pub body: Vec<u8>,
    /// Whether a node gets the defaults of its collection in the fields that the body does not name.
    pub takes_defaults: bool,
}

impl Creation {
    /// As the body says, and no more.
    pub fn new(kind: EntityKind, body: Vec<u8>) -> Creation {
        Creation {
            kind,
            body,
            takes_defaults: false,
        }
    }

    /// An item with the defaults of its collection.
    pub fn of_item(body: Vec<u8>) -> Creation {
        Creation {
            takes_defaults: true,
            ..Creation::new(EntityKind::Node, body)
        }
    }
}

/// Creates a resource; returns it as committed.
///
/// # Errors
/// `Denied` before the body is looked at when the actor may create nothing of this kind; then
/// `Malformed`, `Invalid`, `Forbidden` as the body deserves.
pub async fn create_entity(
    db: &Db,
    model: &Arc<ContentModel>,
    creation: Creation,
    actor: &Actor,
    author: Author,
) -> Result<Entity, Refusal> {
    create_entity_and(db, model, creation, actor, author, |_, _| Ok(())).await
}

/// As `create_entity`, and does something else in the same transaction.
///
/// # Errors
/// As `create_entity`; those of `also`.
pub async fn create_entity_and<F>(
    db: &Db,
    model: &Arc<ContentModel>,
    creation: Creation,
    actor: &Actor,
    mut author: Author,
    also: F,
) -> Result<Entity, Refusal>
where
    F: FnOnce(&mut Write<'_>, &Entity) -> Result<(), Refusal> + Send + 'static,
{
    let kind = creation.kind;
    refuse_strangers(model, kind, actor)?;
    let entity = if creation.body.len() <= SHORT_BODY {
        db.read_here(|read| draft(read, model, &creation, actor))?
    } else {
        let (model, actor) = (model.clone(), actor.clone());
        db.read(move |read| draft(read, &model, &creation, &actor))
            .await?
    };
    author.log = entity.text(kind.revision_log_field()).map(str::to_owned);
    let (model, actor) = (model.clone(), actor.clone());
    db.write(move |write| {
        let entity = create_drafted(write, &model, &actor, entity, &author)?;
        also(write, &entity)?;
        Ok(entity)
    })
    .await
}

/// Creates a resource that was drafted, in the transaction of its author.
///
/// # Errors
/// `Denied`; `InvalidFields` for an address that is taken; what the database refuses.
pub(super) fn create_drafted(
    write: &mut Write<'_>,
    model: &ContentModel,
    actor: &Actor,
    entity: Entity,
    author: &Author,
) -> Result<Entity, Refusal> {
    let permitted = permit_creation(write, actor, &entity)?;
    refuse_taken(write, &entity)?;
    let entity = write_entity::create(write, &permitted, model, entity, author)?;
    super::source_metadata::claim_files(write, &permitted, model, &entity)?;
    Ok(entity)
}

/// Whoever may create nothing at all is told so before their body is read. Terms and media name
/// the permission, which depends on the bundle, so they are asked once it is known.
fn refuse_strangers(model: &ContentModel, kind: EntityKind, actor: &Actor) -> Result<(), Refusal> {
    let bundles = model.bundles_of(kind).map(|bundle| bundle.id.as_str());
    let may_some = may_create_some(actor, kind, bundles);
    if !may_some && (actor.is_anonymous() || kind == EntityKind::Node) {
        let any: Vec<String> = model
            .bundles_of(kind)
            .map(|bundle| format!("create {} content", bundle.id))
            .collect();
        return Err(Denial::missing_any(&any).into());
    }
    Ok(())
}

fn draft(
    read: &Read<'_>,
    model: &ContentModel,
    creation: &Creation,
    actor: &Actor,
) -> Result<Entity, Refusal> {
    let body = parse_body(&creation.body)?;
    draft_of(
        read,
        model,
        creation.kind,
        &body,
        creation.takes_defaults,
        actor,
    )
}

/// A resource of a body, before it is created.
///
/// # Errors
/// `Denied`, `Malformed`, `Invalid`, `Forbidden` as the body deserves.
pub(super) fn draft_of(
    read: &Read<'_>,
    model: &ContentModel,
    kind: EntityKind,
    body: &Map<String, Value>,
    takes_defaults: bool,
    actor: &Actor,
) -> Result<Entity, Refusal> {
    let bundle = bundle_of(model, kind, body)?;
    may_create_somewhere(actor, bundle.kind, &bundle.id)?;
    let references = PermittedReferences::new(read, actor);
    let sent = read_fields(bundle, body, &references)?;
    let container = container_field(bundle.kind);
    let mut placed = Entity::new(bundle.kind, &bundle.id);
    for (definition, items) in &sent {
        if container == Some(definition.name.as_str()) {
            placed.set(&definition.name, items.clone());
        }
    }
    let collections = read.subject(actor, &placed)?.collections;
    may_create(actor, bundle.kind, &bundle.id, &collections)?;
    refuse_read_only(bundle, &sent, actor, &collections)?;
    let mut entity = with_defaults(bundle, actor.uid);
    take_uuid(read, &mut entity, &sent)?;
    for (definition, items) in sent {
        if !definition.computed {
            entity.set(&definition.name, items);
        }
    }
    // What is reviewed is not public, whoever makes it.
    let is_draft = entity.review_field().is_some() && !body.contains_key("status");
    if is_draft {
        entity.set_value("status", false);
    }
    if takes_defaults {
        let mut said: HashSet<String> = body.keys().cloned().collect();
        said.extend(is_draft.then(|| "status".to_owned()));
        fill_defaults(read, bundle, &mut entity, &said, actor)?;
    }
    fill_from_source(&mut entity, bundle, &references, false);
    let mut violations = validation::validate_all(bundle, &entity, &references);
    violations.extend(validation::validate_schedule(&entity));
    violations.extend(validation::validate_review(&entity));
    references.settle(())?;
    validation::refuse(violations)?;
    refuse_unfit_assignee(read, &entity)?;
    Ok(entity)
}

fn refuse_read_only(
    bundle: &Bundle,
    sent: &SentValues<'_>,
    actor: &Actor,
    collections: &[i64],
) -> Result<(), Refusal> {
    for (definition, items) in sent {
        let name = definition.name.as_str();
        let refused = if definition.computed {
            is_never_sent(bundle.kind, name) || is_contradiction(name, items)
        } else if name == ALIASES && items.is_empty() {
            false
        } else {
            may_set(actor, bundle.kind, name, collections).is_err()
        };
        if refused {
            return Err(Refusal::Forbidden(format!(
                "Access denied on creating field '{name}'."
            )));
        }
    }
    Ok(())
}

fn is_never_sent(kind: EntityKind, name: &str) -> bool {
    [
        kind.id_field(),
        kind.revision_field(),
        kind.revision_time_field(),
        kind.revision_user_field(),
        "changed",
    ]
    .contains(&name)
}

fn is_contradiction(name: &str, items: &[Item]) -> bool {
    let says = |value: bool| {
        items
            .iter()
            .any(|item| item.get("value") == Some(&value.into()))
    };
    match name {
        "default_langcode" => says(false),
        _ => false,
    }
}

/// A resource of a bundle before anybody has said anything about it.
pub(super) fn with_defaults(bundle: &Bundle, owner: i64) -> Entity {
    let mut entity = Entity::new(bundle.kind, &bundle.id);
    for definition in base_fields(bundle.kind) {
        let item = match definition.name.as_str() {
            "langcode" => value_item("en"),
            "status" | "promote" => value_item(true),
            "sticky" => value_item(false),
            "weight" => value_item(0),
            "uid" => reference_item(owner),
            _ => continue,
        };
        entity.set(&definition.name, vec![item]);
    }
    if bundle.kind == EntityKind::Term {
        entity.set_reference("uid", owner);
    }
    for definition in &bundle.fields {
        entity.set(&definition.name, validation::default_items(definition));
    }
    entity
}

fn take_uuid(read: &Read<'_>, entity: &mut Entity, sent: &SentValues<'_>) -> Result<(), Refusal> {
    let uuid = sent
        .iter()
        .find(|(definition, _)| definition.name == "uuid")
        .and_then(|(_, items)| items.first()?.get("value")?.as_str().map(str::to_owned));
    let Some(uuid) = uuid else { return Ok(()) };
    if uuid.chars().count() > 128 {
        let message = "UUID: may not be longer than 128 characters.";
        let violation = Violation::at("value", ViolationCode::TooLong, message);
        return Err(violation.in_field("uuid", 0).into());
    }
    if read.uuid_is_taken(entity.kind, &uuid)? {
        let message = "This UUID belongs to another resource.";
        return Err(Violation::of_field("uuid", ViolationCode::NotUnique, message).into());
    }
    entity.uuid = uuid;
    Ok(())
}
