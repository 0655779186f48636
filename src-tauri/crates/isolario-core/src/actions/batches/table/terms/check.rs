//! Compares the terms of a file with a vocabulary without writing anything, and tells what an import would do.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::super::problem::TableProblem;
use super::super::row::CellChange;
use super::begin::PlannedTerms;
use super::matching::{Matching, Place};
use super::planned::{PARENT, PlannedParent, PlannedTerm, TermContext};
use super::term_file::TermFile;
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_db::Lists;
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind};
use isolario_model::policy::{Actor, Denial};

/// Terms that are read in one snapshot.
const PAGE: usize = 500;
/// The most problems and changed values that a check names. The others are counted.
const MOST_PROBLEMS: usize = 100_000;
const MOST_CHANGES: usize = 1_000;

/// What an import of terms would do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TermCheck {
    /// Terms of the file.
    pub rows: u64,
    /// Terms that are made.
    pub creates: u64,
    /// Terms that are changed.
    pub updates: u64,
    /// Terms that are so already.
    pub unchanged: u64,
    /// What keeps the file from being imported.
    pub problems: Vec<TableProblem>,
    /// How many more problems there are.
    pub more_problems: u64,
    /// Values that change, the first thousand.
    pub changes: Vec<ChangedTerm>,
    /// How many values change.
    pub changed_cells: u64,
}

/// A value of a term that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangedTerm {
    /// The row of the table, or the number of the concept in its file.
    pub row: u64,
    pub tid: i64,
    /// The name of the term, as it is.
    pub name: String,
    pub column: String,
    pub before: String,
    pub after: String,
}

/// Checks the terms of a file. Returns what an import would do, and what `begin_terms` carries out.
///
/// # Errors
/// `Missing` for a vocabulary that there is not; `Denied` for nobody; what the disk and the database refuse.
pub async fn check_terms(
    repository: &Arc<Repository>,
    actor: &Actor,
    vocabulary: &str,
    file: TermFile,
) -> Result<(TermCheck, PlannedTerms), Refusal> {
    if actor.is_anonymous() {
        return Err(Denial::new("Sign in first.").into());
    }
    let model = repository.model();
    let missing = || Refusal::Missing(format!("There is no vocabulary {vocabulary}."));
    let bundle = model
        .bundle(EntityKind::Term, vocabulary)
        .ok_or_else(missing)?
        .clone();
    let mut matching = Matching::new(file.0, actor.clone(), vocabulary.to_owned());
    let total = matching.source.terms.len();
    for first in (0..total).step_by(PAGE) {
        let found = repository.db.read_lists(move |lists| {
            matching.refer(lists, first..first + PAGE)?;
            Ok::<_, Refusal>(matching)
        });
        matching = found.await?;
    }
    for rows in matching.rows_in_order().chunks(PAGE) {
        let rows = rows.to_vec();
        let found = repository.db.read_lists(move |lists| {
            matching.name(lists, &rows)?;
            Ok::<_, Refusal>(matching)
        });
        matching = found.await?;
    }
    let ordered = repository.db.read_lists(move |lists| {
        let rows = matching.order(lists)?;
        Ok::<_, Refusal>((matching, rows))
    });
    let (matching, rows) = ordered.await?;
    let mut checking = TermChecking::new(model, actor.clone(), bundle, matching, rows.len());
    for rows in rows.chunks(PAGE) {
        let rows = rows.to_vec();
        let read = repository.db.read_lists(move |lists| {
            for row in rows {
                checking.row(lists, row)?;
            }
            Ok::<_, Refusal>(checking)
        });
        checking = read.await?;
    }
    Ok(checking.finish())
}

/// A check in the making.
struct TermChecking {
    model: Arc<ContentModel>,
    actor: Actor,
    bundle: Arc<Bundle>,
    matching: Matching,
    /// Where each row of the file is carried out.
    places: Vec<i64>,
    planned: Vec<PlannedTerm>,
    found: TermCheck,
}

impl TermChecking {
    fn new(
        model: Arc<ContentModel>,
        actor: Actor,
        bundle: Arc<Bundle>,
        mut matching: Matching,
        rows: usize,
    ) -> TermChecking {
        let found = TermCheck {
            rows: rows as u64,
            problems: std::mem::take(&mut matching.source.problems),
            ..TermCheck::default()
        };
        TermChecking {
            model,
            actor,
            bundle,
            matching,
            places: vec![0; rows],
            planned: Vec::new(),
            found,
        }
    }

