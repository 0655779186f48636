//! Reads terms from the rows of a table.

use super::super::columns::nearest;
use super::super::problem::{TableProblem, TableProblemCode};
use super::super::row_file::{RowFile, RowReader, TableRow};
use super::source_term::{ParentName, SourceTerm, SourceTerms};
use crate::actions::Refusal;
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::tables::split;

/// What a column says of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TermColumn {
    Uuid,
    Name,
    OtherNames,
    Description,
    Parent,
    ParentUuid,
    Addresses,
    Weight,
    /// The number of the term, which says nothing in another repository.
    Number,
}

const COLUMNS: [(&str, TermColumn); 9] = [
    ("term_id", TermColumn::Number),
    ("uuid", TermColumn::Uuid),
    ("name", TermColumn::Name),
    ("alternative_names", TermColumn::OtherNames),
    ("description", TermColumn::Description),
    ("parent", TermColumn::Parent),
    ("parent_uuid", TermColumn::ParentUuid),
    ("uri", TermColumn::Addresses),
    ("weight", TermColumn::Weight),
];

/// The terms of a table.
///
/// # Errors
/// `Invalid` for more terms than a file may have; what the disk refuses.
pub(super) fn terms_of_rows(rows: &RowFile) -> Result<SourceTerms, Refusal> {
    let mut found = SourceTerms::default();
    let Some(columns) = columns(&rows.heading, &mut found.problems) else {
        return Ok(found);
    };
    let disk = |error: std::io::Error| Refusal::disk(&error);
    let mut reader = RowReader::open(&rows.path).map_err(disk)?;
    while let Some(row) = reader.next().map_err(disk)? {
        let cells = Cells {
            columns: &columns,
            row: &row,
        };
        let term = cells.term(&mut found)?;
        found.add(term)?;
    }
    Ok(found)
}

/// What each column is; `None`, with problems, for a heading that cannot be.
fn columns(heading: &[String], problems: &mut Vec<TableProblem>) -> Option<Vec<TermColumn>> {
    let mut columns = Vec::new();
    for name in heading {
        let wanted = name.trim().to_lowercase();
        let known = COLUMNS.iter().find(|(known, _)| *known == wanted);
        let reason = match known {
            None if wanted.is_empty() => TableProblemCode::EmptyHeading,
            None => TableProblemCode::UnknownColumn,
            Some((_, column)) if columns.contains(column) => TableProblemCode::RepeatedColumn,
            Some((_, column)) => {
                columns.push(*column);
                continue;
            }
        };
        problems.push(TableProblem {
            suggestion: nearest(name, COLUMNS.iter().map(|(name, _)| *name)),
            ..TableProblem::of_cell(1, name, name, reason)
        });
    }
    if problems.is_empty() && !columns.contains(&TermColumn::Name) {
        problems.push(TableProblem::of_row(
            1,
            TableProblemCode::MissingColumn.of("name"),
        ));
    }
    problems.is_empty().then_some(columns)
}

/// The cells of a row.
struct Cells<'r> {
    columns: &'r [TermColumn],
    row: &'r TableRow,
}

impl<'r> Cells<'r> {
    /// The text of a column; `None` where the table has no such column.
    fn text(&self, wanted: TermColumn) -> Option<&'r str> {
        let index = self.columns.iter().position(|column| *column == wanted)?;
        Some(self.row.cells.get(index).map_or("", |cell| cell.trim()))
    }

    fn texts(
        &self,
        wanted: TermColumn,
        found: &mut SourceTerms,
    ) -> Result<Option<Vec<String>>, Refusal> {
        let Some(cell) = self.text(wanted) else {
            return Ok(None);
        };
        let texts = split(cell).into_iter().map(|text| text.trim().to_owned());
        let texts = texts.filter(|text| !text.is_empty());
        texts
            .map(|text| found.keep(&text))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn term(&self, found: &mut SourceTerms) -> Result<SourceTerm, Refusal> {
        let number = self.row.number;
        let uuid = self.text(TermColumn::Uuid).filter(|text| !text.is_empty());
        let weight = self.weight(found);
        let term = SourceTerm {
            row: number,
            uuid: uuid.map(|text| found.keep(text)).transpose()?,
            name: found.keep(self.text(TermColumn::Name).unwrap_or_default())?,
            other_names: self.texts(TermColumn::OtherNames, found)?,
            description: self
                .text(TermColumn::Description)
                .map(|text| found.keep(text))
                .transpose()?,
            parents: self.parents(found)?,
            addresses: self.texts(TermColumn::Addresses, found)?,
            weight,
            concept: None,
        };
        if term.name.is_empty() {
            found.problems.push(TableProblem::of_cell(
                number,
                "name",
                "",
                TableProblemCode::NamelessTerm,
            ));
        }
        Ok(term)
    }

    /// By UUID, where the table says it, or else by name.
    fn parents(&self, found: &mut SourceTerms) -> Result<Option<Vec<ParentName>>, Refusal> {
        let names = self.texts(TermColumn::Parent, found)?;
        let uuids = self.texts(TermColumn::ParentUuid, found)?;
        Ok(match (names, uuids) {
            (None, None) => None,
            (names, Some(uuids)) if !uuids.is_empty() || names.is_none() => {
                Some(uuids.into_iter().map(ParentName::Uuid).collect())
            }
            (names, _) => Some(names.into_iter().flatten().map(ParentName::Name).collect()),
        })
    }

    fn weight(&self, found: &mut SourceTerms) -> Option<i64> {
        let text = self
            .text(TermColumn::Weight)
            .filter(|text| !text.is_empty())?;
        let weight = text.parse().ok();
        if weight.is_none() {
            let reason = &Violation::at("", ViolationCode::NotANumber, "It is no whole number.");
            found.problems.push(TableProblem::of_cell(
                self.row.number,
                "weight",
                text,
                reason,
            ));
        }
        weight
    }
}
