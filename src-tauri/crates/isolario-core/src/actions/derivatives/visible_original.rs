//! Which actors may see the jobs of an original file.

use crate::actions::view_entity::may_view;
use isolario_db::{DbError, Read};
use isolario_model::content::{Derivative, Entity, EntityKind};
use isolario_model::policy::Actor;

/// The media with the original, if the actor may view it.
///
/// # Errors
/// What the database refuses.
pub fn visible_original(
    read: &Read<'_>,
    actor: &Actor,
    derivative: &Derivative,
) -> Result<Option<Entity>, DbError> {
    let Some(media) = read.entity(EntityKind::Media, derivative.mid)? else {
        return Ok(None);
    };
    Ok(may_view(read, actor, &media)?.then_some(media))
}
