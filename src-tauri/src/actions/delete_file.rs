//! Taking a file out of the interface (interface, Endpoints, DELETE). Media that use it keep the id;
//! its bytes leave the public tree, and its address is never given to another.

use super::store::deletion_of;
use super::upload_file::record;
use super::{Author, Expected, Refusal, relocate};
use crate::content::{EntityKind, FileRecord};
use crate::db::{DbError, Write};
use crate::repository::Repository;

/// Deletes a file that the actor may delete. Only at a version of its bytes that is `expected`.
///
/// # Errors
/// `NotFound` when it has gone meanwhile; `Lost` when the version is another.
pub async fn delete_file(
    repository: &Repository,
    fid: i64,
    author: Author,
    expected: Expected,
) -> Result<(), Refusal> {
    let change = repository.db.write(move |write| {
        let (kind, id) = (EntityKind::File, fid);
        let file = write.file(fid)?.ok_or(Refusal::NotFound { kind, id })?;
        expected.refuse_other(file.version)?;
        Ok::<_, Refusal>(put_into_trash(write, &file, &author)?)
    });
    change.await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}

/// Puts a file into the trash; its bytes are to follow.
///
/// # Errors
/// What the database refuses.
pub(super) fn put_into_trash(
    write: &mut Write<'_>,
    file: &FileRecord,
    author: &Author,
) -> Result<(), DbError> {
    write.delete_file(file.fid, &deletion_of(author))?;
    relocate::retire(write, file.fid, file.version)?;
    record(write, author, "delete", file.fid, &file.filename)
}
