//! The last step of every change to a node, media or term: row, revision, index and event, together. Each function
//! demands the change that the policy has permitted in this transaction.

use super::source_metadata::{alternative_text, files_of, set_alternative_text};
use super::{Author, derivative_jobs};
use isolario_db::{DbError, Deletion, NewEvent, NewRevision, Read, Write};
use isolario_model::content::entity::{reference_item, value_item};
use isolario_model::content::{ContentModel, Entity, EntityKind, field_roles};
use isolario_model::fields;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, permit};

/// Writes a new resource and returns it with its id and first revision.
pub fn create<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    entity: Entity,
    author: &Author,
) -> Result<Entity, DbError> {
    let entity = create_silently(write, permitted, model, entity, author)?;
    record(write, &entity, author, "create")?;
    Ok(entity)
}

/// The same without an event, for what a repository is born with.
pub fn create_silently<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    mut entity: Entity,
    author: &Author,
) -> Result<Entity, DbError> {
    if entity.integer("created").is_none() {
        entity.set_value("created", author.at);
    }
    sign(&mut entity, author);
    entity.id = write.insert_entity(permitted, &entity)?;
    entity.revision = add_revision(write, permitted, model, &entity, author)?;
    write.set_first_revision(&entity)?;
    make_findable(write, model, &entity)?;
    derivative_jobs::follow(write, model, &entity, author.at)?;
    Ok(entity)
}

/// Writes a changed resource and returns it with its next revision.
pub fn update<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    mut entity: Entity,
    author: &Author,
) -> Result<Entity, DbError> {
    if entity.kind == EntityKind::Media {
        derivative_jobs::forget_former_adjustment(write, model, &mut entity)?;
    }
    let described = redescribed_derivatives(write, model, &entity)?;
    sign(&mut entity, author);
    entity.revision = add_revision(write, permitted, model, &entity, author)?;
    write.update_entity(permitted, &entity)?;
    make_findable(write, model, &entity)?;
    derivative_jobs::follow(write, model, &entity, author.at)?;
    record(write, &entity, author, "update")?;
    for derivative in described {
        let author = Author {
            origin: Origin::Derivative,
            log: None,
            batch: None,
            ..author.clone()
        };
        // Who may describe the original may not always change what the program has made of it.
        let subject = Subject::of(&derivative);
        let permitted = permit(&Actor::program(), Operation::Update, &subject)?;
        update(write, &permitted, model, derivative, &author)?;
    }
    Ok(entity)
}

/// The derivatives of a media whose picture gets another alternative text, with that text. A text that somebody gave a
/// derivative stays. Derivatives that former versions made have the name of their file for a text.
fn redescribed_derivatives(
    read: &Read<'_>,
    model: &ContentModel,
    media: &Entity,
) -> Result<Vec<Entity>, DbError> {
    let text = match media.kind {
        EntityKind::Media => alternative_text(model, media),
        _ => None,
    };
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let former = read.entity(media.kind, media.id)?;
    let former = former.and_then(|former| alternative_text(model, &former));
    if former.as_ref() == Some(&text) {
        return Ok(Vec::new());
    }
    let mut described = Vec::new();
    for derivative in read.derivatives_of(media.id)? {
        let product = match derivative.product {
            Some(mid) => read.entity(EntityKind::Media, mid)?,
            None => None,
        };
        let Some(mut product) = product else { continue };
        let present = alternative_text(model, &product);
        if present == former || present.as_deref() == Some(product.label()) {
            set_alternative_text(model, &mut product, &text);
            described.push(product);
        }
    }
    Ok(described)
}

/// Takes a resource out of the interface and puts it into the trash. Its revisions stay readable
/// for those who restore.
pub fn delete<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    entity: &Entity,
    author: &Author,
) -> Result<(), DbError> {
    derivative_jobs::forget(write, entity)?;
    write.mark_deleted(permitted, entity.kind, entity.id, &deletion_of(author))?;
    write.replace_index(entity.kind, entity.id, &[])?;
    write.free_aliases(entity.kind, entity.id)?;
    record(write, entity, author, "delete")
}

/// Brings a resource back from the trash as it was, revision and all.
pub fn restore<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    entity: &Entity,
    author: &Author,
) -> Result<(), DbError> {
    write.unmark_deleted(permitted, entity.kind, entity.id)?;
    make_findable(write, model, entity)?;
    match entity.kind {
        EntityKind::Node => derivative_jobs::follow_all_of(write, model, entity.id, author.at)?,
        _ => derivative_jobs::follow(write, model, entity, author.at)?,
    }
    record(write, entity, author, "restore")
}

/// Removes what a resource in the trash said, for good. Its id is never given again.
pub fn purge<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    entity: &Entity,
    author: &Author,
) -> Result<(), DbError> {
    write.purge_entity(permitted, entity.kind, entity.id)?;
    record(write, entity, author, "purge")
}

/// Who puts something into the trash.
pub fn deletion_of(author: &Author) -> Deletion<'_> {
    Deletion {
        at: author.at,
        actor: author.uid,
        origin: author.origin.name(),
    }
}

fn add_revision<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    entity: &Entity,
    author: &Author,
) -> Result<i64, DbError> {
    let revision = write.add_revision(permitted, entity, &revision_of(author))?;
    if entity.kind == EntityKind::Media {
        write.note_files(revision, &files_of(model, entity))?;
    }
    Ok(revision)
}

/// Writes the index of a resource as it is.
pub fn make_findable(
    write: &mut Write<'_>,
    model: &ContentModel,
    entity: &Entity,
) -> Result<(), DbError> {
    write.set_aliases(entity)?;
    let rows = fields::index_rows(model, entity);
    write.replace_index(entity.kind, entity.id, &rows)
}

fn revision_of(author: &Author) -> NewRevision<'_> {
    NewRevision {
        made: author.at,
        author: author.uid,
        origin: author.origin.name(),
        log: author.log.as_deref(),
        batch: author.batch,
    }
}

fn sign(entity: &mut Entity, author: &Author) {
    let kind = entity.kind;
    entity.set_value("changed", author.at);
    entity.set_value(kind.revision_time_field(), author.at);
    entity.set(kind.revision_user_field(), vec![reference_item(author.uid)]);
    let log = author.log.as_deref().map(value_item);
    entity.set(kind.revision_log_field(), log.into_iter().collect());
}

fn record(
    write: &mut Write<'_>,
    entity: &Entity,
    author: &Author,
    action: &str,
) -> Result<(), DbError> {
    let parents = match entity.kind {
        EntityKind::Node => entity.references(&field_roles().member_of),
        EntityKind::Media => entity.references(&field_roles().media_of),
        _ => Vec::new(),
    };
    write.record_event(&NewEvent {
        at: author.at,
        actor: author.uid,
        origin: author.origin.name(),
        action,
        kind: entity.kind,
        entity_id: entity.id,
        revision: Some(entity.revision),
        label: entity.label(),
        parents,
        batch: author.batch,
    })
}
