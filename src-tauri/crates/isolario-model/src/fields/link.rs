//! Web addresses with a title.

use serde_json::{Value, json};

use super::cell::texts_of;
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, TermNotation, Violation,
    ViolationCode, WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"uri": "http://…", "title": "…", "options": []}`.
pub struct Link;

impl FieldType for Link {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("uri", Shape::Text),
                property("title", Shape::Text),
                property("options", Shape::Opaque),
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
        WrittenItem::Made(write_link(item))
    }

    fn cell(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
        _terms: TermNotation,
    ) -> String {
        texts_of(item, &["uri", "title"])
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

/// The violations of something that is no address.
pub(super) fn check_uri(item: &Item) -> Vec<Violation> {
    match item.get("uri").and_then(Value::as_str) {
        Some(uri) if !is_uri(uri) => vec![invalid_path(uri), Violation::wrong_type("uri")],
        Some(uri) if !leads_out(uri) => vec![invalid_path(uri)],
        Some(uri) if uri.chars().count() > 2048 => vec![Violation::at(
            "uri",
            ViolationCode::TooLong,
            "URI: may not be longer than 2048 characters.",
        )],
        _ => Vec::new(),
    }
}

fn invalid_path(uri: &str) -> Violation {
    let message = format!("The path '{uri}' is invalid.");
    Violation::at("", ViolationCode::NotAUri, message)
}

/// The link with all its properties.
pub(super) fn write_link(item: &Item) -> Item {
    let mut written = item.clone();
    written.entry("title").or_insert(Value::Null);
    let options = item.get("options").filter(|options| !options.is_null());
    written.insert("options".into(), options.cloned().unwrap_or(json!([])));
    written
}

/// The address as an index value.
pub(super) fn index_uri(item: &Item) -> Option<IndexValue> {
    Some(IndexValue::Text(item.get("uri")?.as_str()?.to_owned()))
}

/// The title and the address.
pub(super) fn link_words(item: &Item) -> Option<String> {
    let uri = item.get("uri")?.as_str()?;
    let title = item.get("title").and_then(Value::as_str);
    Some(match title.filter(|title| !title.is_empty()) {
        Some(title) => format!("{title} {uri}"),
        None => uri.to_owned(),
    })
}

/// The address as linked data.
pub(super) fn uri_statement(item: &Item) -> Vec<Statement> {
    let uri = item.get("uri").and_then(Value::as_str);
    uri.map(|uri| Statement::thing(uri.to_owned()))
        .into_iter()
        .collect()
}

/// Scheme, colon, and something after it, without spaces or control characters (RFC 3986, 3).
pub(crate) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut letters = scheme.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.trim_start_matches('/').is_empty()
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Schemes of addresses that a browser may be sent to, as the reference has them.
const SCHEMES: &[&str] = &[
    "http", "https", "ftp", "news", "nntp", "tel", "telnet", "mailto", "irc", "ssh", "sftp",
    "webcal", "rtsp",
];

fn leads_out(uri: &str) -> bool {
    let scheme = uri.split(':').next().unwrap_or_default();
    SCHEMES
        .iter()
        .any(|references| scheme.eq_ignore_ascii_case(references))
}
