//! A table in XLSX (ECMA-376), whose cells are texts. A row goes to disk before the next one is made.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use super::ExportError;
use super::rows::Row;
use crate::actions::Refusal;

/// Rows of a sheet, the heading among them.
const MOST_ROWS: u32 = 1_048_576;
/// Letters of a cell, as UTF-16 counts them.
const MOST_LETTERS: usize = 32_767;
/// Bytes for which a disk is asked that may be full: no less than what is written at once.
static PROBE: [u8; 1 << 16] = [0; 1 << 16];

/// A workbook in the making.
pub(super) struct XlsxTable {
    workbook: Workbook,
    directory: PathBuf,
    heading: Row,
    rows: u32,
}

impl XlsxTable {
    /// A table with a heading. Its rows wait in a directory.
    pub fn new(directory: &Path, heading: Row) -> Result<XlsxTable, ExportError> {
        let mut workbook = Workbook::new();
        guarded(directory, || {
            workbook.set_tempdir(directory)?;
            workbook.add_worksheet_with_constant_memory().map(|_| ())
        })?;
        let mut table = XlsxTable {
            workbook,
            directory: directory.to_owned(),
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
        for (cell, column) in row.iter().zip(&self.heading) {
            if cell.encode_utf16().count() > MOST_LETTERS {
                let words = format!(
                    "A cell of XLSX holds {MOST_LETTERS} letters at most, and one of {column} has more. Leave the column out, or choose CSV."
                );
                return Err(Refusal::Invalid(words).into());
            }
        }
        guarded(&self.directory, || {
            let sheet = self.workbook.worksheet_from_index(0)?;
            for (cell, place) in row.iter().zip(0..) {
                if !cell.is_empty() {
                    sheet.write_string(self.rows, place, cell)?;
                }
            }
            Ok(())
        })?;
        self.rows += 1;
        Ok(())
    }

    /// The whole file, which has no name. It says that it was made at a time (Unix seconds).
    pub fn finish(mut self, created: i64) -> io::Result<File> {
        if let Ok(created) = ExcelDateTime::from_timestamp(created) {
            let properties = DocProperties::new().set_creation_datetime(&created);
            self.workbook.set_properties(&properties);
        }
        let mut file = tempfile::tempfile_in(&self.directory)?;
        guarded(&self.directory, || self.workbook.save_to_writer(&mut file))?;
        file.rewind()?;
        Ok(file)
    }
}

/// Runs the writer of workbooks, which panics when the disk refuses its rows and does not hand on why. So the disk is asked
/// again, while what was written still takes its room.
fn guarded<T>(directory: &Path, run: impl FnOnce() -> Result<T, XlsxError>) -> io::Result<T> {
    let failure = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(error)) => io::Error::other(error),
        Err(_) => io::Error::other("the workbook cannot be written"),
    };
    let probe = tempfile::tempfile_in(directory).and_then(|mut file| file.write_all(&PROBE));
    Err(probe.err().unwrap_or(failure))
}
