//! Terms as a table in CSV (RFC 4180).

use std::io;

use super::{ExportedTerm, PARENT, texts};
use crate::csv_table::CsvTable;
use isolario_model::content::{Bundle, field_roles};
use isolario_model::tables::{guard, join};

/// The bytes of rows.
pub(super) struct TermTable {
    rows: CsvTable,
    /// The field for other names, where the vocabulary has one.
    names: Option<String>,
}

impl TermTable {
    /// A table with its heading.
    pub fn new(bundle: &Bundle) -> io::Result<TermTable> {
        let mut names = field_roles().alternative_names.iter();
        let mut table = TermTable {
            rows: CsvTable::new(false),
            names: names.find(|name| bundle.field(name).is_some()).cloned(),
        };
        table.rows.add([
            "term_id",
            "uuid",
            "name",
            "alternative_names",
            "description",
            PARENT,
            "parent_uuid",
            "uri",
            "weight",
        ])?;
        Ok(table)
    }

    /// Adds a term.
    pub fn add(&mut self, exported: &ExportedTerm) -> io::Result<()> {
        let (term, roles) = (&exported.term, field_roles());
        let joined =
            |values: Vec<&str>| join(&values.into_iter().map(str::to_owned).collect::<Vec<_>>());
        let names = self.names.iter();
        let names = names.flat_map(|field| texts(term, field, "value"));
        let links = [&roles.external_uri, &roles.authority_link].into_iter();
        let links = links.flat_map(|field| texts(term, field, "uri"));
        let parents = || exported.parents.iter();
        let cells = [
            term.id.to_string(),
            term.uuid.clone(),
            term.label().to_owned(),
            joined(names.collect()),
            texts(term, "description", "value").collect(),
            joined(parents().map(|(_, name)| name.as_str()).collect()),
            joined(parents().map(|(uuid, _)| uuid.as_str()).collect()),
            joined(links.collect()),
        ];
        let cells = cells.iter().map(|cell| guard(cell).into_owned());
        let weight = term.integer("weight").unwrap_or(0).to_string();
        self.rows.add(cells.chain([weight]))
    }

    /// Takes the bytes of the rows that were added since.
    pub fn take(&mut self) -> io::Result<Vec<u8>> {
        self.rows.take()
    }
}
