//! Whether somebody may have a file, its record and its bytes.

use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{Entity, EntityKind, FileRecord};
use crate::db::{DbError, Read};

/// A file may be seen by whoever may see a media that uses it and the node that media belongs to. A
/// file that nothing uses is its owner's, and theirs who administer media.
///
/// # Errors
/// What the database refuses.
pub fn may_view_file(read: &Read<'_>, actor: &Actor, file: &FileRecord) -> Result<bool, DbError> {
    let users = read.media_using_file(file.fid)?;
    if users.is_empty() {
        let own = !actor.is_anonymous() && file.uid == actor.uid;
        return Ok(own || actor.can("administer media"));
    }
    for media in &users {
        if may_view_media(actor, media) && may_view_node_of(read, actor, media)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn may_view_media(actor: &Actor, media: &Entity) -> bool {
    let subject = Subject {
        kind: EntityKind::Media,
        bundle: &media.bundle,
        owner: media.owner(),
        published: media.is_published(),
    };
    may(actor, Operation::View, &subject).is_ok()
}

/// A node that has been deleted hides nothing.
fn may_view_node_of(read: &Read<'_>, actor: &Actor, media: &Entity) -> Result<bool, DbError> {
    for nid in media.references("field_media_of") {
        if let Some(node) = read.target(EntityKind::Node, nid)? {
            let subject = Subject {
                kind: node.kind,
                bundle: &node.bundle,
                owner: node.owner,
                published: node.published,
            };
            if may(actor, Operation::View, &subject).is_err() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
