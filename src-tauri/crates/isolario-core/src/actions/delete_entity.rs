//! Taking a node, media or term out of the interface (interface, Endpoints, DELETE). What refers to
//! it stays, and keeps the id it referred to.

use super::write_with_reserve::write_with_reserve;
use super::{Author, Precondition, Refusal, write_entity};
use crate::repository::Repository;
use isolario_db::Write;
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, Operation, permit};

/// Deletes a resource, if the actor may when it comes to that. Only at a revision that is `expected`.
///
/// # Errors
/// `Denied`; `NotFound` when it has gone meanwhile; `Lost` when the revision is another.
pub async fn delete_entity(
    repository: &Repository,
    kind: EntityKind,
    id: i64,
    actor: &Actor,
    author: Author,
    expected: Precondition,
) -> Result<(), Refusal> {
    let actor = actor.clone();
    let change = move |write: &mut Write<'_>| delete(write, kind, id, &actor, &author, &expected);
    write_with_reserve(repository, change).await
}

/// The deletion, within a transaction.
///
/// # Errors
/// As `delete_entity`.
pub(super) fn delete(
    write: &mut Write<'_>,
    kind: EntityKind,
    id: i64,
    actor: &Actor,
    author: &Author,
    expected: &Precondition,
) -> Result<(), Refusal> {
    let entity = write
        .entity(kind, id)?
        .ok_or(Refusal::NotFound { kind, id })?;
    let permitted = permit(actor, Operation::Delete, &write.subject(actor, &entity)?)?;
    expected.refuse_lost_race(&entity)?;
    Ok(write_entity::delete(write, &permitted, &entity, author)?)
}
