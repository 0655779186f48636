//! The rows of a table as a file, in one notation whatever the table was.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord};

use super::super::table_plan::{TableFolder, TableOptions};
use super::problem::unreadable;
use crate::actions::Refusal;
use isolario_disk::regular_file;
use isolario_platform::files;

/// The most columns, rows, and bytes of a cell that a table has.
pub(super) const MOST_COLUMNS: usize = 1_000;
pub(super) const MOST_ROWS: u64 = 1_000_000;
const LONGEST_CELL: usize = 1 << 20;

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableRow {
    /// As a spreadsheet counts; the heading is 1.
    pub number: u64,
    pub cells: Vec<String>,
}

/// Rows on disk. The file is removed with this, unless it is kept for a batch.
#[derive(Debug)]
pub struct RowFile {
    pub(super) path: PathBuf,
    pub(super) heading: Vec<String>,
    pub(super) rows: u64,
    /// Where the files of the rows lie.
    pub(super) folder: Option<TableFolder>,
    /// How the table is imported, as a configuration beside it says.
    pub(super) configured: TableOptions,
    is_kept: bool,
}

impl Drop for RowFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // What stays is looked for again at the next start.
            let _ = files::remove_file(&self.path);
            let unpacked = self
                .folder
                .iter()
                .filter_map(|folder| folder.unpacked.as_ref());
            for folder in unpacked {
                let _ = files::remove_dir_all(self.path.with_file_name(folder));
            }
        }
    }
}

impl RowFile {
    /// Says where the files of the rows lie.
    pub fn set_folder(&mut self, folder: TableFolder) {
        // Files that came in a ZIP are removed with it.
        if self.folder.is_none() {
            self.folder = Some(folder);
        }
    }

    /// How the table is imported: as it was asked for, otherwise as a configuration beside it says.
    pub(super) fn options(&self, asked: &TableOptions) -> TableOptions {
        let configured = self.configured.clone();
        let mut options = asked.clone();
        options.creates_terms |= configured.creates_terms;
        options.ignored.extend(configured.ignored);
        options.separator = options.separator.or(configured.separator);
        for (heading, column) in configured.columns {
            options.columns.entry(heading).or_insert(column);
        }
        options
    }

    /// Keeps the file, and returns its name.
    pub(super) fn keep(mut self) -> String {
        self.is_kept = true;
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// Writes the rows of a table. The first one is the heading.
pub(super) struct RowWriter {
    lines: csv::Writer<BufWriter<File>>,
    file: RowFile,
    number: u64,
}

impl RowWriter {
    /// A file in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn new(folder: &Path) -> io::Result<RowWriter> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}.csv", uuid::Uuid::new_v4().simple()));
        let file = BufWriter::new(File::create_new(&path)?);
        Ok(RowWriter {
            lines: csv::Writer::from_writer(file),
            file: RowFile {
                path,
                heading: Vec::new(),
                rows: 0,
                folder: None,
                configured: TableOptions::default(),
                is_kept: false,
            },
            number: 0,
        })
    }

    /// Counts rows without a cell.
    pub fn skip(&mut self, rows: u64) {
        self.number = self.number.saturating_add(rows);
    }

    /// Adds a row of this number.
    ///
    /// # Errors
    /// As `add`.
    pub fn add_numbered(&mut self, number: u64, cells: Vec<String>) -> Result<(), Refusal> {
        self.number = number.saturating_sub(1);
        self.add(cells)
    }

    /// Adds a row. One without a text is counted only.
    ///
    /// # Errors
    /// `Invalid` for more than a table may have; what the disk refuses.
    pub fn add(&mut self, cells: Vec<String>) -> Result<(), Refusal> {
        self.number += 1;
        let number = self.number;
        if let Some(long) = cells.iter().position(|cell| cell.len() > LONGEST_CELL) {
            return Err(unreadable(format!(
                "Row {number} has a cell of more than {LONGEST_CELL} bytes in column {}.",
                long + 1
            )));
        }
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        if self.file.heading.is_empty() {
            return self.begin(cells);
        }
        let width = self.file.heading.len();
        if cells.iter().skip(width).any(|cell| !cell.trim().is_empty()) {
            return Err(unreadable(format!(
                "Row {number} has more cells than there are headings."
            )));
        }
        if self.file.rows >= MOST_ROWS {
            return Err(unreadable(format!("A table has at most {MOST_ROWS} rows.")));
        }
        self.file.rows += 1;
        let number = [number.to_string()];
        let missing = width.saturating_sub(cells.len());
        let cells = cells.into_iter().take(width);
        let cells = cells.chain(std::iter::repeat_n(String::new(), missing));
        self.write(number.into_iter().chain(cells))
    }

    fn begin(&mut self, mut heading: Vec<String>) -> Result<(), Refusal> {
        while heading.last().is_some_and(|cell| cell.trim().is_empty()) {
            heading.pop();
        }
        if heading.len() > MOST_COLUMNS {
            return Err(unreadable(format!(
                "A table has at most {MOST_COLUMNS} columns, and this one has {}.",
                heading.len()
            )));
        }
        self.file.heading = heading.clone();
        self.write(["row".to_owned()].into_iter().chain(heading))
    }

    fn write(&mut self, cells: impl Iterator<Item = String>) -> Result<(), Refusal> {
        let written = self.lines.write_record(cells);
        written.map_err(|error| Refusal::disk(&io::Error::from(error)))
    }

    /// The whole file, on disk.
    ///
    /// # Errors
    /// `Invalid` for a table without a row; what the disk refuses.
    pub fn finish(self) -> Result<RowFile, Refusal> {
        let RowWriter { lines, file, .. } = self;
        let synced = lines
            .into_inner()
            .map_err(|error| io::Error::other(error.to_string()))
            .and_then(|mut buffer| {
                buffer.flush()?;
                buffer.get_ref().sync_all()
            });
        synced.map_err(|error| Refusal::disk(&error))?;
        match file.rows {
            0 => Err(unreadable("The table has no row below its heading.")),
            _ => Ok(file),
        }
    }
}

/// Reads rows one after the other.
pub(super) struct RowReader {
    lines: csv::Reader<BufReader<File>>,
    record: StringRecord,
    pub heading: Vec<String>,
    /// How many rows were read.
    pub read: i64,
}

impl RowReader {
    /// # Errors
    /// What the disk refuses, as when the file is not there.
    pub fn open(path: &Path) -> io::Result<RowReader> {
        let file = BufReader::new(regular_file::open(path)?);
        let mut lines = ReaderBuilder::new().from_reader(file);
        let heading = lines.headers()?.iter().skip(1).map(str::to_owned).collect();
        Ok(RowReader {
            lines,
            record: StringRecord::new(),
            heading,
            read: 0,
        })
    }

    /// The next row; `None` after the last.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn next(&mut self) -> io::Result<Option<TableRow>> {
        if !self.lines.read_record(&mut self.record)? {
            return Ok(None);
        }
        self.read += 1;
        let mut cells = self.record.iter();
        let number = cells.next().and_then(|number| number.parse().ok());
        Ok(Some(TableRow {
            number: number.unwrap_or_default(),
            cells: cells.map(str::to_owned).collect(),
        }))
    }
}
