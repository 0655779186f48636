//! Points in time: kept as Unix seconds, written as ISO 8601 with a numeric offset.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::Value;

use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, TermNotation, WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// The descriptor of the time stamps that are written (interface, Date item).
pub const FORMAT: &str = "Y-m-d\\TH:i:sP";

/// `{"value": "2020-01-01T00:00:00+00:00", "format": "Y-m-d\\TH:i:sP"}`.
pub struct Timestamp;

impl FieldType for Timestamp {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Integer)] }
    }

    fn accept(
        &self,
        _definition: &FieldDefinition,
        mut item: Item,
        _references: &dyn ReferenceLookup,
    ) -> Result<Item, String> {
        if let Some(Value::String(text)) = item.get("value") {
            let seconds = parse(text).ok_or_else(|| refusal(text))?;
            item.insert("value".into(), seconds.into());
        }
        match item.get("value") {
            Some(Value::Number(number)) if number.as_i64().and_then(at).is_none() => {
                Err(refusal(&number.to_string()))
            }
            _ => Ok(item),
        }
    }

    fn write<'i>(
        &self,
        _definition: &FieldDefinition,
        item: &'i Item,
        _context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        let seconds = item.get("value").and_then(Value::as_i64).unwrap_or(0);
        WrittenItem::Of(vec![
            ("value", iso(seconds).into()),
            ("format", FORMAT.into()),
        ])
    }

    fn cell(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
        _terms: TermNotation,
    ) -> String {
        let seconds = item.get("value").and_then(Value::as_i64);
        seconds.map(iso).unwrap_or_default()
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        Some(IndexValue::Number(item.get("value")?.as_f64()?))
    }

    fn statements(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        let seconds = item.get("value").and_then(Value::as_i64);
        seconds
            .map(|seconds| Statement::literal(&iso(seconds), "dateTime"))
            .into_iter()
            .collect()
    }
}

/// Unix seconds as `2020-01-01T00:00:00+00:00`.
pub fn iso(seconds: i64) -> String {
    at(seconds)
        .unwrap_or(DateTime::UNIX_EPOCH)
        .to_rfc3339_opts(SecondsFormat::Secs, false)
}

fn at(seconds: i64) -> Option<DateTime<Utc>> {
    const YEAR_10000: i64 = 253_402_300_800;
    const YEAR_0: i64 = -62_167_219_200;
    if !(YEAR_0..YEAR_10000).contains(&seconds) {
        return None;
    }
    DateTime::from_timestamp(seconds, 0)
}

fn parse(text: &str) -> Option<i64> {
    let parsed = DateTime::parse_from_rfc3339(text)
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%z"));
    parsed.ok().map(|time| time.timestamp())
}

fn refusal(text: &str) -> String {
    format!(
        "The specified date \"{text}\" is not in an accepted format: \"U\" (UNIX timestamp), \"Y-m-d\\TH:i:sO\" (ISO 8601), \"Y-m-d\\TH:i:sP\" (RFC 3339)."
    )
}
