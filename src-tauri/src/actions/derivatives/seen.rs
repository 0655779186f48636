//! Who may know what is made of an original file.

use crate::actions::view_version::may_view_nodes;
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{Derivative, Entity, EntityKind};
use crate::db::{DbError, Read};

/// The media with the original, for whoever may see it and the items that it belongs to.
///
/// # Errors
/// What the database refuses.
pub fn original_seen(
    read: &Read<'_>,
    actor: &Actor,
    derivative: &Derivative,
) -> Result<Option<Entity>, DbError> {
    let Some(media) = read.entity(EntityKind::Media, derivative.mid)? else {
        return Ok(None);
    };
    let seen = may(actor, Operation::View, &Subject::of(&media)).is_ok()
        && may_view_nodes(read, actor, &media.references("field_media_of"))?;
    Ok(seen.then_some(media))
}
