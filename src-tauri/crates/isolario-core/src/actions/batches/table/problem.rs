//! What is wrong with a table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::actions::Refusal;
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::Denial;

/// Something that keeps a row, or the table, from being imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableProblem {
    /// The row, as a spreadsheet counts; the heading is 1.
    pub row: u64,
    /// The heading of the column; empty for the whole row.
    pub column: String,
    /// What stands there.
    pub value: String,
    /// Which rule it breaks.
    pub code: ProblemCode,
    /// What the rule is about, where the code alone does not say it: a term, a type, a row, one
    /// of several values.
    #[schema(required)]
    pub detail: Option<String>,
    /// Why it cannot be, in a sentence.
    pub reason: String,
    /// What may be meant.
    pub suggestion: Option<String>,
}

/// A rule of tables, or of the values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ProblemCode {
    Table(TableProblemCode),
    Value(ViolationCode),
}

/// The kind of rule that a table breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableProblemCode {
    /// A column has no heading.
    EmptyHeading,
    /// No column has this heading.
    UnknownColumn,
    /// Two columns have this heading.
    RepeatedColumn,
    /// A column is missing; the detail names it.
    MissingColumn,
    /// The cell does not have the number of an item.
    NotAnItemNumber,
    /// The item does not exist, or the actor may not see it.
    UnknownItem,
    /// There is no such item type.
    UnknownType,
    /// The item type has no such field; the detail is the type.
    FieldNotInType,
    /// The vocabulary has no such term; the detail is both, as `subject:Maps`.
    UnknownTerm,
    /// No row above has the id of the parent.
    UnknownParentRow,
    /// A row above has the same id.
    RepeatedId,
    /// A row above changes the same item.
    RepeatedItem,
    /// Somebody changed the item after the table was made; the detail is the time.
    ChangedMeanwhile,
    /// There is no such media use; the detail is its name.
    UnknownMediaUse,
    /// Another cell of the row has a file for this media use.
    RepeatedMediaUse,
    /// The item has another file for this media use.
    OtherFile,
    /// Files are not fetched from the web.
    FileOnWeb,
    /// The table came without a folder of files.
    NoFolder,
    /// The file lies outside the folder.
    FileOutsideFolder,
    /// The folder has no such file.
    UnknownFile,
    /// The file cannot be read; the detail says why.
    UnreadableFile,
    /// The file has no bytes.
    EmptyFile,
    /// The file is too large; the detail is the most bytes that it may have.
    FileTooLarge,
    /// No media type takes a file with such a name.
    FileTypeNotTaken,
    /// The name of the file cannot be stored; the detail says why.
    FileNameNotPossible,
    /// The term has no name.
    NamelessTerm,
    /// The concept has no label; the detail is its address.
    NamelessConcept,
    /// A concept cannot have such a value; the detail is its name.
    NotOfConcept,
    /// A row above has the same UUID.
    RepeatedUuid,
    /// A row above has the same name below the same term.
    RepeatedTerm,
    /// Another row is about the same term; the detail is the row.
    SameTerm,
    /// Several terms have this name.
    AmbiguousName,
    /// Several rows have this name.
    AmbiguousRow,
    /// Several terms have this address.
    AmbiguousAddress,
    /// There is no such term above this one.
    UnknownParentTerm,
    /// The terms above this one lead back to it.
    CircularTerm,
    /// The vocabulary has no field for alternative names.
    NoNamesField,
    /// The vocabulary has no field for addresses.
    NoAddressField,
    /// The actor may not do this; the reason names the permission.
    Forbidden,
    /// Another rule; the reason says which.
    NotPossible,
}

impl TableProblemCode {
    /// The reason with what it is about.
    pub(super) fn of(self, detail: impl Into<String>) -> TableReason {
        let detail = detail.into();
        TableReason {
            sentence: self.sentence(&detail),
            code: ProblemCode::Table(self),
            detail: Some(detail),
        }
    }

