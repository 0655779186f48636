//! The next step of a batch that makes pages: they are counted, and then made one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::super::super::account_rules::as_of_now;
use super::super::super::{Author, Refusal};
use super::super::company::Company;
use super::super::item_work::{ItemWork, Judge};
use super::super::page_plan::PagePlan;
use super::super::part::{author_of, change_item};
use super::original::{PagedOriginal, admit, refuse_number};
use crate::repository::Repository;
use isolario_db::{Batch, BatchItem, BatchItemState, BatchState, DbError, Lists, Read, Write};
use isolario_model::content::{
    ContentModel, EntityKind, FileRecord, TermRole, field_roles, uri_of,
};
use isolario_model::item_change::{ItemChange, PreparedChange};
use isolario_model::policy::Actor;

/// What is to be done next.
#[derive(Debug)]
pub enum PageStep {
    /// Nothing: the batch has ended.
    Ended,
    /// It is not known how many pages the file has.
    Count(Box<FileRecord>),
    /// A page is to be made.
    Make(Box<PageTask>),
}

/// A page that is to be made.
#[derive(Debug)]
pub struct PageTask {
    pub(super) batch: Batch,
    pub(super) plan: PagePlan,
    pub original: PagedOriginal,
    /// From 1 on.
    pub number: i64,
    /// The item of the page, which a crash has left without its file.
    pub(super) nid: Option<i64>,
}

impl PageTask {
    pub(super) fn author(&self) -> Author {
        let FileRecord {
            filename,
            fid,
            version,
            ..
        } = &self.original.file;
        let log = format!(
            "Page {} of {filename} (file {fid}, version {version})",
            self.number
        );
        Author {
            log: Some(log),
            ..author_of(&self.batch)
        }
    }
}

/// Finds out what is to be done next. Pages that there are already are passed by.
///
/// # Errors
/// What ends the batch: the item, its file or the account of the author has changed, or the database fails.
pub async fn next_step(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
) -> Result<PageStep, Refusal> {
    advance(repository, actor, id, None).await
}

/// Notes how many pages the file has, and finds out what is to be done next.
///
/// # Errors
/// As `next_step`; `Invalid` for more pages than may become items.
pub async fn counted(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    pages: i64,
) -> Result<PageStep, Refusal> {
    advance(repository, actor, id, Some(pages)).await
}

async fn advance(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    pages: Option<i64>,
) -> Result<PageStep, Refusal> {
    let (held, actor) = (repository.clone(), actor.clone());
    repository
        .db
        .write(move |write| {
            let batch = write.batch(id)?;
            let Some(mut batch) = batch.filter(|batch| batch.ended.is_none()) else {
                return Ok(PageStep::Ended);
            };
            let actor = as_of_now(write, &actor)?;
            let unknown = || Refusal::Invalid("This program does not know the change.".into());
            let mut plan = PagePlan::of(&batch).ok_or_else(unknown)?;
            let original = admit(write, &held.model(), &actor, plan.nid)?;
            let file = &original.file;
            if (original.media.id, file.fid, file.version) != (plan.mid, plan.fid, plan.version) {
                return Err(Refusal::Lost("The file has been replaced since.".into()));
            }
            if plan.pages == 0 {
                let known = original.pages(write)?;
                let Some(pages) = pages.or(known) else {
                    return Ok(PageStep::Count(Box::new(original.file)));
                };
                if pages <= 1 {
                    end(write, &batch)?;
                    return Ok(PageStep::Ended);
                }
                refuse_number(pages)?;
                begin(write, &held, &actor, &batch, &mut plan, &original, pages)?;
                batch.done = 1;
            }
            make_next(write, batch, plan, original)
        })
        .await
}

