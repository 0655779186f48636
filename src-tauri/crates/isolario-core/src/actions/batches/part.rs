//! Changes the next items of a batch, in one transaction.

use std::sync::Arc;

use super::super::account_rules::as_of_now;
use super::super::update_entity::make;
use super::super::{Author, Refusal};
use super::item_work::{ItemVerdict, ItemWork, judge, settle};
use crate::repository::Repository;
use isolario_db::{Batch, BatchItem, BatchItemState, BatchState, DbError, Write};
use isolario_disk::faults;
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, SignIn, Subject, permit};

/// Items that share a transaction. Others who write wait for so many at most.
const PART: usize = 200;

/// Changes the next items of a batch. They are on disk when this returns. Returns whether more are left.
///
/// # Errors
/// What ends the batch: the author's account has changed, or the database fails.
pub async fn change_next(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
) -> Result<bool, Refusal> {
    let (model, actor) = (repository.model.clone(), actor.clone());
    repository
        .db
        .write(move |write| {
            let batch = write.batch(id)?;
            let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
                return Ok(false);
            };
            let actor = as_of_now(write, &actor)?;
            let work = ItemWork::of(&batch, &model)?;
            let mut items = write.batch_items(id, batch.done, PART)?;
            let author = author_of(&batch);
            for item in &mut items {
                change_item(write, &model, &actor, &work, &author, item)?;
            }
            let done = i64::try_from(items.len()).unwrap_or(i64::MAX);
            write.end_batch_items(id, &items)?;
            faults::point("batch");
            let more = done > 0 && batch.done + done < batch.total;
            if !more {
                write.end_batch(id, BatchState::Done, None, author.at)?;
            }
            Ok(more)
        })
        .await
}

fn author_of(batch: &Batch) -> Author {
    let mut origins = Origin::ALL.into_iter();
    let origin = origins.find(|origin| origin.name() == batch.origin);
    Author {
        uid: batch.uid,
        origin: origin.unwrap_or(Origin::Rest),
        at: chrono::Utc::now().timestamp(),
        log: None,
        batch: Some(batch.id),
    }
}

/// Changes an item, and notes in `row` what became of it.
fn change_item(
    write: &mut Write<'_>,
    model: &ContentModel,
    actor: &Actor,
    work: &ItemWork,
    author: &Author,
    row: &mut BatchItem,
) -> Result<(), Refusal> {
    let item = write.entity(EntityKind::Node, row.node)?;
    let revisions = row.revisions.take();
    let before = item.as_ref().map(|item| item.revision);
    let verdict = judge(write, model, actor, work, item.as_ref(), revisions)?;
    let (ItemVerdict::Changes(update), Some(item)) = (&verdict, item) else {
        note(row, verdict);
        return Ok(());
    };
    let made = write.attempt(|write| {
        let permitted = permit(actor, Operation::Update, &Subject::of(&item))?;
        make(write, &permitted, model, item, update, author)
    });
    match made {
        Ok(item) => {
            row.state = BatchItemState::Changed;
            row.revisions = before.map(|before| (before, item.revision));
        }
        Err(refusal) => note(row, settle(Err(refusal))?),
    }
    Ok(())
}

fn note(row: &mut BatchItem, verdict: ItemVerdict) {
    (row.state, row.message) = match verdict {
        ItemVerdict::Changes(_) => (BatchItemState::Changed, None),
        ItemVerdict::Stays(reason) => (BatchItemState::Unchanged, Some(reason.name().to_owned())),
        ItemVerdict::Denied(words) | ItemVerdict::Invalid(words) => {
            (BatchItemState::Refused, Some(words))
        }
    };
}

/// Ends a batch early, with the reason.
pub async fn fail(repository: &Arc<Repository>, id: i64, reason: &str) {
    let (reason, at) = (reason.to_owned(), chrono::Utc::now().timestamp());
    let ended = repository
        .db
        .write(move |write| write.end_batch(id, BatchState::Failed, Some(&reason), at));
    if let Err(error) = ended.await {
        tracing::error!(%error, id, "a batch could not be ended");
    }
}

/// The batches that a former run of the program has left, with their authors as they are now. Those that cannot go on
/// are ended.
///
/// # Errors
/// What the database refuses.
pub async fn resumable(repository: &Arc<Repository>) -> Result<Vec<(Batch, Actor)>, DbError> {
    let mut found = Vec::new();
    for batch in repository.db.read(|read| read.open_batches()).await? {
        let sign_in = SignIn::parse(&batch.sign_in);
        let actor = repository.authenticator.as_of_now(batch.uid, &sign_in)?;
        match (batch.state, actor) {
            (BatchState::Running, Some(actor)) => found.push((batch, actor)),
            (BatchState::Running, None) => {
                fail(repository, batch.id, "Its author is no longer signed in.").await;
            }
            _ => fail(repository, batch.id, "The program ended before it began.").await,
        }
    }
    Ok(found)
}
