//! Adjusts the picture of an original: what is made of it is cropped and rotated, and the original stays as it is.

use std::sync::Arc;

use super::derivative_jobs::{Original, original_of};
use super::view_entity::may_view;
use super::{Author, Precondition, Refusal, write_entity};
use crate::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_derive::is_picture;
use isolario_model::content::{ContentModel, Crop, Entity, EntityKind, PictureAdjustment};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::{Actor, Operation, permit};

/// Keeps an adjustment with the media of an original, which gets a revision, and asks for its derivatives anew. One that
/// changes nothing takes the former one away. Returns the media as committed.
///
/// # Errors
/// `Missing` where the actor may view no such media; `Denied` where they may not change it; `Lost` when it has another
/// revision than expected; `Invalid` for what is no original picture; `InvalidFields` for what is no adjustment of this
/// one; `Conflict` for a crop while nobody knows how large the picture is.
pub async fn adjust_picture(
    repository: &Arc<Repository>,
    mid: i64,
    adjustment: PictureAdjustment,
    actor: &Actor,
    mut author: Author,
    expected: Precondition,
) -> Result<Entity, Refusal> {
    author.log = Some(reason(&adjustment));
    let (model, actor) = (repository.model(), actor.clone());
    let write = repository
        .db
        .write(move |write| -> Result<Entity, Refusal> {
            let mut media = visible_media(write, mid, &actor)?;
            let permitted = permit(&actor, Operation::Update, &write.subject(&actor, &media)?)?;
            expected.refuse_lost_race(&media)?;
            let original = adjustable(write, &model, &media)?;
            let adjustment = check(write, &original, adjustment)?;
            let before = original.adjustment(&media);
            media.adjust_picture(Some(adjustment), &original.file.sha512);
            if original.adjustment(&media) == before {
                return Ok(media);
            }
            let at = author.at;
            let media = write_entity::update(write, &permitted, &model, media, &author)?;
            // Whoever adjusts a picture looks at it.
            write.prioritise_derivatives(mid, at)?;
            Ok(media)
        });
    let media: Entity = write.await?;
    repository.derivatives.wake();
    Ok(media)
}

/// What is said about the change in the history.
pub(super) fn reason(adjustment: &PictureAdjustment) -> String {
    let PictureAdjustment { rotation, crop } = adjustment;
    let crop = crop.map(|one| {
        let Crop {
            x,
            y,
            width,
            height,
        } = one;
        format!("cropped to {width} × {height} at {x}, {y}")
    });
    match (rotation, crop) {
        (0, None) => "Picture as in the original".into(),
        (0, Some(crop)) => format!("Picture {crop}"),
        (_, None) => format!("Picture rotated by {rotation}°"),
        (_, Some(crop)) => format!("Picture {crop}, rotated by {rotation}°"),
    }
}

fn visible_media(read: &Read<'_>, mid: i64, actor: &Actor) -> Result<Entity, Refusal> {
    if let Some(media) = read.entity(EntityKind::Media, mid)?
        && may_view(read, actor, &media)?
    {
        return Ok(media);
    }
    Err(Refusal::Missing(format!("There is no media {mid}.")))
}

/// The original that a media holds, if its picture can be adjusted.
///
/// # Errors
/// `Invalid` for what is no original picture.
pub(super) fn adjustable(
    read: &Read<'_>,
    model: &ContentModel,
    media: &Entity,
) -> Result<Original, Refusal> {
    let original = original_of(read, model, media)?;
    original
        .filter(|original| is_picture(&original.file.mime))
        .ok_or_else(|| Refusal::Invalid("Only the picture of an original file is adjusted.".into()))
}

/// The adjustment, without a crop that keeps the whole picture.
fn check(
    read: &Read<'_>,
    original: &Original,
    adjustment: PictureAdjustment,
) -> Result<PictureAdjustment, Refusal> {
    if ![0, 90, 180, 270].contains(&adjustment.rotation) {
        let words = "The rotation is 0, 90, 180 or 270 degrees clockwise.";
        return Err(Violation::of_field("rotation", ViolationCode::NotAChoice, words).into());
    }
    let Some(crop) = adjustment.crop else {
        return Ok(adjustment);
    };
    let Some((width, height)) = upright_size(read, original)? else {
        let words = "Nobody knows yet how large this picture is, so it cannot be cropped.";
        return Err(Refusal::Conflict(words.into()));
    };
    if !crop.is_within((width, height)) {
        let words = format!(
            "The crop has at least one pixel and lies within the picture, which has {width} × {height} pixels."
        );
        return Err(Violation::of_field("crop", ViolationCode::OutOfRange, words).into());
    }
    let is_whole = (crop.width, crop.height) == (width, height);
    Ok(PictureAdjustment {
        crop: (!is_whole).then_some(crop),
        ..adjustment
    })
}

/// Width and height of the upright picture: by the facts, or before these are known as the bytes were measured when
/// they came.
fn upright_size(read: &Read<'_>, original: &Original) -> Result<Option<(u32, u32)>, DbError> {
    let file = &original.file;
    let facts = read.file_facts(file.fid, file.version)?;
    let fact = |name: &str| u32::try_from(facts.as_ref()?.get(name)?.as_u64()?).ok();
    let known = fact("width").zip(fact("height"));
    let size = known.or(file.width.zip(file.height));
    let lies_on_its_side = matches!(fact("orientation"), Some(5..=8));
    Ok(match size {
        Some((width, height)) if lies_on_its_side => Some((height, width)),
        size => size,
    })
}
