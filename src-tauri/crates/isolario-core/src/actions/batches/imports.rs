//! Imports as batches: each resource that an import makes or changes is noted in the transaction that does so, so that
//! all of it is taken back at once.

use std::sync::Arc;

use super::super::Refusal;
use super::begin::{found, new_batch, refuse_many};
use super::import_plan::ImportPlan;
use crate::repository::Repository;
use isolario_db::{Batch, BatchItem, BatchItemState, BatchState, DbError, Write};
use isolario_disk::faults;
use isolario_model::content::{Entity, EntityKind, field_roles};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;
use tokio::sync::OwnedMutexGuard;

/// The only import that runs.
#[derive(Debug)]
pub struct ImportTurn(#[expect(dead_code, reason = "held, not read")] OwnedMutexGuard<()>);

/// Takes the turn of an import.
///
/// # Errors
/// `Conflict` while another one has it.
pub fn import_turn(repository: &Repository) -> Result<ImportTurn, Refusal> {
    let turn = repository.import_turn.clone().try_lock_owned();
    let busy = |_| Refusal::Conflict("An import is in progress.".into());
    turn.map(ImportTurn).map_err(busy)
}

/// Writes down a batch that imports, or goes on with one of the same plan that broke off. Other imports that broke off
/// are ended. `nodes` is how many are expected.
///
/// # Errors
/// `TooMany` where the actor has many open batches; what the database refuses.
pub async fn begin_import(
    repository: &Repository,
    actor: &Actor,
    _turn: &ImportTurn,
    plan: ImportPlan,
    nodes: i64,
) -> Result<Batch, Refusal> {
    let actor = actor.clone();
    let begun = repository.db.write(move |write| {
        let open = write.open_batches()?;
        let begun = plan.begun(&open).filter(|batch| batch.uid == actor.uid);
        let begun = begun.map(|batch| batch.id);
        let reason = "The program ended before the import did.";
        for other in open.iter().filter(|batch| ImportPlan::of(batch).is_some()) {
            if Some(other.id) != begun {
                write.end_batch(other.id, BatchState::Failed, Some(reason), now())?;
            }
        }
        let id = match begun {
            Some(id) => id,
            None => {
                refuse_many(write, actor.uid)?;
                let text = plan.to_text().map_err(DbError::from)?;
                write.add_batch(&new_batch(&actor, Origin::Import, text, None, 0))?
            }
        };
        write.begin_batch_again(id, nodes)?;
        write.run_batch(id)?;
        found(write, id)
    });
    begun.await
}

/// Whether a batch has not ended.
///
/// # Errors
/// What the database refuses.
pub fn is_open(repository: &Repository, id: i64) -> Result<bool, DbError> {
    let batch = repository.db.read_here(|read| read.batch(id))?;
    Ok(batch.is_some_and(|batch| batch.ended.is_none()))
}

/// Ends a batch of which everything was brought.
///
/// # Errors
/// What the database refuses.
pub async fn complete_import(repository: &Repository, id: i64) -> Result<(), DbError> {
    let completed = repository
        .db
        .write(move |write| write.complete_batch(id, now()));
    completed.await?;
    repository.batches.happened();
    Ok(())
}

/// Notes that an import was cancelled by the one who asked for it.
pub async fn cancel_import(repository: &Repository, id: i64) {
    let ended = repository
        .db
        .write(move |write| write.end_batch(id, BatchState::Cancelled, None, now()));
    if let Err(error) = ended.await {
        tracing::error!(%error, id, "an import could not be ended");
    }
}

/// Notes a resource that an import has made. Media of an item that it has made go with this one.
///
/// # Errors
/// What the database refuses.
pub fn note_made(write: &mut Write<'_>, batch: i64, made: &Entity) -> Result<(), DbError> {
    if made.kind == EntityKind::Media {
        for nid in made.references(&field_roles().media_of) {
            if write.is_made_in_batch(batch, EntityKind::Node, nid)? {
                return Ok(());
            }
        }
    }
    let has_media = made.kind == EntityKind::Node;
    let item = BatchItem {
        revisions: Some((made.revision, made.revision)),
        parts: Some(i64::from(has_media)),
        ..outcome(made.kind, made.id, BatchItemState::Changed)
    };
    write.add_batch_outcome(batch, made.kind, made.id, &item)?;
    faults::point("import");
    Ok(())
}

/// Notes a resource that an import has changed, with its revision before.
///
/// # Errors
/// What the database refuses.
pub fn note_changed(
    write: &mut Write<'_>,
    batch: i64,
    changed: &Entity,
    before: i64,
) -> Result<(), DbError> {
    let (kind, id) = (changed.kind, changed.id);
    if write.renew_batch_outcome(batch, kind, id, changed.revision)? {
        return Ok(());
    }
    if kind == EntityKind::Media {
        for nid in changed.references(&field_roles().media_of) {
            if write.is_made_in_batch(batch, EntityKind::Node, nid)? {
                return Ok(());
            }
        }
    }
    let item = BatchItem {
        revisions: Some((before, changed.revision)),
        ..outcome(kind, id, BatchItemState::Changed)
    };
    write.add_batch_outcome(batch, kind, id, &item)
}

/// Notes an item that stays as it is here; `None` with the reason for one that could not come.
///
/// # Errors
/// What the database refuses.
pub async fn note_node(
    repository: &Repository,
    batch: i64,
    nid: Option<i64>,
    reason: Option<String>,
) -> Result<(), DbError> {
    let noted = repository.db.write(move |write| {
        let node = EntityKind::Node;
        if let Some(nid) = nid
            && write.is_in_batch(batch, node, nid)?
        {
            return Ok(());
        }
        let state = match nid {
            Some(_) => BatchItemState::Unchanged,
            None => BatchItemState::Refused,
        };
        let item = BatchItem {
            message: reason,
            ..outcome(node, nid.unwrap_or(0), state)
        };
        write.add_batch_outcome(batch, node, nid.unwrap_or(0), &item)
    });
    noted.await
}

fn outcome(kind: EntityKind, id: i64, state: BatchItemState) -> BatchItem {
    BatchItem {
        position: 0,
        kind,
        id,
        state,
        revisions: None,
        parts: None,
        message: None,
    }
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}

/// The imports that a former run of the program has left, with their authors as they are now.
///
/// # Errors
/// What the database refuses.
pub async fn left_imports(
    repository: &Arc<Repository>,
) -> Result<Vec<(Batch, ImportPlan, Actor)>, DbError> {
    let left = super::resumable(repository).await?.into_iter();
    let left = left.filter_map(|(batch, actor)| {
        let plan = ImportPlan::of(&batch)?;
        Some((batch, plan, actor))
    });
    Ok(left.collect())
}
