//! Compares a change of a row with the change that the policy has permitted.

use super::DbError;
use isolario_model::content::{Entity, EntityKind};
use isolario_model::policy::{Denial, Operation, PermittedChange};

/// The operations that change the state of a resource.
const UPDATES: &[Operation] = &[
    Operation::Update,
    Operation::ReplaceBytes,
    Operation::Revert,
];

/// Refuses an operation or a row that was not permitted.
pub(super) fn require(
    permitted: &PermittedChange<'_>,
    operation: Operation,
    kind: EntityKind,
    id: i64,
) -> Result<(), DbError> {
    require_any(permitted, &[operation], kind, id)
}

/// As `require`, for one of several operations.
pub(super) fn require_any(
    permitted: &PermittedChange<'_>,
    operations: &[Operation],
    kind: EntityKind,
    id: i64,
) -> Result<(), DbError> {
    answer(permitted.is_for(operations, kind, id))
}

/// Refuses a new resource that is not the permitted one.
pub(super) fn require_new(permitted: &PermittedChange<'_>, entity: &Entity) -> Result<(), DbError> {
    answer(permitted.is_for_new(entity.kind, &entity.bundle))
}

/// Refuses a change of the state of a resource that was not permitted.
pub(super) fn require_update(
    permitted: &PermittedChange<'_>,
    entity: &Entity,
) -> Result<(), DbError> {
    require_any(permitted, UPDATES, entity.kind, entity.id)
}

/// Refuses a state of a resource that is neither a permitted new one nor a permitted change.
pub(super) fn require_state(
    permitted: &PermittedChange<'_>,
    entity: &Entity,
) -> Result<(), DbError> {
    require_new(permitted, entity).or_else(|_| require_update(permitted, entity))
}

/// Refuses files that no permitted change puts into a resource.
pub(super) fn require_content(permitted: &PermittedChange<'_>) -> Result<(), DbError> {
    answer(permitted.gives_content())
}

fn answer(is_permitted: bool) -> Result<(), DbError> {
    match is_permitted {
        true => Ok(()),
        false => Err(Denial::new("The policy has permitted another change.").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Db, Deletion};
    use isolario_model::policy::{Actor, Subject, permit};

    #[tokio::test]
    async fn another_change_than_the_permitted_one_is_refused() {
        let disk = tempfile::tempdir().unwrap();
        let db = Db::open(&disk.path().join("test.db")).unwrap();
        let refused = db.write(|write| -> Result<Vec<bool>, DbError> {
            let program = Actor::program();
            let mut page = Entity::new(EntityKind::Node, "page");
            let of_other = Entity::new(EntityKind::Node, "islandora_object");
            let create = permit(&program, Operation::Create, &Subject::of(&page))?;
            let other_bundle = write.insert_entity(&create, &of_other);
            page.id = write.insert_entity(&create, &page)?;
            let update = permit(&program, Operation::Update, &Subject::of(&page))?;
            write.update_entity(&update, &page)?;
            let (mut other_row, mut other_kind) = (page.clone(), page.clone());
            other_row.id += 1;
            other_kind.kind = EntityKind::Term;
            let deletion = Deletion {
                at: 1,
                actor: 1,
                origin: "rest",
            };
            Ok(vec![
                is_refused(&other_bundle),
                is_refused(&write.update_entity(&create, &page)),
                is_refused(&write.update_entity(&update, &other_row)),
                is_refused(&write.update_entity(&update, &other_kind)),
                is_refused(&write.mark_deleted(&update, page.kind, page.id, &deletion)),
                is_refused(&write.delete_file(&update, page.id, &deletion)),
            ])
        });
        assert_eq!(refused.await.unwrap(), [true; 6]);
    }

    fn is_refused<T>(outcome: &Result<T, DbError>) -> bool {
        matches!(outcome, Err(DbError::NotPermitted(_)))
    }
}
