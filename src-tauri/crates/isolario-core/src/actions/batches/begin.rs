//! Begins, cancels and takes back batches.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::Refusal;
use super::super::view_trash::listed_in_trash;
use super::import_plan::ImportPlan;
use super::item_work::ItemWork;
use super::merge_plan::MergePlan;
use super::page_plan::PagePlan;
use crate::repository::Repository;
use isolario_db::{
    Batch, BatchState, Cursor, DbError, ItemFilter, ItemSort, NewBatch, Order, Read, Start, Viewer,
    Write,
};
use isolario_model::content::EntityKind;
use isolario_model::item_change::ItemChange;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Denial};

/// Items that are written down in one transaction.
const PAGE: usize = 10_000;
/// Batches of one account that have not ended.
const MOST_OPEN: usize = 20;

/// Names the items of a batch.
#[derive(Debug, Clone)]
pub enum ItemSource {
    /// By kind and id.
    Ids(Vec<(EntityKind, i64)>),
    /// All items of a list.
    List(Box<ItemFilter>, Order),
    /// An item, and then everything below it.
    WithBelow(i64),
    /// All entries of the trash, or all of one kind.
    Trash(Option<EntityKind>),
    /// What uses merged terms, then the term that stays, then the merged terms.
    Merge(MergePlan),
}

/// Writes down a batch with its items. Its first item is changed when it is run.
///
/// # Errors
/// `Denied` for nobody; `Invalid` for a change that makes no sense; `TooMany` where the actor has many open batches.
pub async fn begin(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    source: ItemSource,
    change: ItemChange,
    seen: i64,
) -> Result<Batch, Refusal> {
    ItemWork::of_change(change.clone(), seen, &repository.model())?;
    let text = serde_json::to_string(&change).map_err(DbError::from)?;
    begin_stored(repository, actor, origin, source, text, seen).await
}

/// As `begin`, for a change as the database keeps it.
///
/// # Errors
/// `TooMany` where the actor has many open batches.
pub(super) async fn begin_stored(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    source: ItemSource,
    text: String,
    seen: i64,
) -> Result<Batch, Refusal> {
    let new = new_batch(actor, origin, text, None, seen);
    let id = repository
        .db
        .write(move |write| {
            refuse_many(write, new.uid)?;
            Ok::<_, Refusal>(write.add_batch(&new)?)
        })
        .await?;
    let mut pages = pages_of(repository, actor, source);
    loop {
        let page = match pages.next().await {
            Ok(page) => page,
            Err(error) => {
                super::part::fail(repository, id, &error.to_string()).await;
                return Err(error);
            }
        };
        let Some(items) = page else { break };
        repository
            .db
            .write(move |write| write.add_batch_items(id, &items))
            .await?;
    }
    repository
        .db
        .write(move |write| {
            write.run_batch(id)?;
            found(write, id)
        })
        .await
}

/// Writes down a batch that takes another one back.
///
/// # Errors
/// `Missing` for a batch that the actor may not see; `Conflict` while it runs, and for a purge.
pub async fn undo(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    id: i64,
) -> Result<Batch, Refusal> {
    let actor = actor.clone();
    // What was stored when a batch of pages was cancelled belongs to it.
    let _storing = repository.row_storing.lock().await;
    let model = repository.model();
    repository
        .db
        .write(move |write| {
            let former = visible_batch(write, &actor, id)?;
            if former.ended.is_none() {
                return Err(Refusal::Conflict("The change has not ended.".into()));
            }
            refuse_purge(&former)?;
            refuse_many(write, actor.uid)?;
            let new = new_batch(&actor, origin, former.change, Some(id), 0);
            let undo = write.add_batch(&new)?;
            let work = ItemWork::of(write, &found(write, undo)?, &model)?;
            write.add_changed_items(undo, id, work.deletes())?;
            write.run_batch(undo)?;
            found(write, undo)
        })
        .await
}

/// Cancels a batch. What is changed stays changed.
///
/// # Errors
/// `Missing` for a batch that the actor may not see.
pub async fn cancel(repository: &Arc<Repository>, actor: &Actor, id: i64) -> Result<(), Refusal> {
    let actor = actor.clone();
    let cancelled = repository.db.write(move |write| {
        visible_batch(write, &actor, id)?;
        let at = chrono::Utc::now().timestamp();
        Ok::<_, Refusal>(write.end_batch(id, BatchState::Cancelled, None, at)?)
    });
    cancelled.await?;
    repository.batches.happened();
    Ok(())
}

