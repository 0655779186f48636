//! Deletes an item with its media and the files of these, unless another resource uses them. They are one entry of the
//! trash (`trashed_item`), and are restored together.

use super::delete_file::put_into_trash;
use super::source_metadata::files_of;
use super::view_entity::may_view;
use super::view_trash::permit;
use super::write_with_reserve::write_with_reserve;
use super::{Author, Refusal, relocate, store};
use crate::repository::Repository;
use isolario_db::{DbError, Read, TrashContent, Write};
use isolario_model::content::{ContentModel, Entity, EntityKind, FileRecord};
use isolario_model::policy::{self, Actor, Operation, PermittedChange, Subject};

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
    let (model, actor) = (repository.model.clone(), actor.clone());
    let change = move |write: &mut Write<'_>| {
        let item = seen(write, &actor, nid)?;
        let mut media = Vec::new();
        for one in write.media_of(nid)? {
            if may_view(write, &actor, &one)? {
                media.push(one);
            }
        }
        let files = own_files(write, &model, &media)?;
        let parts = media.into_iter().map(TrashContent::Entity);
        let parts: Vec<TrashContent> = parts
            .chain(files.into_iter().map(TrashContent::File))
            .collect();
        let permitted = policy::permit(&actor, Operation::Delete, &Subject::of(&item))?;
        let permit = |part| permit(&actor, Operation::Delete, part);
        let permitted_parts = parts.iter().map(permit).collect::<Result<Vec<_>, _>>()?;
        store::delete(write, &permitted, &item, &author)?;
        for (permitted, part) in permitted_parts.iter().zip(&parts) {
            delete_part(write, permitted, part, nid, &author)?;
        }
        Ok::<_, Refusal>(count(&parts))
    };
    let deleted = write_with_reserve(repository, change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(deleted)
}

fn seen(read: &Read<'_>, actor: &Actor, nid: i64) -> Result<Entity, Refusal> {
    match read.entity(EntityKind::Node, nid)? {
        Some(item) if may_view(read, actor, &item)? => Ok(item),
        _ => Err(Refusal::Missing(format!("There is no item {nid}."))),
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

fn delete_part<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    part: &TrashContent,
    nid: i64,
    author: &Author,
) -> Result<(), DbError> {
    match part {
        TrashContent::Entity(media) => {
            store::delete(write, permitted, media, author)?;
            write.went_with_item(permitted, EntityKind::Media, media.id, nid)
        }
        TrashContent::File(file) => {
            put_into_trash(write, permitted, file, author)?;
            write.went_with_item(permitted, EntityKind::File, file.fid, nid)
        }
    }
}

fn count(parts: &[TrashContent]) -> DeletionSummary {
    let files = parts
        .iter()
        .filter(|part| matches!(part, TrashContent::File(_)));
    let files = files.count();
    DeletionSummary {
        media: parts.len() - files,
        files,
    }
}
