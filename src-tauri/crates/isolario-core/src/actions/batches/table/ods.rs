//! Reads the first sheet of an OpenDocument workbook (OASIS OpenDocument 1.3, part 3, 9) as a stream: cells and rows that
//! are repeated a million times would fill the memory of a reader that spreads them out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::problem::unreadable;
use super::row_file::{MOST_COLUMNS, RowWriter};
use crate::actions::Refusal;
use isolario_model::tables::unguard;

/// Bytes of the content that is unpacked.
const MOST_UNPACKED: u64 = 1 << 30;

/// Writes the rows of the first sheet.
///
/// # Errors
/// `Invalid` for what is no workbook, and for one that is too large.
pub(super) fn read_ods(file: File, rows: &mut RowWriter) -> Result<(), Refusal> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| broken(&error))?;
    let content = archive.by_name("content.xml");
    let content = content.map_err(|error| broken(&error))?;
    let bounded = BufReader::new(content.take(MOST_UNPACKED));
    Sheet::default().read(Reader::from_reader(bounded), rows)
}

fn broken(error: &dyn std::fmt::Display) -> Refusal {
    unreadable(format!("It is no ODS: {error}."))
}

/// The sheet as far as it was read.
#[derive(Default)]
struct Sheet {
    is_in_table: bool,
    row: Vec<String>,
    /// Empty cells that count only where another one follows.
    empty_cells: usize,
    row_repeats: u64,
    cell: Option<OpenCell>,
    is_in_paragraph: bool,
}

/// The cell that is being read.
struct OpenCell {
    repeats: usize,
    /// What its attributes say, where they do not leave it to its text.
    value: Option<String>,
    text: String,
    paragraphs: usize,
}

impl Sheet {
    fn read<R: BufRead>(mut self, mut xml: Reader<R>, rows: &mut RowWriter) -> Result<(), Refusal> {
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let event = xml.read_event_into(&mut buffer);
            match event.map_err(|error| broken(&error))? {
                Event::Start(tag) if tag.name().as_ref() == "office:annotation" => {
                    let end = tag.to_end().into_owned();
                    let skipped = xml.read_to_end_into(end.name(), &mut Vec::new());
                    skipped.map_err(|error| broken(&error))?;
                }
                Event::Start(tag) => self.start(&tag)?,
                Event::Empty(tag) => {
                    self.start(&tag)?;
                    self.end(tag.name().as_ref(), rows)?;
                }
                Event::End(tag) if tag.name().as_ref() == "table:table" => return Ok(()),
                Event::End(tag) => self.end(tag.name().as_ref(), rows)?,
                Event::Text(text) => self.add_text(&text),
                Event::CData(text) => self.add_text(&text),
                Event::GeneralRef(name) => {
                    let text = format!("&{};", &*name);
                    let text = unescape(&text).map_err(|error| broken(&error))?;
                    self.add_text(&text);
                }
                Event::Eof => return Err(unreadable("It is no ODS, or it is too large.")),
                _ => {}
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), Refusal> {
        match tag.name().as_ref() {
            "table:table" => self.is_in_table = true,
            "table:table-row" => {
                self.row_repeats = repeats(tag, "table:number-rows-repeated")?;
            }
            "table:table-cell" | "table:covered-table-cell" if self.is_in_table => {
                let repeats = repeats(tag, "table:number-columns-repeated")?;
                self.cell = Some(OpenCell {
                    repeats: usize::try_from(repeats).unwrap_or(usize::MAX),
                    value: value_of(tag)?,
                    text: String::new(),
                    paragraphs: 0,
                });
            }
            "text:p" => {
                self.is_in_paragraph = true;
                if let Some(cell) = &mut self.cell {
                    if cell.paragraphs > 0 {
                        cell.text.push('\n');
                    }
                    cell.paragraphs += 1;
                }
            }
            "text:line-break" => self.add_text("\n"),
            "text:tab" => self.add_text("\t"),
            "text:s" => {
                let spaces = repeats(tag, "text:c")?.min(MOST_COLUMNS as u64);
                (0..spaces).for_each(|_| self.add_text(" "));
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str, rows: &mut RowWriter) -> Result<(), Refusal> {
        match name {
            "text:p" => self.is_in_paragraph = false,
            "table:table-cell" | "table:covered-table-cell" => self.end_cell()?,
            "table:table-row" if self.is_in_table => self.end_row(rows)?,
            _ => {}
        }
        Ok(())
    }

    fn add_text(&mut self, text: &str) {
        if self.is_in_paragraph
            && let Some(cell) = &mut self.cell
        {
            cell.text.push_str(text);
        }
    }

    fn end_cell(&mut self) -> Result<(), Refusal> {
        let Some(cell) = self.cell.take() else {
            return Ok(());
        };
        let text = match cell.value {
            Some(value) => value,
            None => unguard(&cell.text).to_owned(),
        };
        if text.is_empty() {
            self.empty_cells = self.empty_cells.saturating_add(cell.repeats);
            return Ok(());
        }
        let width = self.row.len().saturating_add(self.empty_cells);
        if width.saturating_add(cell.repeats) > MOST_COLUMNS {
            return Err(unreadable(format!(
                "A table has at most {MOST_COLUMNS} columns."
            )));
        }
        self.row.resize(width, String::new());
        self.empty_cells = 0;
        let repeated = std::iter::repeat_n(text, cell.repeats);
        self.row.extend(repeated);
        Ok(())
    }

    fn end_row(&mut self, rows: &mut RowWriter) -> Result<(), Refusal> {
        self.empty_cells = 0;
        let row = std::mem::take(&mut self.row);
        if row.is_empty() {
            rows.skip(self.row_repeats);
            return Ok(());
        }
        for _ in 0..self.row_repeats {
            rows.add(row.clone())?;
        }
        Ok(())
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, Refusal> {
    let found = tag
        .try_get_attribute(name)
        .map_err(|error| broken(&error))?;
    let Some(found) = found else { return Ok(None) };
    let text = unescape(&found.value).map_err(|error| broken(&error))?;
    Ok(Some(text.into_owned()))
}

fn repeats(tag: &BytesStart<'_>, name: &str) -> Result<u64, Refusal> {
    let said = attribute(tag, name)?;
    Ok(said.and_then(|text| text.parse().ok()).unwrap_or(1))
}

/// The value of a number, a date or a truth value, which its text shows in some format (OpenDocument 1.3, part 3, 19.389).
fn value_of(tag: &BytesStart<'_>) -> Result<Option<String>, Refusal> {
    let kind = attribute(tag, "office:value-type")?;
    let name = match kind.as_deref() {
        Some("float" | "percentage" | "currency") => "office:value",
        Some("date") => "office:date-value",
        Some("boolean") => "office:boolean-value",
        _ => return Ok(None),
    };
    let value = attribute(tag, name)?;
    Ok(value.map(|value| match value.as_str() {
        "true" => "1".to_owned(),
        "false" => "0".to_owned(),
        _ => value.strip_suffix("T00:00:00").unwrap_or(&value).to_owned(),
    }))
}
