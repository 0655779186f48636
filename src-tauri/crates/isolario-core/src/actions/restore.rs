//! Bringing something back from the trash: under its id, as it was. What went there with an item comes back with it.

use super::trashed_item::went_with;
use super::upload_file::record;
use super::view_trash::{one_in_trash, permit};
use super::{Author, Refusal, relocate, store};
use crate::repository::Repository;
use isolario_blobs::Blobs;
use isolario_db::{TrashContent, Write};
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
    let (model, actor) = (repository.model.clone(), actor.clone());
    let blobs = repository.blobs.clone();
    let change = move |write: &mut Write<'_>| {
        let (_, thing) = one_in_trash(write, &actor, kind, id)?;
        let mut parts = match kind {
            EntityKind::Node => went_with(write, &model, &actor, Operation::Restore, id)?,
            _ => Vec::new(),
        };
        // What a thing is made of is there before it.
        parts.push((permit(&actor, Operation::Restore, &thing)?, thing));
        for (permitted, thing) in &parts {
            bring_back(write, permitted, &model, &blobs, thing, &author)?;
        }
        Ok::<_, Refusal>(())
    };
    repository.db.write(change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}

fn bring_back<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    blobs: &Blobs,
    thing: &TrashContent,
    author: &Author,
) -> Result<(), Refusal> {
    match thing {
        TrashContent::Entity(entity) => restore_entity(write, permitted, model, entity, author),
        TrashContent::File(file) => {
            write.restore_file(permitted, file.fid)?;
            relocate::revive(write, permitted, blobs, file)?;
            Ok(record(write, author, "restore", file.fid, &file.filename)?)
        }
    }
}

fn restore_entity<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    entity: &Entity,
    author: &Author,
) -> Result<(), Refusal> {
    for parent in entity.references(&field_roles().member_of) {
        // While it was away, nothing kept its former members from being filed above it.
        if write.is_self_or_ancestor(parent, entity.id)? {
            return Err(Refusal::Conflict(format!(
                "Node {parent}, of which this item is a member, has become one of its own members. Take one of the two out of the other first."
            )));
        }
    }
    Ok(store::restore(write, permitted, model, entity, author)?)
}
