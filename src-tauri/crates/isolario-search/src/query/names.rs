//! The names by which people ask for fields: `title:`, `Titel:`, `subject:`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::analysis::{Units, fold};

/// A field as it can be named in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedField {
    /// The name that is printed.
    pub name: Arc<str>,
    /// The fields of documents that it stands for.
    pub fields: Arc<[String]>,
}

/// What a name before a colon means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    Field(NamedField),
    Date(Arc<str>),
}

/// The names of fields, in all languages.
#[derive(Debug, Clone, Default)]
pub struct FieldNames {
    meanings: HashMap<String, Meaning>,
}

impl FieldNames {
    /// Adds a name for one or several fields, with other names of it. Case, diacritics, spaces and signs do not matter. A
    /// name that is taken keeps its meaning.
    pub fn add(&mut self, name: &str, aliases: &[&str], fields: &[&str]) {
        let fields = fields.iter().map(|field| (*field).to_owned());
        let field = NamedField {
            name: printable(name).into(),
            fields: fields.collect(),
        };
        self.insert(name, aliases, &Meaning::Field(field));
    }

    /// Adds a name for the dates of items.
    pub fn add_dates(&mut self, name: &str, aliases: &[&str]) {
        self.insert(name, aliases, &Meaning::Date(printable(name).into()));
    }

    fn insert(&mut self, name: &str, aliases: &[&str], meaning: &Meaning) {
        if key(name).is_empty() || self.meanings.contains_key(&key(name)) {
            return;
        }
        for name in [name].iter().chain(aliases) {
            let taken = self.meanings.entry(key(name));
            taken.or_insert_with(|| meaning.clone());
        }
    }

    /// What somebody means who typed this before a colon.
    pub(super) fn meaning(&self, typed: &str) -> Option<&Meaning> {
        self.meanings.get(&key(typed))
    }
}

/// A name without case, diacritics, spaces and signs.
fn key(name: &str) -> String {
    let words = Units::of(name).map(|unit| fold(&name[unit.range]).into_owned());
    words.collect()
}

/// A name as it can stand before a colon: its words, joined.
fn printable(name: &str) -> String {
    let mut printed = String::new();
    for unit in Units::of(name) {
        if !printed.is_empty() && !unit.is_joined {
            printed.push('_');
        }
        printed.push_str(&name[unit.range]);
    }
    printed
}
