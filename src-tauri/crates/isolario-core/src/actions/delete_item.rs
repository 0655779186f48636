//! Deletes an item with its media and the files of these, unless another resource uses them. They are one entry of the
//! trash (`trashed_item`), and are restored together.

use super::delete_file::put_into_trash;
use super::source_metadata::files_of;
use super::trashed_item::PermittedPart;
use super::view_entity::may_view;
use super::view_trash::{is_visible, permit};
use super::write_with_reserve::write_with_reserve;
use super::{Author, Refusal, relocate, write_entity};
use crate::repository::Repository;
use isolario_db::{DbError, Read, TrashContent, Write};
use isolario_model::content::{ContentModel, Entity, EntityKind, FileRecord};
use isolario_model::policy::{Actor, Operation};

/// The media and files that were deleted with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletionSummary {
    pub media: usize,
    pub files: usize,
}

/// Deletes an item with its media and their files. A file that another media uses stays. A media that the actor may not
/// view stays.
///
/// # Errors
/// `Missing` when the actor may view no such item; `Denied` when the actor may not delete every part. Then nothing is
/// deleted.
pub async fn delete_item(
    repository: &Repository,
    nid: i64,
    actor: &Actor,
    author: Author,
) -> Result<DeletionSummary, Refusal> {
    let (model, actor) = (repository.model(), actor.clone());
    let change = move |write: &mut Write<'_>| {
        let item = (EntityKind::Node, nid);
        let parts = permitted_deletion(write, &model, &actor, item, true)?;
        delete_all(write, &parts, &author)?;
        Ok::<_, Refusal>(count(&parts))
    };
    let deleted = write_with_reserve(repository, change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(deleted)
}

/// A resource or file, and after it what is deleted with it: with `with_media`, the media and files of an item.
///
/// # Errors
/// `Missing` when the actor may view no such thing; `Denied` when the actor may not delete every part.
pub(super) fn permitted_deletion<'t>(
    read: &Read<'t>,
    model: &ContentModel,
    actor: &Actor,
    (kind, id): (EntityKind, i64),
    with_media: bool,
) -> Result<Vec<PermittedPart<'t>>, Refusal> {
    let mut parts = vec![seen(read, actor, kind, id)?];
    if with_media && kind == EntityKind::Node {
        let mut media = Vec::new();
        for one in read.media_of(id)? {
            if may_view(read, actor, &one)? {
                media.push(one);
            }
        }
        let files = own_files(read, model, &media)?;
        parts.extend(media.into_iter().map(TrashContent::Entity));
        parts.extend(files.into_iter().map(TrashContent::File));
    }
    let parts = parts.into_iter();
    parts
        .map(|part| Ok((permit(read, actor, Operation::Delete, &part)?, part)))
        .collect()
}

fn seen(
    read: &Read<'_>,
    actor: &Actor,
    kind: EntityKind,
    id: i64,
) -> Result<TrashContent, Refusal> {
    let found = match kind {
        EntityKind::File => read.file(id)?.map(TrashContent::File),
        EntityKind::User => None,
        kind => read.entity(kind, id)?.map(TrashContent::Entity),
    };
    let name = match kind {
        EntityKind::Node => "item",
        kind => kind.target_type(),
    };
    match found {
        Some(thing) if is_visible(read, actor, &thing)? => Ok(thing),
        _ => Err(Refusal::Missing(format!("There is no {name} {id}."))),
    }
}

/// The files that only these media use.
fn own_files(
    read: &Read<'_>,
    model: &ContentModel,
    media: &[Entity],
) -> Result<Vec<FileRecord>, DbError> {
    let mut named: Vec<i64> = media
        .iter()
        .flat_map(|media| files_of(model, media))
        .collect();
    named.sort_unstable();
    named.dedup();
    let mut own = Vec::new();
    for fid in named {
        let users = read.media_using_file(fid)?;
        let others = users
            .iter()
            .any(|user| media.iter().all(|one| one.id != user.id));
        if let Some(file) = read.file(fid)?
            && !others
        {
            own.push(file);
        }
    }
    Ok(own)
}

/// Deletes what is permitted, within a transaction. What goes with the first part is restored with it.
///
/// # Errors
/// What the database refuses.
pub(super) fn delete_all<'t>(
    write: &mut Write<'t>,
    parts: &[PermittedPart<'t>],
    author: &Author,
) -> Result<(), DbError> {
    for (index, (permitted, part)) in parts.iter().enumerate() {
        match part {
            TrashContent::Entity(entity) => write_entity::delete(write, permitted, entity, author)?,
            TrashContent::File(file) => put_into_trash(write, permitted, file, author)?,
        }
        if index > 0
            && let Some((_, item)) = parts.first()
        {
            let (kind, id) = part.target();
            write.went_with_item(permitted, kind, id, item.target().1)?;
        }
    }
    Ok(())
}

/// Counts what is deleted with an item.
fn count(parts: &[PermittedPart<'_>]) -> DeletionSummary {
    let files = parts
        .iter()
        .filter(|(_, part)| matches!(part, TrashContent::File(_)));
    let files = files.count();
    DeletionSummary {
        media: parts.len().saturating_sub(files + 1),
        files,
    }
}
