//! What went into the trash with an item (`delete_item`): it comes back with it, and goes for good with it.

use super::Refusal;
use super::source_metadata::files_of;
use super::view_entity::may_view;
use super::view_entity::may_view_file;
use super::view_trash::{one_in_trash, permit};
use isolario_db::{DbError, Read, TrashContent};
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::{Actor, Operation, PermittedChange};

/// A resource or file that goes to the trash or leaves it, with the permission.
pub(super) type PermittedPart<'t> = (PermittedChange<'t>, TrashContent);

/// An entry of the trash and what went there with it: files, media, and last the entry itself. What the actor might not
/// see were it there stays where it is.
///
/// # Errors
/// `Missing` where the entry is not in the trash for this actor; `Denied` where they may see a part and not do that to it.
pub(super) fn whole_entry<'t>(
    read: &Read<'t>,
    model: &ContentModel,
    actor: &Actor,
    operation: Operation,
    (kind, id): (EntityKind, i64),
) -> Result<Vec<PermittedPart<'t>>, Refusal> {
    let (_, thing) = one_in_trash(read, actor, kind, id)?;
    let permitted = permit(read, actor, operation, &thing)?;
    let mut parts = Vec::new();
    if kind == EntityKind::Node {
        for part in seen_with(read, model, actor, id)? {
            parts.push((permit(read, actor, operation, &part)?, part));
        }
    }
    parts.push((permitted, thing));
    Ok(parts)
}

/// The files and then the media that went with an item, as far as the actor might see them were they there.
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
