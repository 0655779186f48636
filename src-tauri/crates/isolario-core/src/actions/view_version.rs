//! Whether an actor may view the bytes of a version of a file.

use super::view_entity::may_view;
use super::view_entity::{may_view_alone, may_view_file};
use isolario_db::{DbError, Read};
use isolario_model::content::{Entity, EntityKind, FileRecord};
use isolario_model::policy::{Actor, Operation, may};

/// An actor who may view the file may view its current bytes. A former version belongs to the revisions of the live
/// media that used it: an actor may view it who may view such a revision and the current media. A version that no media
/// used may be viewed by its owner and by those who administer media.
///
/// # Errors
/// What the database refuses.
pub fn may_view_version(
    read: &Read<'_>,
    actor: &Actor,
    file: &FileRecord,
    version: i64,
) -> Result<bool, DbError> {
    if version == file.version && may_view_file(read, actor, file)? {
        return Ok(true);
    }
    let mut shown = false;
    for (mid, revision) in read.media_revisions_of_version(file.fid, version)? {
        let Some(media) = read.entity(EntityKind::Media, mid)? else {
            continue;
        };
        if may_view_through(read, actor, &media, revision)? {
            return Ok(true);
        }
        shown = true;
    }
    Ok(!shown && version != file.version && may_view_alone(actor, file))
}

fn may_view_through(
    read: &Read<'_>,
    actor: &Actor,
    media: &Entity,
    revision: i64,
) -> Result<bool, DbError> {
    let Some(former) = read.at_revision(media, revision)? else {
        return Ok(false);
    };
    Ok(may(
        actor,
        Operation::ViewRevisions,
        &read.subject(actor, media)?,
    )
    .is_ok()
        && may_view(read, actor, media)?
        && may_view(read, actor, &former)?)
}