    /// Checks the next row in the order of the import.
    fn row(&mut self, lists: &Lists<'_>, row: usize) -> Result<(), Refusal> {
        self.places[row] = i64::try_from(self.planned.len()).unwrap_or(i64::MAX);
        let term = self.plan(row);
        let context = TermContext {
            read: lists,
            model: &self.model,
            actor: &self.actor,
            bundle: &self.bundle,
        };
        let item = match term.tid {
            Some(tid) => lists.entity(EntityKind::Term, tid)?,
            None => None,
        };
        let parents = term
            .parents
            .iter()
            .flatten()
            .filter_map(|parent| match parent {
                PlannedParent::Term(tid) => Some(*tid),
                PlannedParent::New { .. } => None,
            });
        let parents: Vec<i64> = parents.collect();
        match context.request(&term, item, &parents)? {
            Err(problem) => self.found.problems.push(problem),
            Ok(mut request) => {
                let changes = std::mem::take(&mut request.changes);
                let present = request.item.clone();
                if present.is_some() {
                    // Whether they make a circle depends on all rows, and is known.
                    request.body.remove(PARENT);
                }
                match context.prepare(request) {
                    Ok(_) => self.count(&term, present, changes),
                    Err(refusal) => self.found.problems.extend(problems_of(&term, refusal)?),
                }
            }
        }
        self.planned.push(term);
        Ok(())
    }

    fn plan(&mut self, row: usize) -> PlannedTerm {
        let source = std::mem::take(&mut self.matching.source.terms[row]);
        let parents = self.matching.parents[row].as_ref().map(|places| {
            let places = places
                .iter()
                .map(|place| match self.matching.place(*place) {
                    Place::Term(tid) => PlannedParent::Term(tid),
                    Place::Row(above) => PlannedParent::New {
                        place: self.places[above],
                        name: self
                            .planned
                            .get(self.places[above] as usize)
                            .map_or_else(String::new, |term| term.name.clone()),
                    },
                });
            places.collect()
        });
        PlannedTerm {
            row: source.row,
            tid: self.matching.tids[row],
            uuid: source.uuid,
            name: source.name,
            other_names: source.other_names,
            description: source.description,
            parents,
            addresses: source.addresses,
            weight: source.weight,
            adds: self.matching.source.are_concepts,
        }
    }

    fn count(&mut self, term: &PlannedTerm, present: Option<Entity>, changes: Vec<CellChange>) {
        let Some(present) = present else {
            self.found.creates += 1;
            return;
        };
        match changes.is_empty() {
            true => self.found.unchanged += 1,
            false => self.found.updates += 1,
        }
        for change in changes {
            self.found.changed_cells += 1;
            if self.found.changes.len() < MOST_CHANGES {
                self.found.changes.push(ChangedTerm {
                    row: term.row,
                    tid: present.id,
                    name: present.label().to_owned(),
                    column: change.column,
                    before: change.before,
                    after: change.after,
                });
            }
        }
    }

    fn finish(mut self) -> (TermCheck, PlannedTerms) {
        let problems = &mut self.found.problems;
        problems.sort_by_key(|problem| problem.row);
        self.found.more_problems = problems.len().saturating_sub(MOST_PROBLEMS) as u64;
        problems.truncate(MOST_PROBLEMS);
        (
            self.found,
            PlannedTerms {
                vocabulary: self.bundle.id.clone(),
                terms: self.planned,
            },
        )
    }
}

/// The problems that a refusal is about.
fn problems_of(term: &PlannedTerm, refusal: Refusal) -> Result<Vec<TableProblem>, Refusal> {
    TableProblem::of_refusal(term.row, refusal, |field| cell_of(term, field))
}

fn cell_of(term: &PlannedTerm, field: &str) -> (String, String) {
    let joined = |texts: &Option<Vec<String>>| texts.as_deref().unwrap_or_default().join("|");
    let (column, text) = match field {
        "name" => (field, term.name.clone()),
        "uuid" => (field, term.uuid.clone().unwrap_or_default()),
        "description" => (field, term.description.clone().unwrap_or_default()),
        "parent" | "weight" => (field, String::new()),
        _ if isolario_model::content::field_roles()
            .alternative_names
            .iter()
            .any(|name| name == field) =>
        {
            ("alternative_names", joined(&term.other_names))
        }
        _ => ("uri", joined(&term.addresses)),
    };
    (column.to_owned(), text)
}
