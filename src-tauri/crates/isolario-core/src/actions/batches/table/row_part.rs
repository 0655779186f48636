//! Rows that are carried out in one transaction.

use serde_json::json;

use super::super::part::author_of;
use super::super::table_plan::TablePlan;
use super::open_table::OpenTable;
use super::prepared::PreparedRow;
use super::problem::in_words;
use super::row::{FindParent, Parent, RowContext, RowRequest};
use super::row_file::TableRow;
use super::terms::{TermOutcome, TermRows};
use crate::actions::create_entity::{create_drafted, draft_of};
use crate::actions::patch_entity::make;
use crate::actions::{Author, Refusal};
use isolario_db::{Batch, BatchItem, BatchItemState, BatchState, DbError, Read, Write};
use isolario_disk::faults;
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::{Actor, Operation, permit};

/// Rows of one transaction.
pub(super) struct RowPart<'a> {
    pub model: &'a ContentModel,
    pub actor: &'a Actor,
    pub table: &'a OpenTable,
    pub plan: &'a TablePlan,
}

/// What became of a row, and the terms that were made for it, with their revisions.
pub(super) type RowOutcome = (BatchItem, Vec<(i64, i64)>);

impl RowPart<'_> {
    /// Carries rows out, and notes what became of them. Returns whether more are left.
    pub fn carry_out(
        &self,
        write: &mut Write<'_>,
        (id, first): (i64, i64),
        rows: &[TableRow],
    ) -> Result<bool, Refusal> {
        let batch = write.batch(id)?;
        let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
            return Ok(false);
        };
        let author = author_of(&batch);
        let mut made = Vec::new();
        for (position, row) in (first..).zip(rows) {
            let (item, terms) = self.row(write, &batch, &author, position, row)?;
            write.add_batch_item_at(id, position, item.id)?;
            // A row below may name this one as its parent.
            write.end_batch_items(id, &[item])?;
            made.extend(terms);
        }
        add_made(write, self.plan, &batch, EntityKind::Term, &made)?;
        faults::point("table");
        let done = first + i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let more = !rows.is_empty() && done < self.plan.rows;
        if !more {
            write.end_batch(id, BatchState::Done, None, author.at)?;
        }
        Ok(more)
    }

    /// Carries a row out, or says why it is refused.
    pub fn row(
        &self,
        write: &mut Write<'_>,
        batch: &Batch,
        author: &Author,
        position: i64,
        row: &TableRow,
    ) -> Result<RowOutcome, Refusal> {
        let made = write.attempt(|write| match &self.plan.vocabulary {
            None => self.attempt(write, batch, author, position, row),
            Some(name) => self.term(write, (batch.id, name), author, position, row),
        });
        let words = match made {
            Ok(Ok(outcome)) => return Ok(outcome),
            Ok(Err(words)) => words,
            Err(refusal) => {
                let context = self.context(write, &|_| Ok(None));
                in_words(&context.problems_of(row, refusal)?)
            }
        };
        let refused = BatchItem {
            state: BatchItemState::Refused,
            message: Some(format!("Row {}: {words}", row.number)),
            ..unchanged(position, 0)
        };
        Ok((refused, Vec::new()))
    }

    /// What rows are read with.
    pub fn context<'c>(
        &'c self,
        read: &'c Read<'c>,
        parents: &'c FindParent<'c>,
    ) -> RowContext<'c> {
        RowContext {
            read,
            model: self.model,
            actor: self.actor,
            uses: &self.table.uses,
            heading: &self.table.rows.heading,
            options: &self.plan.options,
            files: &self.table.files,
            compares: false,
            parents,
            alike: &|_, _| Ok(Vec::new()),
        }
    }

    /// Carries out the row of a term.
    fn term(
        &self,
        write: &mut Write<'_>,
        (batch, vocabulary): (i64, &str),
        author: &Author,
        position: i64,
        row: &TableRow,
    ) -> Result<Result<RowOutcome, String>, Refusal> {
        let missing = || Refusal::Missing(format!("There is no vocabulary {vocabulary} any more."));
        let kind = EntityKind::Term;
        let terms = TermRows {
            model: self.model,
            actor: self.actor,
            bundle: self.model.bundle(kind, vocabulary).ok_or_else(missing)?,
            batch,
        };
        let item = match terms.carry_out(write, author, row)? {
            TermOutcome::Created(term) => {
                let revisions = (term.revision, term.revision);
                changed(position, kind, term.id, revisions, Some(0))
            }
            TermOutcome::Updated(term, before) => {
                changed(position, kind, term.id, (before, term.revision), None)
            }
            TermOutcome::Same(term) => BatchItem {
                kind,
                ..unchanged(position, term.id)
            },
        };
        Ok(Ok((item, Vec::new())))
    }

    /// Carries a row out, or says what is wrong with its cells.
    fn attempt(
        &self,
        write: &mut Write<'_>,
        batch: &Batch,
        author: &Author,
        position: i64,
        row: &TableRow,
    ) -> Result<Result<RowOutcome, String>, Refusal> {
        let request = {
            let read: &Read<'_> = write;
            let parents = |id: &str| {
                let Some(place) = self.table.ids.get(id) else {
                    return Ok(None);
                };
                let found = read.batch_items(batch.id, *place, 1)?;
                let item = found.into_iter().find(|item| item.position == *place);
                Ok(item
                    .filter(|item| item.id > 0)
                    .map(|item| Parent::Item(item.id)))
            };
            match self.context(read, &parents).request(row)? {
                Ok(request) => request,
                Err(problem) => return Ok(Err(in_words(&[problem]))),
            }
        };
        if !request.problems.is_empty() {
            return Ok(Err(in_words(&request.problems)));
        }
        let (request, terms) = self.with_terms(write, author, request)?;
        let prepared = self.context(write, &|_| Ok(None)).prepare(request)?;
        let node = EntityKind::Node;
        let item = match prepared {
            PreparedRow::Same(item) => unchanged(position, item.id),
            PreparedRow::Creates(item) => {
                let item = create_drafted(write, self.model, self.actor, *item, author)?;
                changed(
                    position,
                    node,
                    item.id,
                    (item.revision, item.revision),
                    Some(0),
                )
            }
            PreparedRow::Updates(item, update) => {
                let before = item.revision;
                let permitted = permit(
                    self.actor,
                    Operation::Update,
                    &write.subject(self.actor, &item)?,
                )?;
                let item = make(
                    write,
                    &permitted,
                    self.model,
                    *item,
                    &update,
                    (self.actor, author),
                )?;
                changed(position, node, item.id, (before, item.revision), None)
            }
        };
        Ok(Ok((item, terms)))
    }

    /// Makes the terms of a row, and puts them into its values.
    fn with_terms(
        &self,
        write: &mut Write<'_>,
        author: &Author,
        mut request: RowRequest,
    ) -> Result<(RowRequest, Vec<(i64, i64)>), Refusal> {
        let mut made = Vec::new();
        for (field, index, term) in std::mem::take(&mut request.terms) {
            // Another cell of the row may have named it too.
            let tid = match write.term_by_name(&term.vocabulary, &term.name)? {
                Some(tid) => tid,
                None => {
                    let body = json!({"vid": [{"target_id": term.vocabulary}], "name": [{"value": term.name}]});
                    let body = body.as_object().cloned().unwrap_or_default();
                    let kind = EntityKind::Term;
                    let draft = draft_of(write, self.model, kind, &body, false, self.actor)?;
                    let new = create_drafted(write, self.model, self.actor, draft, author)?;
                    made.push((new.id, new.revision));
                    new.id
                }
            };
            let values = request.body.get_mut(&field);
            if let Some(place) = values.and_then(|values| values.get_mut(index)) {
                *place = term.with_id(tid);
            }
        }
        Ok((request, made))
    }
}

