//! Changes the next items of a batch, in one transaction.

mod former_bytes;

use std::sync::Arc;

use super::super::account_rules::as_of_now;
use super::super::containers::permit_creation;
use super::super::patch_entity::make;
use super::super::relocate;
use super::super::write_entity;
use super::super::write_with_reserve::write_with_reserve;
use super::super::{Author, Refusal};
use super::company::Company;
use super::item_work::{ItemVerdict, ItemWork, Judge, resource_of, settle};
use crate::repository::Repository;
use former_bytes::{bring_back, replaced_file};
use isolario_blobs::Blobs;
use isolario_db::{Batch, BatchItem, BatchItemState, BatchState, DbError, Read, Viewer, Write};
use isolario_disk::faults;
use isolario_model::content::{ContentModel, EntityKind, FileRecord};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, SignIn, permit};

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
    let model = repository.model();
    let open = repository.db.read(move |read| {
        let batch = read.batch(id)?.filter(|batch| batch.ended.is_none());
        batch
            .map(|batch| ItemWork::of(read, &batch, &model))
            .transpose()
    });
    let Some(work) = open.await? else {
        return Ok(false);
    };
    let (frees_space, moves_bytes) = (work.frees_space(), work.moves_bytes());
    let part = Part {
        model: repository.model(),
        blobs: repository.blobs.clone(),
        actor: actor.clone(),
        work: Arc::new(work),
        batch: id,
    };
    let asked = part.clone();
    let next = repository
        .db
        .read(move |read| asked.next_rows(read))
        .await?;
    let rows = match next {
        NextRows::Many(rows) => rows,
        NextRows::WithBytes(former) => {
            let more = bring_back(repository, part, former).await?;
            repository.derivatives.wake();
            return Ok(more);
        }
    };
    let change = move |write: &mut Write<'_>| part.make(write, rows);
    let more = match frees_space {
        true => write_with_reserve(repository, change).await?,
        false => repository.db.write(change).await?,
    };
    repository.derivatives.wake();
    if moves_bytes {
        relocate::follow(&repository.db, &repository.blobs).await;
    }
    Ok(more)
}

/// The next items of a batch.
#[derive(Clone)]
struct Part {
    model: Arc<ContentModel>,
    blobs: Blobs,
    actor: Actor,
    work: Arc<ItemWork>,
    batch: i64,
}

