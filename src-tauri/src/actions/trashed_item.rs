//! What went into the trash with an item (`delete_item`): it comes back with it, and goes for good with it.

use super::Refusal;
use super::source::files_of;
use super::view_file::{FileAccess, file_access};
use super::view_trash::permit;
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{ContentModel, EntityKind};
use crate::db::{DbError, Read, Trashed};

/// The files and then the media that went with an item, as far as the actor may do that to each of them. What they
/// might not see were it there stays where it is.
///
/// # Errors
/// `Denied` where they may see something and not do that to it.
pub fn went_with(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    operation: Operation,
    nid: i64,
) -> Result<Vec<Trashed>, Refusal> {
    let parts = seen_with(read, model, actor, nid)?;
    for part in &parts {
        permit(actor, operation, part)?;
    }
    Ok(parts)
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
) -> Result<Vec<Trashed>, DbError> {
    let (mut media, mut files) = (Vec::new(), Vec::new());
    for row in read.trashed_with(nid)? {
        match read.trashed(&row)? {
            Some(Trashed::Entity(entity)) if entity.kind == EntityKind::Media => media.push(entity),
            Some(Trashed::File(file)) => files.push(file),
            _ => {}
        }
    }
    media.retain(|media| may(actor, Operation::View, &Subject::of(media)).is_ok());
    let shown: Vec<i64> = media
        .iter()
        .flat_map(|media| files_of(model, media))
        .collect();
    let mut parts = Vec::new();
    for file in files {
        // Its media may have come back before it.
        if shown.contains(&file.fid) || file_access(read, actor, &file)? == FileAccess::Open {
            parts.push(Trashed::File(file));
        }
    }
    parts.extend(media.into_iter().map(Trashed::Entity));
    Ok(parts)
}
