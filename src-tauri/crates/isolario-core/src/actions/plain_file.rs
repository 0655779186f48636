//! Files that programs of this machine may open by themselves.

use std::path::PathBuf;

use super::Refusal;
use super::view_entity::may_view_file;
use crate::repository::Repository;
use isolario_db::DbError;
use isolario_model::policy::Actor;

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
