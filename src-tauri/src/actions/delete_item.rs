//! Deleting an item with all that belongs to it and to nothing else: its media, derivatives among them, and the files
//! of these. They are one thing in the trash (`trashed_item`) and come back as one.

use super::delete_file::put_into_trash;
use super::source::files_of;
use super::view_trash::permit;
use super::{Author, Refusal, relocate, store};
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{ContentModel, Entity, EntityKind, FileRecord};
use crate::db::{DbError, Read, Trashed, Write};
use crate::repository::Repository;

/// What went with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deleted {
    pub media: usize,
    pub files: usize,
}

/// Deletes an item with its media and their files. A file that another media uses stays, as does what the actor may not
/// see.
///
/// # Errors
/// `Missing` where there is no such item for this actor; `Denied` for who may not delete every part. Then nothing is
/// deleted.
pub async fn delete_item(
    repository: &Repository,
    nid: i64,
    actor: &Actor,
    author: Author,
) -> Result<Deleted, Refusal> {
    let (model, actor) = (repository.model.clone(), actor.clone());
    let change = move |write: &mut Write<'_>| {
        let item = seen(write, &actor, nid)?;
        let mut media = write.media_of(nid)?;
        media.retain(|media| may(&actor, Operation::View, &Subject::of(media)).is_ok());
        let files = own_files(write, &model, &media)?;
        let parts = media.into_iter().map(Trashed::Entity);
        let parts: Vec<Trashed> = parts.chain(files.into_iter().map(Trashed::File)).collect();
        may(&actor, Operation::Delete, &Subject::of(&item))?;
        for part in &parts {
            permit(&actor, Operation::Delete, part)?;
        }
        store::delete(write, &item, &author)?;
        for part in &parts {
            delete_part(write, part, nid, &author)?;
        }
        Ok::<_, Refusal>(count(&parts))
    };
    let deleted = repository.db.write(change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(deleted)
}

fn seen(read: &Read<'_>, actor: &Actor, nid: i64) -> Result<Entity, Refusal> {
    let item = read.entity(EntityKind::Node, nid)?;
    let seen = item.filter(|item| may(actor, Operation::View, &Subject::of(item)).is_ok());
    seen.ok_or_else(|| Refusal::Missing(format!("There is no item {nid}.")))
}

/// The files of these media and no others.
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

fn delete_part(
    write: &mut Write<'_>,
    part: &Trashed,
    nid: i64,
    author: &Author,
) -> Result<(), DbError> {
    match part {
        Trashed::Entity(media) => {
            store::delete(write, media, author)?;
            write.went_with_item(EntityKind::Media, media.id, nid)
        }
        Trashed::File(file) => {
            put_into_trash(write, file, author)?;
            write.went_with_item(EntityKind::File, file.fid, nid)
        }
    }
}

fn count(parts: &[Trashed]) -> Deleted {
    let files = parts.iter().filter(|part| matches!(part, Trashed::File(_)));
    let files = files.count();
    Deleted {
        media: parts.len() - files,
        files,
    }
}
