//! Reads tables of every format.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use csv::{ReaderBuilder, StringRecord};

use super::ods::read_ods;
use super::problem::unreadable;
use super::row_file::{RowFile, RowWriter};
use super::xlsx::read_xlsx;
use crate::actions::Refusal;
use isolario_model::tables::unguard;

/// The format of a table that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceFormat {
    /// Comma-separated (RFC 4180), or with semicolons or tabs between the cells.
    Csv,
    /// A workbook, of which the first sheet is read (ECMA-376).
    Xlsx,
    /// A workbook, of which the first sheet is read (OASIS OpenDocument 1.3).
    Ods,
}

/// Signs between cells. The one that the first line has most often is meant.
const DELIMITERS: [u8; 3] = *b",;\t";
/// The mark that says UTF-8.
const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

impl SourceFormat {
    /// The format of a file by its name.
    ///
    /// # Errors
    /// `Invalid` for a name that is that of no table.
    pub fn of_name(name: &str) -> Result<SourceFormat, Refusal> {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        match extension.map(str::to_lowercase).as_deref() {
            Some("csv" | "tsv" | "txt") => Ok(SourceFormat::Csv),
            Some("xlsx") => Ok(SourceFormat::Xlsx),
            Some("ods") => Ok(SourceFormat::Ods),
            _ => Err(unreadable(
                "The name of the table does not end in .csv, .tsv, .txt, .xlsx, .ods or .zip.",
            )),
        }
    }
}

/// Reads a table into rows, which wait in a folder.
///
/// # Errors
/// `Invalid` with a sentence for what is no table; what the disk refuses.
pub(super) fn read_rows(
    opened: File,
    format: SourceFormat,
    folder: &Path,
) -> Result<RowFile, Refusal> {
    let mut rows = RowWriter::new(folder).map_err(|error| Refusal::disk(&error))?;
    match format {
        SourceFormat::Csv => read_csv(opened, &mut rows)?,
        SourceFormat::Xlsx => read_xlsx(opened, &mut rows)?,
        SourceFormat::Ods => read_ods(opened, &mut rows)?,
    }
    rows.finish()
}

/// Bytes of a row. A quote that is never closed would make one of the whole table.
const LONGEST_ROW: u64 = 64 << 20;

/// Reads no more than there is room for.
struct Bounded<R> {
    input: R,
    room: Arc<AtomicU64>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let room = self.room.load(Ordering::Relaxed);
        let rest = room.checked_sub(read as u64);
        self.room
            .store(rest.ok_or(io::ErrorKind::FileTooLarge)?, Ordering::Relaxed);
        Ok(read)
    }
}

fn read_csv(file: File, rows: &mut RowWriter) -> Result<(), Refusal> {
    let unread = |error: io::Error| Refusal::Storage(format!("The table cannot be read: {error}."));
    let mut input = BufReader::new(file);
    let mut start = [0; 3];
    let read = input.read(&mut start).map_err(unread)?;
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(unreadable(
            "The table is in UTF-16. Save it as CSV in UTF-8.",
        ));
    }
    if read < 3 || start != BOM {
        input.rewind().map_err(unread)?;
    }
    let delimiter = delimiter_of(input.fill_buf().map_err(unread)?);
    let mut lines = ReaderBuilder::new();
    lines.has_headers(false).flexible(true).delimiter(delimiter);
    let room = Arc::new(AtomicU64::new(LONGEST_ROW));
    let mut lines = lines.from_reader(Bounded {
        input,
        room: room.clone(),
    });
    let mut line = StringRecord::new();
    loop {
        room.store(LONGEST_ROW, Ordering::Relaxed);
        let read = lines.read_record(&mut line);
        let read = read.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => unreadable(
                format!("A row has more than {LONGEST_ROW} bytes. Perhaps a quote is not closed."),
            ),
            csv::ErrorKind::Utf8 { pos, .. } => unreadable(format!(
                "The table is not in UTF-8{}. Save it as CSV in UTF-8.",
                pos.map_or(String::new(), |pos| format!(" in line {}", pos.line()))
            )),
            kind => unreadable(format!("The table cannot be read: {kind:?}.")),
        })?;
        if !read {
            return Ok(());
        }
        rows.add(line.iter().map(|cell| unguard(cell).to_owned()).collect())?;
    }
}

fn delimiter_of(start: &[u8]) -> u8 {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or(start);
    let count = |sign: u8| line.iter().filter(|byte| **byte == sign).count();
    let most = DELIMITERS.into_iter().rev().max_by_key(|sign| count(*sign));
    most.unwrap_or(b',')
}
