//! Carries out the next rows of a table, in one transaction.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;

use super::super::part::author_of;
use super::super::table_plan::TablePlan;
use super::begin::FOLDER;
use super::columns::{ColumnUse, read_heading};
use super::prepared::PreparedRow;
use super::problem::in_words;
use super::row::{FindParent, Parent, RowContext, RowRequest};
use super::row_file::{RowReader, TableRow};
use super::terms::{TermOutcome, TermRows};
use crate::actions::account_rules::as_of_now;
use crate::actions::create_entity::{create_drafted, draft_of};
use crate::actions::patch_entity::make;
use crate::actions::{Author, Refusal};
use crate::repository::Repository;
use isolario_db::{Batch, BatchItem, BatchItemState, BatchState, DbError, Read, Write};
use isolario_disk::faults;
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::{Actor, Operation, Subject, permit};

/// Rows that share a transaction. Others who write wait for so many at most.
const PART: usize = 200;

/// Where an import is in its table.
#[derive(Default)]
pub struct TableCursor(Option<OpenTable>);

/// A table whose rows are read one after the other.
struct OpenTable {
    rows: RowReader,
    uses: Vec<ColumnUse>,
    /// How rows name themselves, with their places.
    ids: HashMap<String, i64>,
}

impl OpenTable {
    fn open(repository: &Repository, plan: &TablePlan) -> Result<OpenTable, Refusal> {
        let path = repository.directory.join(FOLDER).join(&plan.file);
        let rows = RowReader::open(&path)
            .map_err(|_| Refusal::Missing("The table is no longer there.".into()))?;
        if plan.vocabulary.is_some() {
            return Ok(OpenTable {
                rows,
                uses: Vec::new(),
                ids: HashMap::new(),
            });
        }
        let uses = read_heading(&repository.model(), &rows.heading, &plan.options.ignored);
        let uses = uses.map_err(|problems| Refusal::Invalid(in_words(&problems)))?;
        Ok(OpenTable {
            rows,
            uses,
            ids: HashMap::new(),
        })
    }

    /// The rows of the next part, and the place of the first. After a restart, those before it are passed by.
    fn read_part(mut self, next: i64) -> Result<(OpenTable, i64, Vec<TableRow>), Refusal> {
        while self.rows.read < next && self.next()?.is_some() {}
        let first = self.rows.read;
        let mut rows = Vec::new();
        while rows.len() < PART
            && let Some(row) = self.next()?
        {
            rows.push(row);
        }
        Ok((self, first, rows))
    }

    fn next(&mut self) -> Result<Option<TableRow>, Refusal> {
        let place = self.rows.read;
        let row = self.rows.next().map_err(|error| Refusal::disk(&error))?;
        let id = self.uses.iter().position(|one| *one == ColumnUse::RowId);
        if let (Some(row), Some(index)) = (&row, id)
            && let Some(id) = row.cells.get(index)
        {
            self.ids.insert(id.trim().to_owned(), place);
        }
        Ok(row)
    }
}

/// Carries out the next rows of a table. They are on disk when this returns. Returns whether more are left.
///
/// # Errors
/// What ends the batch: the author's account has changed, the table is gone, or the database fails.
pub async fn import_next(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    cursor: &mut TableCursor,
) -> Result<bool, Refusal> {
    let batch = repository.db.read(move |read| read.batch(id)).await?;
    let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
        return Ok(false);
    };
    let unknown = || Refusal::Invalid("This program does not know the change.".into());
    let plan = TablePlan::of(&batch).ok_or_else(unknown)?;
    let (known, held, next) = (cursor.0.take(), repository.clone(), plan.next_row(&batch));
    let reading = tokio::task::spawn_blocking(move || {
        let table = known.map_or_else(|| OpenTable::open(&held, &plan), Ok)?;
        Ok::<_, Refusal>((table.read_part(next)?, plan))
    });
    let read = reading
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))?;
    let ((table, first, rows), plan) = read?;
    let (model, actor, at) = (repository.model(), actor.clone(), (id, first));
    let carried_out = repository.db.write(move |write| {
        let part = RowPart {
            model: &model,
            actor: &as_of_now(write, &actor)?,
            table: &table,
            plan: &plan,
        };
        let more = part.carry_out(write, at, &rows)?;
        Ok::<_, Refusal>((table, plan, more))
    });
    let (table, plan, more) = carried_out.await?;
    repository.derivatives.wake();
    cursor.0 = Some(table);
    if !more {
        cursor.0 = None;
        // It is looked for again at the next start.
        let _ = std::fs::remove_file(repository.directory.join(FOLDER).join(&plan.file));
    }
    Ok(more)
}

/// Rows of one transaction.
struct RowPart<'a> {
    model: &'a ContentModel,
    actor: &'a Actor,
    table: &'a OpenTable,
    plan: &'a TablePlan,
}

/// What became of a row, and the terms that were made for it, with their revisions.
type RowOutcome = (BatchItem, Vec<(i64, i64)>);

impl RowPart<'_> {
    fn carry_out(
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
        let mut total = batch.total;
        for (position, row) in (first..).zip(rows) {
            let (item, terms) = self.row(write, &batch, &author, position, row)?;
            write.add_batch_item_at(id, position, item.id)?;
            // A row below may name this one as its parent.
            write.end_batch_items(id, &[item])?;
            for (tid, revision) in terms {
                let term = changed(total, EntityKind::Term, tid, (revision, revision), Some(0));
                write.add_batch_item_at(id, total, tid)?;
                write.end_batch_items(id, &[term])?;
                total += 1;
            }
        }
        if total > batch.total {
            let text = self.plan.to_text().map_err(DbError::from)?;
            write.prepare_batch(id, &text, total)?;
        }
        faults::point("table");
        let done = first + i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let more = !rows.is_empty() && done < self.plan.rows;
        if !more {
            write.end_batch(id, BatchState::Done, None, author.at)?;
        }
        Ok(more)
    }

    fn row(
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

    fn context<'c>(&'c self, read: &'c Read<'c>, parents: &'c FindParent<'c>) -> RowContext<'c> {
        RowContext {
            read,
            model: self.model,
            actor: self.actor,
            uses: &self.table.uses,
            heading: &self.table.rows.heading,
            options: &self.plan.options,
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
                let permitted = permit(self.actor, Operation::Update, &Subject::of(&item))?;
                let item = make(write, &permitted, self.model, *item, &update, author)?;
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
