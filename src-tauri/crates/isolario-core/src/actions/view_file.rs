//! Whether an actor may view a file, its record and its bytes.

use std::path::PathBuf;

use super::Refusal;
use super::view_entity::may_view_target;
use crate::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_model::content::FileRecord;
use isolario_model::policy::{Actor, Subject, may_view};

/// Whether somebody may have a file: whoever may see a media that uses it. A file that nothing uses is its owner's, and
/// theirs who administer media.
///
/// # Errors
/// What the database refuses.
pub fn may_view_file(read: &Read<'_>, actor: &Actor, file: &FileRecord) -> Result<bool, DbError> {
    let users = read.media_using_file(file.fid)?;
    for media in &users {
        if may_view_target(read, actor, media)? {
            return Ok(true);
        }
    }
    Ok(users.is_empty() && may_view_alone(actor, file))
}

/// Whether somebody may have a file that nothing uses.
pub(super) fn may_view_alone(actor: &Actor, file: &FileRecord) -> bool {
    may_view(actor, &Subject::of_file(file), &[]).is_ok()
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
