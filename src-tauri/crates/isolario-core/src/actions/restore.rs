//! Bringing something back from the trash: under its id, as it was. What went there with an item comes back with it.

use super::trashed_item::{PermittedPart, whole_entry};
use super::upload_file::record;
use super::{Author, Refusal, relocate, write_entity};
use crate::repository::Repository;
use isolario_blobs::Blobs;
use isolario_db::{DbError, Read, TrashContent, Write};
use isolario_model::content::{ContentModel, Entity, EntityKind, field_roles};
use isolario_model::policy::{Actor, Operation, PermittedChange};

/// Restores a thing that the actor may restore.
///
/// # Errors
/// `Missing` where it is not in the trash for this actor; `Conflict` where it cannot come back
/// beside what has been made since; `Denied` where something went with an item that the actor may not restore.
pub async fn restore(
    repository: &Repository,
    kind: EntityKind,
    id: i64,
    actor: &Actor,
    author: Author,
) -> Result<(), Refusal> {
    let (model, actor) = (repository.model(), actor.clone());
    let blobs = repository.blobs.clone();
    let change = move |write: &mut Write<'_>| {
        let parts = permitted_restoration(write, &model, &actor, (kind, id))?;
        Ok::<_, Refusal>(restore_all(write, &model, &blobs, &parts, &author)?)
    };
    repository.db.write(change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}

/// An entry of the trash with what comes back with it, what it is made of first.
///
/// # Errors
/// As `restore`.
pub(super) fn permitted_restoration<'t>(
    read: &Read<'t>,
    model: &ContentModel,
    actor: &Actor,
    target: (EntityKind, i64),
) -> Result<Vec<PermittedPart<'t>>, Refusal> {
    let parts = whole_entry(read, model, actor, Operation::Restore, target)?;
    if let Some((_, TrashContent::Entity(entity))) = parts.last() {
        refuse_circle(read, entity)?;
    }
    Ok(parts)
}

/// Restores what is permitted, within a transaction.
///
/// # Errors
/// What the database refuses.
pub(super) fn restore_all<'t>(
    write: &mut Write<'t>,
    model: &ContentModel,
    blobs: &Blobs,
    parts: &[PermittedPart<'t>],
    author: &Author,
) -> Result<(), DbError> {
    for (permitted, thing) in parts {
        bring_back(write, permitted, model, blobs, thing, author)?;
    }
    Ok(())
}

fn bring_back<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    blobs: &Blobs,
    thing: &TrashContent,
    author: &Author,
) -> Result<(), DbError> {
    match thing {
        TrashContent::Entity(entity) => {
            write_entity::restore(write, permitted, model, entity, author)
        }
        TrashContent::File(file) => {
            write.restore_file(permitted, file.fid)?;
            relocate::revive(write, permitted, blobs, file)?;
            record(write, author, "restore", file.fid, &file.filename)
        }
    }
}

fn refuse_circle(read: &Read<'_>, entity: &Entity) -> Result<(), Refusal> {
    if entity.kind == EntityKind::Term {
        return refuse_circle_of_terms(read, entity);
    }
    for parent in entity.references(&field_roles().member_of) {
        // While it was away, nothing kept its former members from being filed above it.
        if read.is_self_or_ancestor(parent, entity.id)? {
            return Err(Refusal::Conflict(format!(
                "Node {parent}, of which this item is a member, has become one of its own members. Take one of the two out of the other first."
            )));
        }
    }
    Ok(())
}

fn refuse_circle_of_terms(read: &Read<'_>, term: &Entity) -> Result<(), Refusal> {
    for parent in term.references("parent") {
        if read.is_term_or_above(parent, term.id)? {
            return Err(Refusal::Conflict(format!(
                "Term {parent}, below which this term lies, has come below it meanwhile. Move one of the two first."
            )));
        }
    }
    Ok(())
}
