//! Links to a record in an authority file.

use serde_json::Value;

use super::cell::texts_of;
use super::link::{check_uri, index_uri, link_words, uri_statement, write_link};
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, TermNotation, Violation,
    WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"uri": "http://…", "title": "…", "options": [], "source": "viaf"}`.
pub struct AuthorityLink;

impl FieldType for AuthorityLink {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("uri", Shape::Text),
                property("title", Shape::Text),
                property("options", Shape::Opaque),
                property("source", Shape::Text),
            ]
        }
    }

    fn check(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        check_uri(item)
    }

    fn write<'i>(
        &self,
        _definition: &FieldDefinition,
        item: &'i Item,
        _context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        let mut written = write_link(item);
        written.entry("source").or_insert(Value::Null);
        WrittenItem::Made(written)
    }

    fn cell(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
        _terms: TermNotation,
    ) -> String {
        texts_of(item, &["source", "uri", "title"])
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_uri(item)
    }

    fn words(&self, _definition: &FieldDefinition, item: &Item) -> Option<String> {
        link_words(item)
    }

    fn statements(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        uri_statement(item)
    }
}
