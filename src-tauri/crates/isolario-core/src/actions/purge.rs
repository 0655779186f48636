//! Emptying the trash: what goes from here is gone for good. Its id is never given again. What went there with an item
//! goes with it.

use super::trashed_item::went_with;
use super::upload_file::record;
use super::view_trash::{found_in_trash, one_in_trash, permit};
use super::write_with_reserve::write_with_reserve;
use super::{Author, Refusal, relocate, store};
use crate::repository::Repository;
use isolario_db::{DbError, TrashContent, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, Operation, PermittedChange};

/// What became of the trash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PurgeSummary {
    /// Things that are gone.
    pub purged: usize,
    /// Things that the actor may see there and may not remove.
    pub left: usize,
}

/// Rows of the trash that are looked at in one transaction.
const BATCH: usize = 100;

/// Removes one thing from the trash for good.
///
/// # Errors
/// `Missing` where it is not in the trash for this actor; `Denied` for it, or for what went with it.
pub async fn purge(
    repository: &Repository,
    kind: EntityKind,
    id: i64,
    actor: &Actor,
    author: Author,
) -> Result<(), Refusal> {
    let (model, actor) = (repository.model.clone(), actor.clone());
    let change = move |write: &mut Write<'_>| {
        let (_, thing) = one_in_trash(write, &actor, kind, id)?;
        let permitted = permit(&actor, Operation::Purge, &thing)?;
        if kind == EntityKind::Node {
            for (permitted, part) in went_with(write, &model, &actor, Operation::Purge, id)? {
                remove(write, &permitted, &part, &author)?;
            }
        }
        Ok::<_, Refusal>(remove(write, &permitted, &thing, &author)?)
    };
    write_with_reserve(repository, change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}

/// Removes everything from the trash that the actor may remove and that was there when this began.
///
/// # Errors
/// What the database refuses; what went before is gone.
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

/// One step of emptying, and where the next begins.
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
        if let Ok(permitted) = permit(actor, Operation::Purge, &thing) {
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
        TrashContent::Entity(entity) => store::purge(write, permitted, entity, author),
        TrashContent::File(file) => {
            relocate::erase(write, permitted, file)?;
            write.purge_file(permitted, file.fid)?;
            record(write, author, "purge", file.fid, &file.filename)
        }
    }
}
