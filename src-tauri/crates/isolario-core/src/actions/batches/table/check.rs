//! Reads a whole table without writing anything, and tells what an import would do.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::super::table_plan::TableOptions;
use super::columns::{ColumnUse, read_heading};
use super::files::FileFinder;
use super::prepared::PreparedRow;
use super::problem::{TableProblem, TableProblemCode};
use super::row::{CellChange, Parent, RowContext, RowRequest};
use super::row_file::{RowFile, RowReader, TableRow};
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_db::{DbError, Lists, TermFilter, Viewer};
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::Actor;
use isolario_model::policy::permission::may_create;

/// Rows that are shown as they are, and letters of their cells.
const FIRST_ROWS: usize = 3;
const FIRST_LETTERS: usize = 200;
/// Rows that are read in one snapshot.
const PAGE: usize = 200;
/// The most problems, changed cells and new terms that a check names. The others are counted.
const MOST_PROBLEMS: usize = 100_000;
const MOST_CHANGES: usize = 1_000;
const MOST_TERMS: usize = 1_000;
/// Problems for which similar terms are looked for.
const MOST_SUGGESTIONS: usize = 1_000;
/// Terms that are compared with one that is not there, and how many letters they begin with alike.
const MOST_ALIKE: usize = 50;
const BEGINNINGS: [usize; 2] = [3, 1];

/// What an import of a table would do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableCheck {
    /// Rows below the heading.
    pub rows: u64,
    /// The columns, with what their first rows say.
    pub columns: Vec<ReadColumn>,
    /// Items that are made.
    pub creates: u64,
    /// Items that are changed.
    pub updates: u64,
    /// Files that items get, and how many bytes they have.
    pub files: u64,
    pub file_bytes: u64,
    /// Rows that say what their items have already.
    pub unchanged: u64,
    /// What keeps the table from being imported.
    pub problems: Vec<TableProblem>,
    /// How many more problems there are.
    pub more_problems: u64,
    /// Cells that change items, the first thousand.
    pub changes: Vec<ChangedCell>,
    /// How many cells change items.
    pub changed_cells: u64,
    /// Terms that are made, as `subject:Maps`, the first thousand.
    pub new_terms: Vec<String>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadColumn {
    pub heading: String,
    /// The cells of the first three rows, their first 200 letters.
    pub cells: Vec<String>,
}

/// A cell that changes an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangedCell {
    pub row: u64,
    pub nid: i64,
    pub title: String,
    pub column: String,
    pub before: String,
    pub after: String,
}

/// Checks a table: every row, and everything that is wrong with it.
///
/// # Errors
/// What the disk and the database refuse.
pub async fn check_table(
    repository: &Arc<Repository>,
    actor: &Actor,
    rows: &RowFile,
    options: &TableOptions,
    tell: &(dyn Fn(u64) + Send + Sync),
) -> Result<TableCheck, Refusal> {
    let model = repository.model();
    let options = rows.options(options);
    let mut checking = match read_heading(&model, &rows.heading, &options) {
        Ok(uses) => Checking {
            model,
            actor: actor.clone(),
            options,
            files: FileFinder::new(repository, rows.folder.as_ref()),
            uses,
            rows: RowReader::open(&rows.path).map_err(|error| Refusal::disk(&error))?,
            ids: HashSet::new(),
            nodes: HashSet::new(),
            terms: BTreeSet::new(),
            found: TableCheck {
                columns: columns_of(rows)?,
                ..TableCheck::default()
            },
        },
        Err(problems) => {
            return Ok(TableCheck {
                rows: rows.rows,
                columns: columns_of(rows)?,
                problems,
                ..TableCheck::default()
            });
        }
    };
    loop {
        let read = repository.db.read_lists(move |lists| {
            let more = checking.page(lists)?;
            Ok::<_, Refusal>((checking, more))
        });
        let (next, more) = read.await?;
        checking = next;
        tell(checking.found.rows);
        if !more {
            break;
        }
    }
    let mut found = checking.found;
    found.new_terms = checking.terms.into_iter().collect();
    Ok(found)
}

/// The columns of a table, with the first rows.
fn columns_of(rows: &RowFile) -> Result<Vec<ReadColumn>, Refusal> {
    let columns = rows.heading.iter().map(|heading| ReadColumn {
        heading: heading.clone(),
        cells: Vec::new(),
    });
    let mut columns: Vec<ReadColumn> = columns.collect();
    let disk = |error: std::io::Error| Refusal::disk(&error);
    let mut reader = RowReader::open(&rows.path).map_err(disk)?;
    for _ in 0..FIRST_ROWS {
        let Some(row) = reader.next().map_err(disk)? else {
            break;
        };
        for (column, cell) in columns.iter_mut().zip(row.cells) {
            column
                .cells
                .push(cell.chars().take(FIRST_LETTERS).collect());
        }
    }
    Ok(columns)
}

/// A check in the making.
struct Checking {
    model: Arc<ContentModel>,
    actor: Actor,
    options: TableOptions,
    files: FileFinder,
    uses: Vec<ColumnUse>,
    rows: RowReader,
    /// How rows above name themselves, and the items that they change.
    ids: HashSet<String>,
    nodes: HashSet<i64>,
    terms: BTreeSet<String>,
    found: TableCheck,
}

impl Checking {
    /// Checks the next rows. Returns whether there may be more.
    fn page(&mut self, lists: &Lists<'_>) -> Result<bool, Refusal> {
        for _ in 0..PAGE {
            let next = self.rows.next().map_err(|error| Refusal::disk(&error))?;
            let Some(row) = next else { return Ok(false) };
            self.found.rows += 1;
            let mut problems = self.row(lists, &row)?;
            problems.extend(self.note_id(&row));
            for problem in problems {
                match self.found.problems.len() < MOST_PROBLEMS {
                    true => self.found.problems.push(problem),
                    false => self.found.more_problems += 1,
                }
            }
        }
        Ok(true)
    }

