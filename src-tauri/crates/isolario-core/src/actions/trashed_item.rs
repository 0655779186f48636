//! What went into the trash with an item (`delete_item`): it comes back with it, and goes for good with it.

use super::Refusal;
use super::source_metadata::files_of;
use super::view_entity::may_view;
use super::view_entity::may_view_file;
use super::view_trash::permit;
use isolario_db::{DbError, Read, TrashContent};
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::{Actor, Operation, PermittedChange};

/// The files and then the media that went with an item, each with the permitted change. What the actor
/// might not see were it there stays where it is.
///
/// # Errors
/// `Denied` where they may see something and not do that to it.
pub fn went_with<'t>(
    read: &Read<'t>,
    model: &ContentModel,
    actor: &Actor,
    operation: Operation,
    nid: i64,
) -> Result<Vec<(PermittedChange<'t>, TrashContent)>, Refusal> {
    let parts = seen_with(read, model, actor, nid)?.into_iter();
    parts
        .map(|part| Ok((permit(actor, operation, &part)?, part)))
        .collect()
}

/// As `went_with`, whatever may be done to it.
///
/// # Errors
/// What the database refuses.
pub fn seen_with(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    nid: i64,
) -> Result<Vec<TrashContent>, DbError> {
    let (mut media, mut files) = (Vec::new(), Vec::new());
    for row in read.trashed_with(nid)? {
        match read.trashed(&row)? {
            Some(TrashContent::Entity(entity))
                if entity.kind == EntityKind::Media && may_view(read, actor, &entity)? =>
            {
                media.push(entity);
            }
            Some(TrashContent::File(file)) => files.push(file),
            _ => {}
        }
    }
    let shown: Vec<i64> = media
        .iter()
        .flat_map(|media| files_of(model, media))
        .collect();
    let mut parts = Vec::new();
    for file in files {
        // Its media may have come back before it.
        if shown.contains(&file.fid) || may_view_file(read, actor, &file)? {
            parts.push(TrashContent::File(file));
        }
    }
    parts.extend(media.into_iter().map(TrashContent::Entity));
    Ok(parts)
}
