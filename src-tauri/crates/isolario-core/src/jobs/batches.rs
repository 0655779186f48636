//! Runs batches in the background, each in a task of its own. The items of a part are on disk before the next part
//! begins, and other changes come between.

use std::sync::Arc;

use super::pages::make_next;
use crate::actions::Refusal;
use crate::actions::batches::table::{
    TableCursor, import_next, remove_old_row_files, remove_rows_of,
};
use crate::actions::batches::{ImportPlan, PagePlan, TablePlan, change_next, fail, resumable};
use crate::repository::Repository;
use isolario_db::{Batch, BatchState};
use isolario_model::policy::Actor;

/// Changes the items of a batch, until all were tried, it is cancelled, or the program closes.
pub fn start_batch(repository: &Arc<Repository>, actor: &Actor, id: i64) {
    tokio::spawn(run(repository.clone(), actor.clone(), id));
}

/// Goes on with the batches that the last run of the program has left.
pub async fn resume_batches(repository: &Arc<Repository>) {
    if let Err(error) = remove_old_row_files(repository).await {
        tracing::error!(%error, "rows of former imports cannot be removed");
    }
    match resumable(repository).await {
        Ok(batches) => {
            // Imports are gone on with by those who read what is imported.
            let batches = batches.into_iter();
            for (batch, actor) in batches.filter(|(batch, _)| ImportPlan::of(batch).is_none()) {
                start_batch(repository, &actor, batch.id);
            }
        }
        Err(error) => tracing::error!(%error, "open batches cannot be looked at"),
    }
}

async fn take_step(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    cursor: &mut TableCursor,
) -> Result<bool, Refusal> {
    let batch = repository.db.read(move |read| read.batch(id)).await?;
    if batch.as_ref().and_then(TablePlan::of).is_some() {
        return import_next(repository, actor, id, cursor).await;
    }
    match batch.as_ref().and_then(PagePlan::of) {
        Some(_) => make_next(repository, actor, id).await,
        None => change_next(repository, actor, id).await,
    }
}

/// Waits until a batch may go on or has ended; false where the program closes before.
async fn wait_while_paused(repository: &Arc<Repository>, id: i64) -> bool {
    let mut changes = repository.batches.changes();
    loop {
        changes.mark_unchanged();
        let batch = repository.db.read(move |read| read.batch(id)).await;
        let is_paused = |batch: Batch| batch.state == BatchState::Paused;
        if !batch.ok().flatten().is_some_and(is_paused) {
            return true;
        }
        tokio::select! {
            _ = changes.changed() => {}
            () = repository.closing.cancelled() => return false,
        }
    }
}

async fn run(repository: Arc<Repository>, actor: Actor, id: i64) {
    let mut cursor = TableCursor::default();
    while !repository.closing.is_cancelled() {
        if !wait_while_paused(&repository, id).await {
            return;
        }
        let more = take_step(&repository, &actor, id, &mut cursor).await;
        if let Err(refusal) = &more {
            tracing::warn!(id, %refusal, "a batch ended early");
            fail(&repository, id, &refusal.to_string()).await;
        }
        repository.batches.happened();
        if !more.unwrap_or(false) {
            break;
        }
    }
    if let Ok(Some(batch)) = repository.db.read(move |read| read.batch(id)).await {
        remove_rows_of(&repository, &batch);
    }
}