/// Lets a batch wait, or go on, also after a restart. What is changed stays changed.
///
/// # Errors
/// `Missing` for a batch that the actor may not see; `Conflict` for one that has ended, and for an import of a bag or a site.
pub async fn pause(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    is_paused: bool,
) -> Result<Batch, Refusal> {
    let actor = actor.clone();
    let paused = repository.db.write(move |write| {
        let batch = visible_batch(write, &actor, id)?;
        if batch.ended.is_some() {
            return Err(Refusal::Conflict("The change has ended.".into()));
        }
        if !can_pause(&batch) {
            let words = "The import of a bag or a site cannot wait. Cancel it; what came stays.";
            return Err(Refusal::Conflict(words.into()));
        }
        write.pause_batch(id, is_paused)?;
        found(write, id)
    });
    let batch = paused.await?;
    repository.batches.happened();
    Ok(batch)
}

/// A batch that the actor made, or any for an administrator.
///
/// # Errors
/// `Missing`; `Denied` for nobody.
pub fn visible_batch(read: &Read<'_>, actor: &Actor, id: i64) -> Result<Batch, Refusal> {
    if actor.is_anonymous() {
        return Err(Denial::new("Sign in first.").into());
    }
    let found = read.batch(id)?;
    let visible = found.filter(|batch| is_visible(batch, actor));
    visible.ok_or_else(|| Refusal::Missing(format!("There is no batch {id}.")))
}

/// Whether an actor made this batch, or is an administrator.
pub fn is_visible(batch: &Batch, actor: &Actor) -> bool {
    batch.uid == actor.uid || actor.is_administrator()
}

/// Whether a batch can wait and go on.
pub fn can_pause(batch: &Batch) -> bool {
    batch.ended.is_none() && ImportPlan::of(batch).is_none()
}

pub(super) fn found(write: &Write<'_>, id: i64) -> Result<Batch, Refusal> {
    let batch = write.batch(id)?;
    batch.ok_or_else(|| Refusal::Missing(format!("There is no batch {id}.")))
}

fn refuse_purge(batch: &Batch) -> Result<(), Refusal> {
    match serde_json::from_str(&batch.change) {
        Ok(ItemChange::Purge {}) => Err(Refusal::Conflict(
            "What was purged cannot be brought back.".into(),
        )),
        _ => Ok(()),
    }
}

pub(super) fn refuse_many(read: &Read<'_>, uid: i64) -> Result<(), Refusal> {
    let open = read.open_batches()?;
    let own = open
        .iter()
        .filter(|batch| batch.uid == uid && PagePlan::of(batch).is_none());
    match own.count() {
        many if many >= MOST_OPEN => Err(Refusal::TooMany(format!(
            "{MOST_OPEN} changes of many items are in progress. Wait until one has ended."
        ))),
        _ => Ok(()),
    }
}

pub(super) fn new_batch(
    actor: &Actor,
    origin: Origin,
    change: String,
    undoes: Option<i64>,
    seen: i64,
) -> NewBatch {
    NewBatch {
        uid: actor.uid,
        sign_in: actor.sign_in.to_text(),
        origin: origin.name().to_owned(),
        made: chrono::Utc::now().timestamp(),
        change,
        undoes,
        seen,
    }
}

/// The items of a source, page by page, each from a snapshot of its own.
pub struct ItemPages {
    repository: Arc<Repository>,
    actor: Actor,
    rest: Option<UnreadItems>,
}

enum UnreadItems {
    /// An item that comes before a list.
    First(i64, Box<ItemFilter>, Order),
    Ids(std::vec::IntoIter<(EntityKind, i64)>),
    List(Box<ItemFilter>, Order, Option<Cursor>),
    /// Entries before the one of a number.
    Trash(Option<EntityKind>, i64),
    /// Uses after one.
    Merge(MergePlan, Option<(EntityKind, i64)>),
}