    fn sentence(self, detail: &str) -> String {
        use TableProblemCode::*;
        let fixed = match self {
            EmptyHeading => "A column has no heading.",
            UnknownColumn => "There is no such column.",
            RepeatedColumn => "There are two of this column.",
            MissingColumn => return format!("There is no column “{detail}”."),
            NotAnItemNumber => "It is no number of an item.",
            UnknownItem => "It does not exist, or you may not see it.",
            UnknownType => "There is no such type.",
            FieldNotInType => return format!("Items of the type {detail} have no such field."),
            UnknownTerm => {
                let (vocabulary, name) = detail.split_once(':').unwrap_or_default();
                return format!("There is no term {name:?} in {vocabulary}.");
            }
            UnknownParentRow => "No row above has this id.",
            RepeatedId => "A row above has this id already.",
            RepeatedItem => "A row above changes this item already.",
            ChangedMeanwhile => return format!("Somebody has changed the item since: {detail}."),
            UnknownMediaUse => return format!("There is no media use {detail:?}."),
            RepeatedMediaUse => "Another cell of the row names a file for this use.",
            OtherFile => "The item has another file for this use. Replace it at the item.",
            FileOnWeb => "Files are not fetched from the web. Put it into the folder of the files.",
            NoFolder => "No folder of files came with the table.",
            FileOutsideFolder => "It does not lie in the folder of the files.",
            UnknownFile => "There is no such file.",
            UnreadableFile => return format!("It cannot be read: {detail}."),
            EmptyFile => "The file is empty.",
            FileTooLarge => return format!("A file may not be larger than {detail} bytes."),
            FileTypeNotTaken => "The repository takes no files with such a name.",
            FileNameNotPossible => {
                return format!("No file can be kept under this name: {detail}");
            }
            NamelessTerm => "The term has no name.",
            NamelessConcept => return format!("{detail} has no label."),
            NotOfConcept => return format!("{detail}: A concept cannot have this."),
            RepeatedUuid => "A term above has this UUID already.",
            RepeatedTerm => "A term above has this name already, below the same term.",
            SameTerm => return format!("Row {detail} is about the same term."),
            AmbiguousName => "Several terms have this name. Give the UUID.",
            AmbiguousRow => "Several rows have this name. Give the UUID of the one above.",
            AmbiguousAddress => "Several terms have this address. Give the UUID.",
            UnknownParentTerm => "There is no such term.",
            CircularTerm => "The terms above it lead back to itself.",
            NoNamesField => "The vocabulary has no field for alternative names.",
            NoAddressField => "The vocabulary has no field for addresses.",
            Forbidden | NotPossible => detail,
        };
        fixed.to_owned()
    }
}

/// Why something is wrong.
#[derive(Debug)]
pub(super) struct TableReason {
    code: ProblemCode,
    detail: Option<String>,
    sentence: String,
}

impl TableReason {
    fn said(code: TableProblemCode, sentence: String) -> TableReason {
        TableReason {
            code: ProblemCode::Table(code),
            detail: None,
            sentence,
        }
    }
}

impl From<TableProblemCode> for TableReason {
    fn from(code: TableProblemCode) -> TableReason {
        TableReason::said(code, code.sentence(""))
    }
}

impl From<&Violation> for TableReason {
    fn from(violation: &Violation) -> TableReason {
        TableReason {
            code: ProblemCode::Value(violation.code),
            detail: None,
            sentence: violation.message.clone(),
        }
    }
}

impl From<Denial> for TableReason {
    fn from(denial: Denial) -> TableReason {
        TableReason::said(TableProblemCode::Forbidden, denial.message)
    }
}

impl From<&Refusal> for TableReason {
    fn from(refusal: &Refusal) -> TableReason {
        match refusal {
            Refusal::Denied(denial) => denial.clone().into(),
            Refusal::InvalidFields(violations) if violations.len() == 1 => (&violations[0]).into(),
            refusal => TableReason::said(TableProblemCode::NotPossible, refusal.to_string()),
        }
    }
}

impl TableProblem {
    /// A problem of a row as a whole.
    pub(super) fn of_row(row: u64, reason: impl Into<TableReason>) -> TableProblem {
        TableProblem::of_cell(row, "", "", reason)
    }

    /// A problem of a cell.
    pub(super) fn of_cell(
        row: u64,
        column: &str,
        value: &str,
        reason: impl Into<TableReason>,
    ) -> TableProblem {
        let reason = reason.into();
        TableProblem {
            row,
            column: column.to_owned(),
            value: value.chars().take(200).collect(),
            code: reason.code,
            detail: reason.detail,
            reason: reason.sentence,
            suggestion: None,
        }
    }

    /// The problems that a refusal of one row is about.
    ///
    /// # Errors
    /// A refusal that concerns no single row.
    pub(super) fn of_refusal(
        row: u64,
        refusal: Refusal,
        cell_of: impl Fn(&str) -> (String, String),
    ) -> Result<Vec<TableProblem>, Refusal> {
        match &refusal {
            Refusal::InvalidFields(violations) => {
                let problems = violations.iter().map(|violation| {
                    let (column, text) = cell_of(&violation.field);
                    TableProblem::of_cell(row, &column, &text, violation)
                });
                Ok(problems.collect())
            }
            one if one.is_of_one() => Ok(vec![TableProblem::of_row(row, one)]),
            _ => Err(refusal),
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
