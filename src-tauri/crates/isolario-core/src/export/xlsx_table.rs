//! A table in XLSX (ECMA-376), whose cells are texts. A row goes to disk before the next one is made.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

use rust_xlsxwriter::{Workbook, XlsxError};

use super::ExportError;
use super::rows::Row;
use crate::actions::Refusal;

/// Rows of a sheet, the heading among them.
const MOST_ROWS: u32 = 1_048_576;
/// Letters of a cell, as UTF-16 counts them.
const MOST_LETTERS: usize = 32_767;

/// A workbook in the making.
pub(super) struct XlsxTable {
    workbook: Workbook,
    heading: Row,
    rows: u32,
}

impl XlsxTable {
    /// A table with a heading. Its rows wait in a directory.
    pub fn new(directory: &Path, heading: Row) -> Result<XlsxTable, ExportError> {
        let mut workbook = Workbook::new();
        workbook.set_tempdir(directory).map_err(unwritten)?;
        let sheet = workbook.add_worksheet_with_constant_memory();
        sheet.map_err(unwritten)?;
        let mut table = XlsxTable {
            workbook,
            heading: heading.clone(),
            rows: 0,
        };
        table.add(&heading)?;
        Ok(table)
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row) -> Result<(), ExportError> {
        if self.rows >= MOST_ROWS {
            let words = format!(
                "XLSX holds {} items at most, and there are more. Choose fewer items, or CSV.",
                MOST_ROWS - 1
            );
            return Err(Refusal::Invalid(words).into());
        }
        let sheet = self.workbook.worksheet_from_index(0).map_err(unwritten)?;
        for ((cell, column), place) in row.iter().zip(&self.heading).zip(0..) {
            if cell.encode_utf16().count() > MOST_LETTERS {
                let words = format!(
                    "A cell of XLSX holds {MOST_LETTERS} letters at most, and one of {column} has more. Leave the column out, or choose CSV."
                );
                return Err(Refusal::Invalid(words).into());
            }
            if !cell.is_empty() {
                let written = sheet.write_string(self.rows, place, cell);
                written.map_err(unwritten)?;
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// The whole file, which has no name.
    pub fn finish(mut self, directory: &Path) -> io::Result<File> {
        let mut file = tempfile::tempfile_in(directory)?;
        let saved = self.workbook.save_to_writer(&mut file);
        saved.map_err(io::Error::other)?;
        file.rewind()?;
        Ok(file)
    }
}

fn unwritten(error: XlsxError) -> ExportError {
    ExportError::Output(io::Error::other(error))
}