/// The items of a source, as the actor sees them.
pub fn pages_of(repository: &Arc<Repository>, actor: &Actor, source: ItemSource) -> ItemPages {
    let rest = match source {
        ItemSource::Ids(ids) => {
            let mut known = HashSet::with_capacity(ids.len());
            let each: Vec<_> = ids.into_iter().filter(|id| known.insert(*id)).collect();
            UnreadItems::Ids(each.into_iter())
        }
        ItemSource::List(filter, order) => UnreadItems::List(filter, order, None),
        ItemSource::WithBelow(nid) => {
            let (filter, order) = below(nid);
            UnreadItems::First(nid, Box::new(filter), order)
        }
        ItemSource::Trash(kind) => UnreadItems::Trash(kind, i64::MAX),
        ItemSource::Merge(plan) => UnreadItems::Merge(plan, None),
    };
    ItemPages {
        repository: repository.clone(),
        actor: actor.clone(),
        rest: Some(rest),
    }
}

/// What is below an item, in the order of the ids.
pub fn below(nid: i64) -> (ItemFilter, Order) {
    let filter = ItemFilter {
        collection: Some(nid),
        below: true,
        ..ItemFilter::default()
    };
    let order = Order {
        sort: ItemSort::Nid,
        descending: false,
    };
    (filter, order)
}

impl ItemPages {
    /// The next page; `None` after the last.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn next(&mut self) -> Result<Option<Vec<(EntityKind, i64)>>, Refusal> {
        match self.rest.take() {
            None => Ok(None),
            Some(UnreadItems::Ids(mut ids)) => {
                let page: Vec<_> = ids.by_ref().take(PAGE).collect();
                self.rest = Some(UnreadItems::Ids(ids)).filter(|_| !page.is_empty());
                Ok(Some(page).filter(|page| !page.is_empty()))
            }
            Some(UnreadItems::First(nid, filter, order)) => {
                self.rest = Some(UnreadItems::List(filter, order, None));
                Ok(Some(vec![(EntityKind::Node, nid)]))
            }
            Some(UnreadItems::List(filter, order, after)) => {
                let viewer = Viewer::of(&self.actor);
                let (asked, sorted) = (filter.clone(), order.clone());
                let page = self.repository.db.read_lists(move |read| {
                    let start = Start::After(after);
                    read.item_page(&asked, &viewer, sorted, start, PAGE)
                });
                let page = page.await?;
                self.rest = page
                    .next
                    .map(|next| UnreadItems::List(filter, order, Some(next)));
                let items = page.rows.into_iter();
                Ok(Some(items.map(|nid| (EntityKind::Node, nid)).collect()))
            }
            Some(UnreadItems::Trash(kind, before)) => {
                let actor = self.actor.clone();
                let page = self
                    .repository
                    .db
                    .read(move |read| trash_page(read, &actor, kind, before));
                let page = page.await?;
                self.rest = page.next.map(|next| UnreadItems::Trash(kind, next));
                Ok(Some(page.entries))
            }
            Some(UnreadItems::Merge(plan, after)) => {
                let viewer = Viewer::of(&self.actor);
                let terms = plan.terms.clone();
                let page = self
                    .repository
                    .db
                    .read_lists(move |read| read.uses_of_terms(&terms, &viewer, after, PAGE));
                let mut page = page.await?;
                match page.last().filter(|_| page.len() == PAGE) {
                    Some(last) => self.rest = Some(UnreadItems::Merge(plan.clone(), Some(*last))),
                    None => self.rest = Some(UnreadItems::Ids(plan.members().into_iter())),
                }
                page.retain(|(kind, id)| *kind != EntityKind::Term || !plan.includes(*id));
                Ok(Some(page))
            }
        }
    }
}

/// A page of the trash.
struct TrashPage {
    entries: Vec<(EntityKind, i64)>,
    /// The number before which the next page begins.
    next: Option<i64>,
}

fn trash_page(
    read: &Read<'_>,
    actor: &Actor,
    kind: Option<EntityKind>,
    before: i64,
) -> Result<TrashPage, DbError> {
    let rows = read.trash_before(before, kind, PAGE)?;
    let mut entries = Vec::new();
    for row in &rows {
        if listed_in_trash(read, actor, row, kind)?.is_some() {
            entries.push((row.kind, row.id));
        }
    }
    let next = rows.last().filter(|_| rows.len() == PAGE);
    Ok(TrashPage {
        entries,
        next: next.map(|row| row.number),
    })
}
