//! A table whose rows are read one after the other, and given out in parts.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::super::table_plan::TablePlan;
use super::begin::FOLDER;
use super::columns::{ColumnUse, read_heading};
use super::files::FileFinder;
use super::problem::in_words;
use super::row_file::{RowReader, TableRow};
use super::row_files::names_file;
use crate::actions::Refusal;
use crate::repository::Repository;

/// Rows that share a transaction. Others who write wait for so many at most.
const PART: usize = 200;
/// A table whose rows are read one after the other.
pub(super) struct OpenTable {
    pub rows: RowReader,
    pub uses: Vec<ColumnUse>,
    pub files: FileFinder,
    /// How rows name themselves, with their places.
    pub ids: HashMap<String, i64>,
    /// Rows that were read and not carried out yet.
    waiting: VecDeque<TableRow>,
}

impl OpenTable {
    /// Opens the rows that wait for an import.
    ///
    /// # Errors
    /// `Missing` where they are gone; `Invalid` where the content model has changed so that the heading has problems.
    pub fn open(repository: &Arc<Repository>, plan: &TablePlan) -> Result<OpenTable, Refusal> {
        let path = repository.directory.join(FOLDER).join(&plan.file);
        let rows = RowReader::open(&path)
            .map_err(|_| Refusal::Missing("The table is no longer there.".into()))?;
        let uses = match plan.vocabulary {
            None => read_heading(&repository.model(), &rows.heading, &plan.options),
            // The rows of terms have columns of their own.
            Some(_) => Ok(Vec::new()),
        };
        let uses = uses.map_err(|problems| Refusal::Invalid(in_words(&problems)))?;
        Ok(OpenTable {
            rows,
            uses,
            files: FileFinder::new(repository, plan.folder.as_ref()),
            ids: HashMap::new(),
            waiting: VecDeque::new(),
        })
    }

    /// Reads the rows of the next part. After a restart, those before it are passed by.
    pub fn read_part(&mut self, next: i64) -> Result<(), Refusal> {
        while self.rows.read < next && self.next()?.is_some() {}
        while self.waiting.len() < PART
            && let Some(row) = self.next()?
        {
            self.waiting.push_back(row);
        }
        Ok(())
    }

    /// The place of the first row that waits.
    fn place(&self) -> i64 {
        self.rows.read - i64::try_from(self.waiting.len()).unwrap_or(0)
    }

    /// Takes the rows before the first that names files, or that one alone.
    pub fn take_part(&mut self) -> RowsToImport {
        let place = self.place();
        let names_files = |row: &TableRow| names_file(&self.uses, row);
        if let Some(row) = self.waiting.pop_front_if(|row| names_files(row)) {
            return RowsToImport::WithFiles(place, row);
        }
        let number = self.waiting.iter().take_while(|row| !names_files(row));
        let number = number.count();
        RowsToImport::Plain(place, self.waiting.drain(..number).collect())
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

/// Rows that are carried out together, and the place of the first.
pub(super) enum RowsToImport {
    Plain(i64, Vec<TableRow>),
    /// Its files are stored one after the other.
    WithFiles(i64, TableRow),
}
