//! What a batch that imports a table is to do, as the database keeps it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::actions::Refusal;
use isolario_db::Batch;
use isolario_platform::files;

/// The name of this kind of change.
pub const IMPORT_TABLE: &str = "import_table";
/// The name of an import of terms.
pub const IMPORT_TERMS: &str = "import_terms";

/// A table that is imported, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePlan {
    /// The name of the table, as people know it.
    pub name: String,
    /// The file in `imports/` that has its rows.
    pub file: String,
    /// Rows below the heading.
    pub rows: i64,
    /// Where the files of the rows lie.
    #[serde(default)]
    pub folder: Option<TableFolder>,
    #[serde(flatten)]
    pub options: TableOptions,
    /// The vocabulary whose terms the rows are; `None` for items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<String>,
}

/// Where the files of a table lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFolder {
    /// Absolute, without links.
    pub path: PathBuf,
    /// The files and folders in it that rows may name; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<PathBuf>>,
    /// The folder in `imports/` that is removed when the import has ended. The files came with the table.
    pub unpacked: Option<String>,
}

impl TableFolder {
    /// A folder of this machine. What lies in it stays.
    ///
    /// # Errors
    /// `Missing` where there is no such folder.
    pub fn of_machine(path: &Path) -> Result<TableFolder, Refusal> {
        let missing = |words: String| Refusal::Missing(format!("{}: {words}.", path.display()));
        let path = files::canonicalize(path).map_err(|error| missing(error.to_string()))?;
        match path.is_dir() {
            true => Ok(TableFolder {
                path,
                parts: None,
                unpacked: None,
            }),
            false => Err(missing("it is no folder".into())),
        }
    }

    /// Whether rows may name a file; given without links.
    pub fn has(&self, file: &Path) -> bool {
        let mut parts = self.parts.iter().flatten();
        let is_allowed = self.parts.is_none() || parts.any(|part| file.starts_with(part));
        is_allowed && file.starts_with(&self.path)
    }
}

/// How a table is imported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableOptions {
    /// What new items become members of, unless the table says something else.
    pub collection: Option<i64>,
    /// Whether terms that there are not are made.
    pub creates_terms: bool,
    /// Columns that are passed by.
    #[serde(default)]
    pub ignored: Vec<String>,
    /// What headings of other programs stand for: a name of a column for each.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// What stands between several values of a cell; `|` without it.
    #[serde(default)]
    pub separator: Option<String>,
    /// Whether an item is changed that somebody has changed since the table was exported.
    #[serde(default)]
    pub overwrites: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
enum StoredTable {
    ImportTable(TablePlan),
    ImportTerms(TablePlan),
}

impl StoredTable {
    fn into_plan(self) -> TablePlan {
        match self {
            StoredTable::ImportTable(plan) | StoredTable::ImportTerms(plan) => plan,
        }
    }
}

impl TablePlan {
    /// The plan of a batch; `None` where it does something else, or takes another one back.
    pub fn of(batch: &Batch) -> Option<TablePlan> {
        if batch.undoes.is_some() {
            return None;
        }
        serde_json::from_str(&batch.change)
            .ok()
            .map(StoredTable::into_plan)
    }

    /// What a batch does that imports a table, or takes that back; `None` for others.
    pub fn act_of(batch: &Batch) -> Option<&'static str> {
        match serde_json::from_str(&batch.change).ok()? {
            StoredTable::ImportTable(_) => Some(IMPORT_TABLE),
            StoredTable::ImportTerms(_) => Some(IMPORT_TERMS),
        }
    }

    /// What lies in `imports/` for it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let unpacked = self
            .folder
            .iter()
            .filter_map(|folder| folder.unpacked.as_deref());
        [self.file.as_str()].into_iter().chain(unpacked)
    }

    /// Whether a batch imports a table, or takes that back.
    pub fn is_of(batch: &Batch) -> bool {
        TablePlan::act_of(batch).is_some()
    }

    /// As the database keeps it.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&match self.vocabulary {
            None => StoredTable::ImportTable(self.clone()),
            Some(_) => StoredTable::ImportTerms(self.clone()),
        })
    }

    /// The row that is next: 0 is the first below the heading. Terms that were made are counted behind the rows.
    pub fn next_row(&self, batch: &Batch) -> i64 {
        batch.done - (batch.total - self.rows)
    }
}