impl Part {
    /// The rows that come next: those up to the next one whose bytes come back, or that one.
    fn next_rows(&self, read: &Read<'_>) -> Result<NextRows, Refusal> {
        if !matches!(*self.work, ItemWork::Undo { .. }) {
            return Ok(NextRows::Many(PART));
        }
        let done = read.batch(self.batch)?.map_or(0, |batch| batch.done);
        let rows = read.batch_items(self.batch, done, PART)?;
        for (before, row) in rows.iter().enumerate() {
            match replaced_file(read, row) {
                Ok(None) => {}
                _ if before > 0 => return Ok(NextRows::Many(before)),
                Ok(Some(former)) => return Ok(NextRows::WithBytes(Ok(Box::new(former)))),
                Err(refusal) if refusal.is_of_one() => {
                    return Ok(NextRows::WithBytes(Err(refusal.to_string())));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(NextRows::Many(PART))
    }

    /// Does something with the next rows of the batch, at most so many, and notes what became of them. Returns whether
    /// more are left.
    ///
    /// # Errors
    /// Those of `change`; what the database refuses.
    fn take<'t>(
        &self,
        write: &mut Write<'t>,
        rows: usize,
        change: impl Fn(&mut Write<'t>, &Author, &mut BatchItem) -> Result<(), Refusal>,
    ) -> Result<bool, Refusal> {
        let batch = write.batch(self.batch)?;
        let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
            return Ok(false);
        };
        let mut items = write.batch_items(batch.id, batch.done, rows)?;
        let author = author_of(&batch);
        for item in &mut items {
            change(write, &author, item)?;
        }
        let done = i64::try_from(items.len()).unwrap_or(i64::MAX);
        write.end_batch_items(batch.id, &items)?;
        faults::point("batch");
        let more = done > 0 && batch.done + done < batch.total;
        if !more {
            write.end_batch(batch.id, BatchState::Done, None, author.at)?;
        }
        Ok(more)
    }

    fn make(&self, write: &mut Write<'_>, rows: usize) -> Result<bool, Refusal> {
        let judge = Judge {
            model: &self.model,
            actor: &as_of_now(write, &self.actor)?,
            work: &self.work,
            company: &Company::Batch(self.batch),
        };
        self.take(write, rows, |write, author, item| {
            change_item(write, &judge, &self.blobs, author, item)
        })
    }
}

/// What a batch does next.
enum NextRows {
    /// The next rows, at most so many.
    Many(usize),
    /// The next row, whose file gets these bytes back, or does not, with the reason.
    WithBytes(Result<Box<FileRecord>, String>),
}

pub(super) fn author_of(batch: &Batch) -> Author {
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
pub(super) fn change_item<'t>(
    write: &mut Write<'t>,
    judge: &Judge<'_>,
    blobs: &Blobs,
    author: &Author,
    row: &mut BatchItem,
) -> Result<(), Refusal> {
    let item = resource_of(write, judge, row)?;
    let verdict = match is_still_used(write, judge, row)? {
        true => ItemVerdict::Denied("It is still used by what could not be changed.".into()),
        false => judge.judge(write, row, item.as_ref())?,
    };
    (row.revisions, row.parts) = (None, None);
    let made = match (verdict, item) {
        (ItemVerdict::Changes(update), Some(item)) => write.attempt(|write| {
            let before = item.revision;
            let permitted = permit(
                judge.actor,
                Operation::Update,
                &write.subject(judge.actor, &item)?,
            )?;
            let author = Author {
                log: update.log.clone(),
                ..author.clone()
            };
            let item = make(
                write,
                &permitted,
                judge.model,
                item,
                &update,
                (judge.actor, &author),
            )?;
            Ok::<_, Refusal>(((before, item.revision), None))
        }),
        (ItemVerdict::Moves(moved), _) => write.attempt(|write| {
            moved.make(write, judge.model, blobs, author)?;
            let others = i64::try_from(moved.others().count()).unwrap_or(i64::MAX);
            Ok(((moved.revision(), moved.revision()), Some(others)))
        }),
        (ItemVerdict::Makes(copy), _) => write.attempt(|write| {
            let permitted = permit_creation(write, judge.actor, &copy)?;
            let copy = write_entity::create(write, &permitted, judge.model, *copy, author)?;
            row.id = copy.id;
            Ok(((copy.revision, copy.revision), Some(0)))
        }),
        (verdict, _) => {
            note(row, verdict);
            return Ok(());
        }
    };
    match made {
        Ok((revisions, parts)) => {
            row.state = BatchItemState::Changed;
            (row.revisions, row.parts) = (Some(revisions), parts);
        }
        Err(refusal) => note(row, settle(Err(refusal))?),
    }
    Ok(())
}

/// Whether what the actor may see still refers to a term that is merged.
fn is_still_used(
    write: &mut Write<'_>,
    judge: &Judge<'_>,
    row: &BatchItem,
) -> Result<bool, DbError> {
    match judge.work {
        ItemWork::Merge(plan) if row.kind == EntityKind::Term && plan.terms.contains(&row.id) => {
            let viewer = Viewer::of(judge.actor);
            let uses = write
                .lists()?
                .uses_of_terms(&[row.id], &viewer, None, plan.terms.len() + 1);
            Ok(uses?
                .iter()
                .any(|(kind, id)| *kind != EntityKind::Term || !plan.includes(*id)))
        }
        _ => Ok(false),
    }
}

fn note(row: &mut BatchItem, verdict: ItemVerdict<'_>) {
    (row.state, row.message) = match verdict {
        ItemVerdict::Changes(_) | ItemVerdict::Moves(_) | ItemVerdict::Makes(_) => {
            (BatchItemState::Changed, None)
        }
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
            (BatchState::Running | BatchState::Paused, Some(actor)) => found.push((batch, actor)),
            (BatchState::Running | BatchState::Paused, None) => {
                fail(repository, batch.id, "Its author is no longer signed in.").await;
            }
            _ => fail(repository, batch.id, "The program ended before it began.").await,
        }
    }
    Ok(found)
}
