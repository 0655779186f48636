//! Taking a file out of the interface (interface, Endpoints, DELETE). Media that use it keep the id;
//! its bytes leave the public tree, and its address is never given to another.

use super::store::deletion_of;
use super::upload_file::record;
use super::{Author, Refusal, relocate};
use crate::content::EntityKind;
use crate::repository::Repository;

/// Deletes a file that the actor may delete. With `expected`, only at that version of its bytes.
///
/// # Errors
/// `NotFound` when it has gone meanwhile; `Lost` when the version is another.
pub async fn delete_file(
    repository: &Repository,
    fid: i64,
    author: Author,
    expected: Option<i64>,
) -> Result<(), Refusal> {
    let change = repository.db.write(move |write| {
        let (kind, id) = (EntityKind::File, fid);
        let file = write.file(fid)?.ok_or(Refusal::NotFound { kind, id })?;
        if expected.is_some_and(|version| version != file.version) {
            return Err(Refusal::Lost(
                "Somebody else has changed this since you read it. Nothing was changed.".into(),
            ));
        }
        write.delete_file(fid, &deletion_of(&author))?;
        relocate::retire(write, fid, file.version)?;
        Ok(record(write, &author, "delete", fid, &file.filename)?)
    });
    change.await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}
