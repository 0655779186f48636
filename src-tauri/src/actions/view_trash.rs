//! What somebody may find in the trash: what they may restore, if they might see it were it there.

use super::Refusal;
use super::view_file::{FileAccess, file_access};
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::EntityKind;
use crate::db::{DbError, Read, TrashRow, Trashed};

/// What a row of the trash is about, unless it is not there for this actor.
///
/// # Errors
/// What the database refuses.
pub fn found_in_trash(
    read: &Read<'_>,
    actor: &Actor,
    row: &TrashRow,
) -> Result<Option<Trashed>, DbError> {
    let Some(thing) = read.trashed(row)? else {
        return Ok(None);
    };
    let restorable = permit(actor, Operation::Restore, &thing).is_ok();
    Ok((restorable && is_visible(read, actor, &thing)?).then_some(thing))
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
) -> Result<(TrashRow, Trashed), Refusal> {
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

/// Whether the actor may do that to a thing in the trash.
///
/// # Errors
/// `Denied`, with the permission that is missing.
pub fn permit(actor: &Actor, operation: Operation, thing: &Trashed) -> Result<(), Refusal> {
    let subject = match thing {
        Trashed::Entity(entity) => Subject::of(entity),
        Trashed::File(file) => Subject::of_file(file),
    };
    Ok(may(actor, operation, &subject)?)
}

fn is_visible(read: &Read<'_>, actor: &Actor, thing: &Trashed) -> Result<bool, DbError> {
    match thing {
        Trashed::Entity(entity) => Ok(may(actor, Operation::View, &Subject::of(entity)).is_ok()),
        Trashed::File(file) => Ok(file_access(read, actor, file)? == FileAccess::Open),
    }
}
