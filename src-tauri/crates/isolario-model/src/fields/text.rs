//! Formatted text: a value, the name of its text format, and the HTML it becomes.

use serde_json::Value;

use super::html;
use super::property::property;
use super::string::{index_text, literal, too_long};
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, Violation, WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

const FORMATS: &[&str] = &["plain_text", "basic_html", "restricted_html", "full_html"];

/// `{"value": "…", "format": "basic_html", "processed": "…"}`; `processed` is made by us and safe to show.
pub struct FormattedText {
    /// Whether a `summary` goes with it.
    pub summary: bool,
}

impl FieldType for FormattedText {
    fn properties(&self) -> &'static [Property] {
        const PLAIN: &[Property] = &[
            property("value", Shape::LongText),
            property("format", Shape::Text),
        ];
        const WITH_SUMMARY: &[Property] = &[
            property("value", Shape::LongText),
            property("format", Shape::Text),
            property("summary", Shape::LongText),
        ];
        if self.summary { WITH_SUMMARY } else { PLAIN }
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        let mut violations: Vec<Violation> = too_long(definition, item).into_iter().collect();
        if let Some(format) = item.get("format").and_then(Value::as_str)
            && !FORMATS.contains(&format)
        {
            violations.push(Violation::not_a_choice("format"));
        }
        violations
    }

    fn write<'i>(
        &self,
        _definition: &FieldDefinition,
        item: &'i Item,
        _context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        let text = |name: &str| item.get(name).and_then(Value::as_str);
        let format = text("format");
        let processed = html::processed(text("value").unwrap_or_default(), format);
        let mut written = vec![
            ("value", text("value").into()),
            ("format", format.into()),
            ("processed", processed.into()),
        ];
        if self.summary {
            let summary = text("summary").unwrap_or_default();
            let processed = html::processed(summary, format);
            written.push(("summary", summary.into()));
            written.push(("summary_processed", processed.into()));
        }
        WrittenItem::Of(written)
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_text(item)
    }

    fn words(&self, _definition: &FieldDefinition, item: &Item) -> Option<String> {
        let text = |name: &str| item.get(name).and_then(Value::as_str);
        let format = text("format");
        let words = html::words(text("value")?, format);
        let summary = text("summary").filter(|summary| self.summary && !summary.is_empty());
        Some(match summary {
            Some(summary) => format!("{}\n{words}", html::words(summary, format)),
            None => words,
        })
    }

    fn statements(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        literal(definition, item)
    }
}
