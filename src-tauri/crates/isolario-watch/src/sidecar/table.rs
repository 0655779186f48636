//! `metadata.csv`: a row a file, a column a field. The column `file` names the file (or `filename`, or the
//! first column); several values are parted by `|`.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Description, SidecarError, SidecarValue, tables_for};
use crate::folder::Folder;
use crate::names::stem;
use isolario_model::content::FileLook;

/// Names of the column that names the file.
const NAMES: [&str; 3] = ["file", "filename", "file_name"];
/// How many tables are kept in mind.
const KEPT: usize = 4;

/// The tables that were read last, so that a large one is not read for each of its rows.
#[derive(Default)]
pub struct Tables(Mutex<Vec<(String, FileLook, Arc<Table>)>>);

impl Tables {
    /// What the tables of a watched folder say of a file.
    ///
    /// # Errors
    /// For a table that cannot be read.
    pub fn row(&self, folder: &Folder, path: &str) -> Result<Option<Description>, SidecarError> {
        for (table, file) in tables_for(path) {
            let unreadable = |error| SidecarError::Unreadable(table.clone(), error);
            let Some(found) = self.table(folder, &table)? else {
                continue;
            };
            if let Some(row) = found.row(&file).map_err(unreadable)? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    fn table(&self, folder: &Folder, path: &str) -> Result<Option<Arc<Table>>, SidecarError> {
        let Some(look) = folder.look(path)? else {
            return Ok(None);
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept
            .iter()
            .find(|(known, seen, _)| known == path && *seen == look);
        if let Some((_, _, table)) = known {
            return Ok(Some(table.clone()));
        }
        let Some(bytes) = folder.sidecar(path)? else {
            return Ok(None);
        };
        let table = Table::new(bytes);
        let table = Arc::new(table.map_err(|error| SidecarError::Unreadable(path.into(), error))?);
        kept.retain(|(known, _, _)| known != path);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((path.to_owned(), look, table.clone()));
        Ok(Some(table))
    }
}

/// A table with the places of its rows.
struct Table {
    bytes: Vec<u8>,
    columns: csv::StringRecord,
    /// Of the column that names the file.
    name: usize,
    rows: HashMap<String, csv::Position>,
}

impl Table {
    fn new(bytes: Vec<u8>) -> Result<Table, String> {
        let words = |error: csv::Error| error.to_string();
        let mut reader = reader(&bytes);
        let columns = reader.headers().map_err(words)?.clone();
        let is_name = |column: &str| NAMES.contains(&column.trim().to_lowercase().as_str());
        let name = columns.iter().position(is_name).unwrap_or(0);
        let mut rows = HashMap::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(words)? {
            if let (Some(file), Some(place)) = (record.get(name), record.position()) {
                rows.entry(file.trim().to_owned())
                    .or_insert_with(|| place.clone());
            }
        }
        Ok(Table {
            columns,
            name,
            rows,
            bytes,
        })
    }

    fn row(&self, file: &str) -> Result<Option<Description>, String> {
        let place = self.rows.get(file).or_else(|| self.rows.get(stem(file)));
        let Some(place) = place else { return Ok(None) };
        let mut reader = reader(&self.bytes);
        let words = |error: csv::Error| error.to_string();
        reader.seek(place.clone()).map_err(words)?;
        let mut record = csv::StringRecord::new();
        // A sought reader takes the first record it meets for one of data.
        reader.read_record(&mut record).map_err(words)?;
        let cells = self.columns.iter().zip(record.iter()).enumerate();
        let said =
            cells.filter(|(column, (name, _))| *column != self.name && !name.trim().is_empty());
        Ok(Some(
            said.map(|(_, (name, cell))| (name.trim().to_owned(), values(cell)))
                .filter(|(_, values)| !values.is_empty())
                .collect(),
        ))
    }
}

fn reader(bytes: &[u8]) -> csv::Reader<Cursor<&[u8]>> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(Cursor::new(start))
}

fn values(cell: &str) -> Vec<SidecarValue> {
    let parts = cell
        .split('|')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .map(|part| SidecarValue::Text(part.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<SidecarValue> {
        texts
            .iter()
            .map(|text| SidecarValue::Text((*text).into()))
            .collect()
    }

    #[test]
    fn a_row_describes_a_file() {
        let csv = "\u{feff}title,file,field_subject,field_note\n\"A, b\",a.tif,x | y,\nSecond,b,z,\"two\nlines\"\n";
        let table = Table::new(csv.as_bytes().to_vec()).unwrap();
        let first = table.row("a.tif").unwrap().unwrap();
        assert_eq!(first["title"], texts(&["A, b"]));
        assert_eq!(first["field_subject"], texts(&["x", "y"]));
        assert!(!first.contains_key("field_note") && !first.contains_key("file"));
        let second = table.row("b.jpg").unwrap().unwrap();
        assert_eq!(second["field_note"], texts(&["two\nlines"]));
        assert_eq!(table.row("c.tif").unwrap(), None);
    }

    #[test]
    fn a_table_that_is_no_text_is_refused() {
        assert!(Table::new(b"a,b\n\xff,1\n".to_vec()).is_err());
    }
}
