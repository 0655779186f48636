//! Whether somebody may have a file, its record and its bytes.

use super::view_version::may_view_nodes;
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{FileRecord, Target};
use crate::db::{DbError, Read};

/// How far a file is open to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAccess {
    /// It does not exist for them.
    Hidden,
    /// They may see a media that uses it, but not the node that media belongs to: they know of the
    /// file and may not have it.
    Withheld,
    Open,
}

/// A file may be had by whoever may see a media that uses it and the node that media belongs to. A
/// file that nothing uses is its owner's, and theirs who administer media.
///
/// # Errors
/// What the database refuses.
pub fn file_access(
    read: &Read<'_>,
    actor: &Actor,
    file: &FileRecord,
) -> Result<FileAccess, DbError> {
    let users = read.media_using_file(file.fid)?;
    if users.is_empty() {
        return Ok(match may(actor, Operation::View, &Subject::of_file(file)) {
            Ok(()) => FileAccess::Open,
            Err(_) => FileAccess::Hidden,
        });
    }
    let mut access = FileAccess::Hidden;
    for media in users.iter().filter(|media| may_view_media(actor, media)) {
        if may_view_nodes(read, actor, &read.nodes_of_media(media.id)?)? {
            return Ok(FileAccess::Open);
        }
        access = FileAccess::Withheld;
    }
    Ok(access)
}

/// Whether somebody may have a file.
///
/// # Errors
/// What the database refuses.
pub fn may_view_file(read: &Read<'_>, actor: &Actor, file: &FileRecord) -> Result<bool, DbError> {
    Ok(file_access(read, actor, file)? == FileAccess::Open)
}

fn may_view_media(actor: &Actor, media: &Target) -> bool {
    may(actor, Operation::View, &Subject::of_target(media)).is_ok()
}
