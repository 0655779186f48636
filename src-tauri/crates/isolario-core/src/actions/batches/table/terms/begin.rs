//! Begins to import the terms of a file.

use std::sync::Arc;

use super::super::super::table_plan::{TableOptions, TablePlan};
use super::super::begin::{FOLDER, begin_rows};
use super::super::row_file::{RowFile, RowWriter};
use super::planned::PlannedTerm;
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_db::{Batch, DbError};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// The terms of a file, in the order in which they are carried out.
pub struct PlannedTerms {
    pub(super) vocabulary: String,
    pub(super) terms: Vec<PlannedTerm>,
}

/// Writes down a batch that imports terms. Its first term is made when it is run. `name` is that of the file.
///
/// # Errors
/// `Invalid` for terms that are too long; `TooMany` where the actor has many open batches.
pub async fn begin_terms(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    name: String,
    terms: PlannedTerms,
) -> Result<Batch, Refusal> {
    let plan = TablePlan {
        folder: None,
        name,
        file: String::new(),
        rows: 0,
        options: TableOptions::default(),
        vocabulary: Some(terms.vocabulary.clone()),
    };
    let held = repository.clone();
    let written = tokio::task::spawn_blocking(move || write_rows(&held, &terms.terms));
    let rows = written
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))??;
    begin_rows(repository, actor, origin, plan, rows).await
}

fn write_rows(repository: &Repository, terms: &[PlannedTerm]) -> Result<RowFile, Refusal> {
    let folder = repository.directory.join(FOLDER);
    let mut rows = RowWriter::new(&folder).map_err(|error| Refusal::disk(&error))?;
    rows.add(vec!["term".to_owned()])?;
    for term in terms {
        let text = serde_json::to_string(term).map_err(DbError::from)?;
        rows.add_numbered(term.row, vec![text])?;
    }
    rows.finish()
}
