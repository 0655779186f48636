//! Reads the first sheet of a workbook (ECMA-376), cell by cell.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{Data, DataRef, DataType, Reader, Xlsx};
use zip::ZipArchive;

use super::problem::unreadable;
use super::row_file::{MOST_COLUMNS, MOST_ROWS, RowWriter};
use crate::actions::Refusal;
use isolario_model::tables::unguard;

/// Bytes of a workbook that is unpacked. The texts of its cells are in memory while it is read.
const MOST_UNPACKED: u64 = 200 << 20;

/// Writes the rows of the first sheet.
///
/// # Errors
/// `Invalid` for what is no workbook, and for one that is too large.
pub(super) fn read_xlsx(mut file: File, rows: &mut RowWriter) -> Result<(), Refusal> {
    refuse_large(&mut file)?;
    // The reader is made for files of friends.
    catch_unwind(AssertUnwindSafe(|| read_sheet(file, rows)))
        .unwrap_or_else(|_| Err(unreadable("The workbook cannot be read.")))
}

/// What the workbook says of its sizes is not believed: all of it is unpacked, and thrown away.
fn refuse_large(file: &mut File) -> Result<(), Refusal> {
    let broken = |error: &dyn std::fmt::Display| unreadable(format!("It is no XLSX: {error}."));
    let mut archive = ZipArchive::new(BufReader::new(&*file)).map_err(|error| broken(&error))?;
    let mut room = MOST_UNPACKED;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| broken(&error))?;
        let read = io::copy(&mut part.take(room + 1), &mut io::sink());
        let read = read.map_err(|error| broken(&error))?;
        room = room.checked_sub(read).ok_or_else(|| {
            unreadable(format!(
                "The workbook has more than {MOST_UNPACKED} bytes when it is unpacked. Save the sheet as CSV."
            ))
        })?;
    }
    file.rewind().map_err(|error| Refusal::disk(&error))
}

fn read_sheet(file: File, rows: &mut RowWriter) -> Result<(), Refusal> {
    let broken = |error: calamine::XlsxError| unreadable(format!("It is no XLSX: {error}."));
    let mut workbook = Xlsx::new(BufReader::new(file)).map_err(broken)?;
    let sheet = workbook.sheet_names().first().cloned();
    let sheet = sheet.ok_or_else(|| unreadable("The workbook has no sheet."))?;
    let mut cells = workbook.worksheet_cells_reader(&sheet).map_err(broken)?;
    let (mut row, mut number) = (Vec::new(), 0);
    while let Some(cell) = cells.next_cell().map_err(broken)? {
        let (line, column) = cell.get_position();
        let (line, column) = (u64::from(line), column as usize);
        if line > MOST_ROWS || line < number {
            return Err(unreadable(format!("A table has at most {MOST_ROWS} rows.")));
        }
        while number < line {
            rows.add(std::mem::take(&mut row))?;
            number += 1;
        }
        let text = text_of(cell.get_value(), line + 1)?;
        if text.is_empty() {
            continue;
        }
        if column >= MOST_COLUMNS {
            return Err(unreadable(format!(
                "A table has at most {MOST_COLUMNS} columns."
            )));
        }
        if row.len() <= column {
            row.resize(column + 1, String::new());
        }
        if let Some(place) = row.get_mut(column) {
            *place = text;
        }
    }
    rows.add(row)
}

fn text_of(value: &DataRef<'_>, row: u64) -> Result<String, Refusal> {
    let value = Data::from(value.clone());
    Ok(match &value {
        Data::Empty => String::new(),
        Data::Bool(flag) => u8::from(*flag).to_string(),
        Data::Error(error) => {
            return Err(unreadable(format!(
                "A cell of row {row} has an error: {error}."
            )));
        }
        Data::DateTime(_) | Data::DateTimeIso(_) => match value.as_datetime() {
            Some(time) if time.time() == chrono::NaiveTime::MIN => time.date().to_string(),
            Some(time) => time.format("%Y-%m-%dT%H:%M:%S").to_string(),
            None => value.to_string(),
        },
        Data::String(text) => unguard(text).to_owned(),
        other => other.to_string(),
    })
}