    /// Notes how a row names itself.
    fn note_id(&mut self, row: &TableRow) -> Option<TableProblem> {
        let index = self.uses.iter().position(|one| *one == ColumnUse::RowId)?;
        let id = row.cells.get(index).map(|id| id.trim())?;
        let is_known = !id.is_empty() && !self.ids.insert(id.to_owned());
        let heading = self.rows.heading.get(index).map_or("", String::as_str);
        let reason = TableProblemCode::RepeatedId;
        is_known.then(|| TableProblem::of_cell(row.number, heading, id, reason))
    }

    fn row(&mut self, lists: &Lists<'_>, row: &TableRow) -> Result<Vec<TableProblem>, Refusal> {
        let viewer = Viewer::of(&self.actor);
        let context = RowContext {
            read: lists,
            model: &self.model,
            actor: &self.actor,
            uses: &self.uses,
            heading: &self.rows.heading,
            options: &self.options,
            files: &self.files,
            compares: true,
            parents: &|id| Ok(self.ids.contains(id).then_some(Parent::Promised)),
            alike: &|vocabularies, name| match self.found.problems.len() < MOST_SUGGESTIONS {
                true => alike(lists, &viewer, vocabularies, name),
                false => Ok(Vec::new()),
            },
        };
        let mut request = match context.request(row)? {
            Ok(request) => request,
            Err(problem) => return Ok(vec![problem]),
        };
        let mut problems = std::mem::take(&mut request.problems);
        problems.extend(self.refuse_terms(row, &request));
        let new_terms = promise_terms(&mut request);
        if let Some(item) = &request.item
            && !self.nodes.insert(item.id)
        {
            let reason = TableProblemCode::RepeatedItem;
            problems.push(TableProblem::of_row(row.number, reason));
        }
        let mut changes = std::mem::take(&mut request.changes);
        let files = std::mem::take(&mut request.files);
        changes.extend(files.iter().map(CellChange::of_file));
        let names_file = context.names_file(row);
        let prepared = match context.prepare(request) {
            Ok(prepared) => Some(prepared),
            Err(refusal) => {
                let others = context.problems_of(row, refusal)?.into_iter();
                let heading = &self.rows.heading;
                // What a file would have said is not missed besides.
                let lacks_file = names_file && !problems.is_empty();
                let is_new = |problem: &TableProblem| {
                    let follows = lacks_file && !heading.contains(&problem.column);
                    !follows && problems.iter().all(|one| one.column != problem.column)
                };
                let others: Vec<_> = others.filter(is_new).collect();
                problems.extend(others);
                None
            }
        };
        match prepared.filter(|_| problems.is_empty()) {
            None => return Ok(problems),
            Some(prepared) => {
                self.found.files += files.len() as u64;
                self.found.file_bytes += files.iter().map(|file| file.size).sum::<u64>();
                self.count(row, prepared, changes);
            }
        }
        for term in new_terms {
            if self.terms.len() < MOST_TERMS {
                self.terms.insert(term);
            }
        }
        Ok(Vec::new())
    }

    /// Whoever may make no terms is told so before anything is written.
    fn refuse_terms(&self, row: &TableRow, request: &RowRequest) -> Option<TableProblem> {
        let vocabularies = request.terms.iter().map(|(_, _, term)| &term.vocabulary);
        let denied = vocabularies
            .map(|vocabulary| may_create(&self.actor, EntityKind::Term, vocabulary, &[]))
            .find_map(Result::err)?;
        Some(TableProblem::of_row(row.number, denied))
    }

    fn count(&mut self, row: &TableRow, prepared: PreparedRow, changes: Vec<CellChange>) {
        match prepared {
            PreparedRow::Creates(_) => self.found.creates += 1,
            PreparedRow::Same(_) if changes.is_empty() => self.found.unchanged += 1,
            PreparedRow::Same(item) | PreparedRow::Updates(item, _) => {
                self.found.updates += 1;
                for change in changes {
                    self.found.changed_cells += 1;
                    if self.found.changes.len() < MOST_CHANGES {
                        self.found.changes.push(ChangedCell {
                            row: row.number,
                            nid: item.id,
                            title: item.label().to_owned(),
                            column: change.column,
                            before: change.before,
                            after: change.after,
                        });
                    }
                }
            }
        }
    }
}

/// Takes the values out whose terms are yet to be made, and names those.
fn promise_terms(request: &mut RowRequest) -> Vec<String> {
    let terms = std::mem::take(&mut request.terms);
    for values in request
        .body
        .values_mut()
        .filter_map(|value| value.as_array_mut())
    {
        values.retain(|value| !value.is_null());
    }
    let names = terms.into_iter();
    names
        .map(|(_, _, term)| format!("{}:{}", term.vocabulary, term.name))
        .collect()
}

fn alike(
    lists: &Lists<'_>,
    viewer: &Viewer,
    vocabularies: &[String],
    name: &str,
) -> Result<Vec<String>, DbError> {
    let mut names = Vec::new();
    for letters in BEGINNINGS {
        let terms = TermFilter {
            vocabularies: vocabularies.to_vec(),
            text: name.chars().take(letters).collect(),
        };
        let page = lists.term_page(&terms, viewer, None, MOST_ALIKE)?;
        names.extend(page.rows.into_iter().map(|term| term.name));
    }
    Ok(names)
}
