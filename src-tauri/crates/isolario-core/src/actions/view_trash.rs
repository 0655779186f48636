//! What an actor may see in the trash: what they may restore, and could view if it were not deleted.

use super::Refusal;
use super::view_entity::may_view;
use super::view_entity::may_view_file;
use isolario_db::{DbError, Read, TrashContent, TrashRow};
use isolario_model::content::EntityKind;
use isolario_model::policy::{self, Actor, Operation, PermittedChange, Subject};

/// What a row of the trash is about, unless it is not there for this actor.
///
/// # Errors
/// What the database refuses.
pub fn found_in_trash(
    read: &Read<'_>,
    actor: &Actor,
    row: &TrashRow,
) -> Result<Option<TrashContent>, DbError> {
    let Some(thing) = read.trashed(row)? else {
        return Ok(None);
    };
    let restorable = permit(read, actor, Operation::Restore, &thing).is_ok();
    Ok((restorable && is_visible(read, actor, &thing)?).then_some(thing))
}

/// What a row of the trash is about, if it is listed for this actor. In the list of all kinds, what went with an item is
/// counted there.
///
/// # Errors
/// What the database refuses.
pub fn listed_in_trash(
    read: &Read<'_>,
    actor: &Actor,
    row: &TrashRow,
    kind: Option<EntityKind>,
) -> Result<Option<TrashContent>, DbError> {
    if kind.is_none()
        && let Some(nid) = row.item
        && let Some(item) = read.trash_row(EntityKind::Node, nid)?
        && found_in_trash(read, actor, &item)?.is_some()
    {
        return Ok(None);
    }
    found_in_trash(read, actor, row)
}

/// One thing in the trash.
///
/// # Errors
/// `Missing` where it is not there, or not for this actor.
pub fn one_in_trash(
    read: &Read<'_>,
    actor: &Actor,
    kind: EntityKind,
    id: i64,
) -> Result<(TrashRow, TrashContent), Refusal> {
    let missing = || {
        Refusal::Missing(format!(
            "There is no {} {id} in the trash.",
            kind.target_type()
        ))
    };
    let row = read.trash_row(kind, id)?.ok_or_else(missing)?;
    let thing = found_in_trash(read, actor, &row)?.ok_or_else(missing)?;
    Ok((row, thing))
}

/// Permits a change of a thing in the trash, or of one that goes there.
///
/// # Errors
/// `Denied`, with the permission that is missing.
pub fn permit<'t>(
    read: &Read<'t>,
    actor: &Actor,
    operation: Operation,
    thing: &TrashContent,
) -> Result<PermittedChange<'t>, Refusal> {
    let subject = match thing {
        TrashContent::Entity(entity) => read.subject(actor, entity)?,
        TrashContent::File(file) => Subject::of_file(file),
    };
    Ok(policy::permit(actor, operation, &subject)?)
}

/// Whether an actor may view a thing as it is now, or as it was when it went to the trash.
///
/// # Errors
/// What the database refuses.
pub(super) fn is_visible(
    read: &Read<'_>,
    actor: &Actor,
    thing: &TrashContent,
) -> Result<bool, DbError> {
    match thing {
        TrashContent::Entity(entity) => may_view(read, actor, entity),
        TrashContent::File(file) => may_view_file(read, actor, file),
    }
}
