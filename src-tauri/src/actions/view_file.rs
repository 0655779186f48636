//! Whether somebody may have a file, its record and its bytes.

use std::path::PathBuf;

use super::Refusal;
use super::view_version::may_view_nodes;
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{FileRecord, Target};
use crate::db::{DbError, Read};
use crate::repository::Repository;

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

/// Where the current bytes of a file lie as a plain file of this disk; `None` when they belong to the storage root,
/// whose files nobody touches by hand.
///
/// # Errors
/// `Missing` where the file is not there, or not for this actor; what the database refuses.
pub async fn plain_file(
    repository: &Repository,
    actor: &Actor,
    fid: i64,
) -> Result<Option<PathBuf>, Refusal> {
    let actor = actor.clone();
    let found = repository.db.read(move |read| {
        let file = read.file(fid)?;
        let visible = match &file {
            Some(file) => may_view_file(read, &actor, file)?,
            None => false,
        };
        Ok::<_, DbError>(file.filter(|_| visible))
    });
    let file = found.await?;
    let file = file.ok_or_else(|| Refusal::Missing(format!("There is no file {fid}.")))?;
    Ok(repository.blobs.plain_path(&file.blob))
}

fn may_view_media(actor: &Actor, media: &Target) -> bool {
    may(actor, Operation::View, &Subject::of_target(media)).is_ok()
}
