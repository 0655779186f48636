//! A table in CSV (RFC 4180).

use std::io;

use csv::{Terminator, Writer, WriterBuilder};

/// The mark that says UTF-8.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// The bytes of rows.
pub struct CsvTable(Writer<Vec<u8>>);

impl CsvTable {
    /// An empty table.
    pub fn new(with_bom: bool) -> CsvTable {
        let start = if with_bom { BOM } else { b"" };
        CsvTable(writer(start.to_vec()))
    }

    /// Adds a row. The caller guards cells that a spreadsheet would calculate.
    ///
    /// # Errors
    /// For a row of another length than the first.
    pub fn add<C: AsRef<[u8]>>(&mut self, row: impl IntoIterator<Item = C>) -> io::Result<()> {
        Ok(self.0.write_record(row)?)
    }

    /// Takes the bytes of the rows that were added since.
    ///
    /// # Errors
    /// What the writer says.
    pub fn take(&mut self) -> io::Result<Vec<u8>> {
        let full = std::mem::replace(&mut self.0, writer(Vec::new()));
        full.into_inner().map_err(|error| error.into_error())
    }
}

fn writer(bytes: Vec<u8>) -> Writer<Vec<u8>> {
    let mut lines = WriterBuilder::new();
    lines.terminator(Terminator::CRLF).from_writer(bytes)
}
