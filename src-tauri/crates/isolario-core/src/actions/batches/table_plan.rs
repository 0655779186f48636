//! What a batch that imports a table is to do, as the database keeps it.

use serde::{Deserialize, Serialize};

use isolario_db::Batch;

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
    #[serde(flatten)]
    pub options: TableOptions,
    /// The vocabulary whose terms the rows are; `None` for items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<String>,
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