/// The number of pages is known: the item becomes one that has pages.
fn begin(
    write: &mut Write<'_>,
    repository: &Repository,
    actor: &Actor,
    batch: &Batch,
    plan: &mut PagePlan,
    original: &PagedOriginal,
    pages: i64,
) -> Result<(), Refusal> {
    plan.pages = pages;
    plan.before = weight_before(&write.lists()?, plan)?;
    let text = plan.to_text().map_err(DbError::from)?;
    // The item itself comes before its pages.
    write.prepare_batch(batch.id, &text, pages + 1)?;
    write.add_batch_item_at(batch.id, 0, plan.nid)?;
    let mut row = BatchItem {
        position: 0,
        kind: EntityKind::Node,
        id: plan.nid,
        state: BatchItemState::Unchanged,
        revisions: None,
        parts: None,
        message: None,
    };
    if original.needs_model {
        let work = ItemWork::Change {
            change: Box::new(paged_model(write, &repository.model())?),
            seen: 0,
        };
        let judge = Judge {
            model: &repository.model(),
            actor,
            work: &work,
            company: &Company::Batch(batch.id),
        };
        change_item(
            write,
            &judge,
            &repository.blobs,
            &author_of(batch),
            &mut row,
        )?;
    }
    if row.state == BatchItemState::Refused {
        return Err(Refusal::Invalid(row.message.unwrap_or_default()));
    }
    Ok(write.end_batch_items(batch.id, &[row])?)
}

fn paged_model(read: &Read<'_>, model: &ContentModel) -> Result<PreparedChange, Refusal> {
    let change = ItemChange::Set {
        field: field_roles().model.clone(),
        values: vec![json!({"target_id": term(read, TermRole::Paged)?})],
    };
    PreparedChange::new(change, model).map_err(Refusal::Invalid)
}

/// The term of a model or media use.
pub(super) fn term(read: &Read<'_>, role: TermRole) -> Result<i64, Refusal> {
    let uri = uri_of(role);
    let found = read.term_by_uri(uri)?;
    found.ok_or_else(|| Refusal::Invalid(format!("There is no term with the URI {uri}.")))
}

/// The weight before that of the first page: that of the last member, as of the pages of a dropped folder; or what goes
/// on with pages that there are.
fn weight_before(read: &Lists<'_>, plan: &PagePlan) -> Result<Option<i64>, DbError> {
    if let Some((number, nid)) = read.pages_of_file(plan.fid, plan.version)?.first()
        && let Some(page) = read.entity(EntityKind::Node, *nid)?
    {
        let weight = page.integer(&field_roles().weight);
        return Ok(weight.map(|weight| weight.saturating_sub(*number)));
    }
    let members = read.member_weights(plan.nid)?;
    Ok((!members.has_gaps).then(|| members.highest.unwrap_or(0)))
}

/// The first page that there is not yet.
fn make_next(
    write: &mut Write<'_>,
    batch: Batch,
    plan: PagePlan,
    original: PagedOriginal,
) -> Result<PageStep, Refusal> {
    let role = match original.is_cut() {
        true => TermRole::OriginalFile,
        false => TermRole::ServiceFile,
    };
    let media_use = term(write, role)?;
    let present: BTreeMap<i64, i64> = write
        .lists()?
        .pages_of_file(plan.fid, plan.version)?
        .into_iter()
        .collect();
    let mut passed = Vec::new();
    let mut number = batch.done;
    let mut unfinished = None;
    while number <= plan.pages {
        let Some(nid) = present.get(&number).copied() else {
            break;
        };
        if write.media_with_use(nid, media_use)?.is_none() {
            unfinished = Some(nid);
            break;
        }
        write.add_batch_item_at(batch.id, number, nid)?;
        passed.push(BatchItem {
            position: number,
            kind: EntityKind::Node,
            id: nid,
            state: BatchItemState::Unchanged,
            revisions: None,
            parts: None,
            message: None,
        });
        number += 1;
    }
    write.end_batch_items(batch.id, &passed)?;
    if number > plan.pages {
        end(write, &batch)?;
        return Ok(PageStep::Ended);
    }
    Ok(PageStep::Make(Box::new(PageTask {
        batch,
        plan,
        original,
        number,
        nid: unfinished,
    })))
}

fn end(write: &mut Write<'_>, batch: &Batch) -> Result<(), DbError> {
    let at = chrono::Utc::now().timestamp();
    write.end_batch(batch.id, BatchState::Done, None, at)
}
