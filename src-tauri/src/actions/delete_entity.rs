//! Taking a node, media or term out of the interface (interface, Endpoints, DELETE). What refers to
//! it stays, and keeps the id it referred to.

use super::{Author, Expected, Refusal, store};
use crate::content::EntityKind;
use crate::db::Db;

/// Deletes a resource that the actor may delete. Only at a revision that is `expected`.
///
/// # Errors
/// `NotFound` when it has gone meanwhile; `Lost` when the revision is another.
pub async fn delete_entity(
    db: &Db,
    kind: EntityKind,
    id: i64,
    author: Author,
    expected: Expected,
) -> Result<(), Refusal> {
    db.write(move |write| {
        let entity = write
            .entity(kind, id)?
            .ok_or(Refusal::NotFound { kind, id })?;
        expected.refuse_lost_race(&entity)?;
        Ok(store::delete(write, &entity, &author)?)
    })
    .await
}
