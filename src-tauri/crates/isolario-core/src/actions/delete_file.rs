//! Taking a file out of the interface (interface, Endpoints, DELETE). Media that use it keep the id;
//! its bytes leave the public tree, and its address is never given to another.

use super::upload_file::record;
use super::write_entity::deletion_of;
use super::write_with_reserve::write_with_reserve;
use super::{Author, Precondition, Refusal, relocate};
use crate::repository::Repository;
use isolario_db::{DbError, Write};
use isolario_model::content::{EntityKind, FileRecord};
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, permit};

/// Deletes a file, if the actor may when it comes to that. Only at a version of its bytes that is `expected`.
///
/// # Errors
/// `Denied`; `NotFound` when it has gone meanwhile; `Lost` when the version is another.
pub async fn delete_file(
    repository: &Repository,
    fid: i64,
    actor: &Actor,
    author: Author,
    expected: Precondition,
) -> Result<(), Refusal> {
    let actor = actor.clone();
    let change = move |write: &mut Write<'_>| {
        let (kind, id) = (EntityKind::File, fid);
        let file = write.file(fid)?.ok_or(Refusal::NotFound { kind, id })?;
        let permitted = permit(&actor, Operation::Delete, &Subject::of_file(&file))?;
        expected.refuse_other(file.version)?;
        Ok(put_into_trash(write, &permitted, &file, &author)?)
    };
    write_with_reserve(repository, change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}

/// Puts a file into the trash; its bytes are to follow.
///
/// # Errors
/// What the database refuses.
pub(super) fn put_into_trash<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    file: &FileRecord,
    author: &Author,
) -> Result<(), DbError> {
    write.delete_file(permitted, file.fid, &deletion_of(author))?;
    relocate::retire(write, permitted, file)?;
    record(write, author, "delete", file.fid, &file.filename)
}
