//! Terms as a table in CSV (RFC 4180).

use std::io;

use csv::{Terminator, Writer, WriterBuilder};

use super::{ExportedTerm, PARENT, texts};
use isolario_model::content::{Bundle, field_roles};

/// Stands between the values of a cell, as in tables of items.
const BETWEEN: &str = "|";

/// The bytes of rows.
pub(super) struct TermTable {
    rows: Writer<Vec<u8>>,
    /// The field for other names, where the vocabulary has one.
    names: Option<String>,
}

impl TermTable {
    /// A table with its heading.
    pub fn new(bundle: &Bundle) -> io::Result<TermTable> {
        let mut names = field_roles().alternative_names.iter();
        let mut table = TermTable {
            rows: writer(),
            names: names.find(|name| bundle.field(name).is_some()).cloned(),
        };
        table.rows.write_record([
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
        let joined = |values: Vec<&str>| values.join(BETWEEN);
        let names = self.names.iter();
        let names = names.flat_map(|field| texts(term, field, "value"));
        let links = [&roles.external_uri, &roles.authority_link].into_iter();
        let links = links.flat_map(|field| texts(term, field, "uri"));
        let parents = || exported.parents.iter();
        Ok(self.rows.write_record([
            term.id.to_string(),
            term.uuid.clone(),
            term.label().to_owned(),
            joined(names.collect()),
            joined(texts(term, "description", "value").collect()),
            joined(parents().map(|(_, name)| name.as_str()).collect()),
            joined(parents().map(|(uuid, _)| uuid.as_str()).collect()),
            joined(links.collect()),
            term.integer("weight").unwrap_or(0).to_string(),
        ])?)
    }

    /// Takes the bytes of the rows that were added since.
    pub fn take(&mut self) -> io::Result<Vec<u8>> {
        let full = std::mem::replace(&mut self.rows, writer());
        full.into_inner().map_err(|error| error.into_error())
    }
}

fn writer() -> Writer<Vec<u8>> {
    let mut lines = WriterBuilder::new();
    lines.terminator(Terminator::CRLF).from_writer(Vec::new())
}
