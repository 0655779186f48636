//! What is wrong with a table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::actions::Refusal;

/// Something that keeps a row, or the table, from being imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableProblem {
    /// The row, as a spreadsheet counts; the heading is 1.
    pub row: u64,
    /// The heading of the column; empty for the whole row.
    pub column: String,
    /// What stands there.
    pub value: String,
    /// Why it cannot be.
    pub reason: String,
    /// What may be meant.
    pub suggestion: Option<String>,
}

impl TableProblem {
    /// A problem of a row as a whole.
    pub(super) fn of_row(row: u64, reason: impl Into<String>) -> TableProblem {
        TableProblem::of_cell(row, "", "", reason)
    }

    /// A problem of a cell.
    pub(super) fn of_cell(
        row: u64,
        column: &str,
        value: &str,
        reason: impl Into<String>,
    ) -> TableProblem {
        TableProblem {
            row,
            column: column.to_owned(),
            value: value.chars().take(200).collect(),
            reason: reason.into(),
            suggestion: None,
        }
    }
}

/// The problems of a row, each in its words.
pub(super) fn in_words(problems: &[TableProblem]) -> String {
    let words = problems
        .iter()
        .map(|problem| match problem.column.as_str() {
            "" => problem.reason.clone(),
            column => format!("{column}: {}", problem.reason),
        });
    words.collect::<Vec<_>>().join(" ")
}

/// A refusal of the whole table.
pub(super) fn unreadable(words: impl Into<String>) -> Refusal {
    Refusal::Invalid(words.into())
}
