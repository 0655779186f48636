//! Whether somebody may have the bytes that a file had at one of its versions.

use super::view_file::{FileAccess, file_access};
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{Entity, EntityKind, FileRecord, Target};
use crate::db::{DbError, Read};

/// The current bytes are open as the file is. Former ones belong to the revisions of media that
/// showed them, and that have not been deleted: they are for whoever may see such a revision, the media as it is now, and the nodes
/// that it belonged to then and belongs to now. Those that no media showed are as open as a file
/// that nothing uses: to its owner, and to those who administer media.
///
/// # Errors
/// What the database refuses.
pub fn may_view_version(
    read: &Read<'_>,
    actor: &Actor,
    file: &FileRecord,
    version: i64,
) -> Result<bool, DbError> {
    if version == file.version && file_access(read, actor, file)? == FileAccess::Open {
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
    let by_itself = may(actor, Operation::View, &Subject::of_file(file)).is_ok();
    Ok(!shown && version != file.version && by_itself)
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
    let subject = Subject::of(media);
    Ok(may(actor, Operation::View, &subject).is_ok()
        && may(actor, Operation::ViewRevisions, &subject).is_ok()
        && may(actor, Operation::View, &Subject::of(&former)).is_ok()
        && may_view_nodes(read, actor, &nodes_of(media))?
        && may_view_nodes(read, actor, &nodes_of(&former))?)
}

fn nodes_of(media: &Entity) -> Vec<i64> {
    media.references("field_media_of")
}

/// Whether all of these nodes may be seen. One that has been deleted hides nothing.
pub(super) fn may_view_nodes(
    read: &Read<'_>,
    actor: &Actor,
    nids: &[i64],
) -> Result<bool, DbError> {
    for &nid in nids {
        let node = read.target(EntityKind::Node, nid)?;
        let hides = |node: &Target| may(actor, Operation::View, &Subject::of_target(node)).is_err();
        if node.as_ref().is_some_and(hides) {
            return Ok(false);
        }
    }
    Ok(true)
}
