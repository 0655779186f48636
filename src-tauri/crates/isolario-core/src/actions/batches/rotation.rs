//! Rotates the pictures of items, for a batch.

use super::super::Refusal;
use super::super::adjust_picture::{adjustable, reason};
use super::super::derivative_jobs::original_of;
use super::super::patch_entity::PreparedUpdate;
use super::super::view_entity::may_view;
use isolario_db::{DbError, Read};
use isolario_derive::is_picture;
use isolario_model::content::{ContentModel, Entity, picture_adjustment};
use isolario_model::policy::Actor;

/// Checks by how many degrees pictures are rotated.
///
/// # Errors
/// `Invalid` for others than 90, 180 and 270.
pub(super) fn check_rotation(by: u16) -> Result<(), Refusal> {
    match by {
        90 | 180 | 270 => Ok(()),
        _ => Err(Refusal::Invalid(
            "Pictures are rotated by 90, 180 or 270 degrees clockwise.".into(),
        )),
    }
}

/// The media with the original picture of an item, as far as the actor may view it.
///
/// # Errors
/// What the database refuses.
pub(super) fn picture_of(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    nid: i64,
) -> Result<Option<Entity>, DbError> {
    for media in read.media_of(nid)? {
        let original = original_of(read, model, &media)?;
        if original.is_some_and(|original| is_picture(&original.file.mime))
            && may_view(read, actor, &media)?
        {
            return Ok(Some(media));
        }
    }
    Ok(None)
}

/// The picture of a media, rotated further.
///
/// # Errors
/// `Invalid` where the media has no picture.
pub(super) fn rotation(
    read: &Read<'_>,
    model: &ContentModel,
    media: &Entity,
    by: u16,
) -> Result<PreparedUpdate, Refusal> {
    let original = adjustable(read, model, media)?;
    let mut adjustment = original.adjustment(media).unwrap_or_default();
    adjustment.rotation = (adjustment.rotation + by) % 360;
    let mut rotated = media.clone();
    rotated.adjust_picture(Some(adjustment), &original.file.sha512);
    let mut update = adjustment_of(&rotated);
    update.log = Some(reason(&adjustment));
    Ok(update)
}

/// The adjustment of a picture as it was before a revision.
///
/// # Errors
/// `Lost` where somebody has adjusted it since; `Missing` where the former state is not there any more.
pub(super) fn former_adjustment(
    read: &Read<'_>,
    media: &Entity,
    revisions: Option<(i64, i64)>,
) -> Result<PreparedUpdate, Refusal> {
    let gone = || Refusal::Missing("The state before the change is no longer there.".into());
    let (before, after) = revisions.ok_or_else(gone)?;
    let former = read.at_revision(media, before)?.ok_or_else(gone)?;
    let then = read.at_revision(media, after)?.ok_or_else(gone)?;
    let kept = |state: &Entity| state.items(picture_adjustment::KEPT_AS).to_vec();
    if kept(media) == kept(&former) {
        return Ok(PreparedUpdate::default());
    }
    if kept(media) != kept(&then) {
        return Err(Refusal::Lost(
            "Somebody has changed this since. Their change was kept.".into(),
        ));
    }
    Ok(adjustment_of(&former))
}

fn adjustment_of(media: &Entity) -> PreparedUpdate {
    let mut update = PreparedUpdate::default();
    let kept = picture_adjustment::KEPT_AS;
    update.set(kept, media.items(kept).to_vec());
    update
}
