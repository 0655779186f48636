//! Purges the trash. A purged resource never comes back, and its id is never reissued. An item is purged with the media
//! and files that were deleted with it.

use super::trashed_item::{PermittedPart, whole_entry};
use super::upload_file::record;
use super::view_trash::{found_in_trash, permit};
use super::write_with_reserve::write_with_reserve;
use super::{Author, Refusal, relocate, write_entity};
use crate::repository::Repository;
use isolario_db::{DbError, TrashContent, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, Operation, PermittedChange};

/// The outcome of emptying the trash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PurgeSummary {
    /// Entries that were purged.
    pub purged: usize,
    /// Entries that the actor may view and may not purge.
    pub left: usize,
}

/// Rows of the trash that one transaction reads.
const BATCH: usize = 100;

/// Purges one entry of the trash.
///
/// # Errors
/// `Missing` when the actor may view no such entry; `Denied` for it, or for what was deleted with it.
pub async fn purge(
    repository: &Repository,
    kind: EntityKind,
    id: i64,
    actor: &Actor,
    author: Author,
) -> Result<(), Refusal> {
    let (model, actor) = (repository.model(), actor.clone());
    let change = move |write: &mut Write<'_>| {
        let parts = whole_entry(write, &model, &actor, Operation::Purge, (kind, id))?;
        Ok::<_, Refusal>(purge_all(write, &parts, &author)?)
    };
    write_with_reserve(repository, change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}

/// Purges what is permitted, within a transaction.
///
/// # Errors
/// What the database refuses.
pub(super) fn purge_all<'t>(
    write: &mut Write<'t>,
    parts: &[PermittedPart<'t>],
    author: &Author,
) -> Result<(), DbError> {
    for (permitted, thing) in parts {
        remove(write, permitted, thing, author)?;
    }
    Ok(())
}

/// Purges the entries that the actor may purge and that were in the trash when this began.
///
/// # Errors
/// What the database refuses. Entries that were purged before stay purged.
pub async fn empty(
    repository: &Repository,
    actor: &Actor,
    author: Author,
) -> Result<PurgeSummary, Refusal> {
    let (mut all, mut before) = (PurgeSummary::default(), i64::MAX);
    loop {
        let (actor, author) = (actor.clone(), author.clone());
        let change = move |write: &mut Write<'_>| Ok(empty_batch(write, &actor, &author, before)?);
        let (emptied, next) = write_with_reserve(repository, change).await?;
        all.purged += emptied.purged;
        all.left += emptied.left;
        relocate::follow(&repository.db, &repository.blobs).await;
        match next {
            Some(number) => before = number,
            None => return Ok(all),
        }
    }
}

/// One step of emptying the trash, and where the next one begins.
fn empty_batch(
    write: &mut Write<'_>,
    actor: &Actor,
    author: &Author,
    before: i64,
) -> Result<(PurgeSummary, Option<i64>), DbError> {
    let mut emptied = PurgeSummary::default();
    let rows = write.trash_before(before, None, BATCH)?;
    for row in &rows {
        let Some(thing) = found_in_trash(write, actor, row)? else {
            continue;
        };
        if let Ok(permitted) = permit(write, actor, Operation::Purge, &thing) {
            remove(write, &permitted, &thing, author)?;
            emptied.purged += 1;
        } else {
            emptied.left += 1;
        }
    }
    Ok((emptied, rows.last().map(|row| row.number)))
}

fn remove<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    thing: &TrashContent,
    author: &Author,
) -> Result<(), DbError> {
    match thing {
        TrashContent::Entity(entity) => write_entity::purge(write, permitted, entity, author),
        TrashContent::File(file) => {
            relocate::erase(write, permitted, file)?;
            write.purge_file(permitted, file.fid)?;
            record(write, author, "purge", file.fid, &file.filename)
        }
    }
}