/// Adds what was made besides the items, with the revisions: it comes behind the rows.
pub(super) fn add_made(
    write: &mut Write<'_>,
    plan: &TablePlan,
    batch: &Batch,
    kind: EntityKind,
    made: &[(i64, i64)],
) -> Result<(), Refusal> {
    let mut total = batch.total;
    for (id, revision) in made {
        let item = changed(total, kind, *id, (*revision, *revision), Some(0));
        write.add_batch_item_at(batch.id, total, *id)?;
        write.end_batch_items(batch.id, &[item])?;
        total += 1;
    }
    if !made.is_empty() {
        let text = plan.to_text().map_err(DbError::from)?;
        write.prepare_batch(batch.id, &text, total)?;
    }
    Ok(())
}

fn changed(
    position: i64,
    kind: EntityKind,
    id: i64,
    revisions: (i64, i64),
    parts: Option<i64>,
) -> BatchItem {
    BatchItem {
        position,
        kind,
        id,
        state: BatchItemState::Changed,
        revisions: Some(revisions),
        parts,
        message: None,
    }
}

fn unchanged(position: i64, nid: i64) -> BatchItem {
    BatchItem {
        position,
        kind: EntityKind::Node,
        id: nid,
        state: BatchItemState::Unchanged,
        revisions: None,
        parts: None,
        message: None,
    }
}
