//! Points on the earth.

use serde_json::{Value, json};

use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, TermNotation, Violation,
    ViolationCode, WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"lat": 49.27, "lng": -123.1, "value": "49.27, -123.1", "data": []}`, degrees.
pub struct Geolocation;

impl FieldType for Geolocation {
    fn properties(&self) -> &'static [Property] {
        const { &[property("lat", Shape::Float), property("lng", Shape::Float)] }
    }

    fn is_empty(&self, item: &Item) -> bool {
        ["lat", "lng"]
            .iter()
            .all(|name| item.get(*name).is_none_or(Value::is_null))
    }

    fn check(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        ["lat", "lng"]
            .into_iter()
            .filter_map(|name| out_of_range(item, name))
            .collect()
    }

    fn write<'i>(
        &self,
        _definition: &FieldDefinition,
        item: &'i Item,
        _context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        let mut written = item.clone();
        written.insert("data".into(), json!([]));
        written.insert("value".into(), in_words(item).into());
        WrittenItem::Made(written)
    }

    fn cell(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
        _terms: TermNotation,
    ) -> String {
        let degrees = |name: &str| item.get(name).and_then(Value::as_f64).unwrap_or_default();
        format!("{},{}", degrees("lat"), degrees("lng"))
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        Some(IndexValue::Text(in_words(item)))
    }

    fn statements(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        let says_it = definition
            .predicates
            .iter()
            .any(|name| name.starts_with("wgs84_pos"));
        if says_it {
            vec![Statement::literal(&in_words(item), "string")]
        } else {
            Vec::new()
        }
    }
}

/// The reference has no limits, and tables of its users hold latitudes beyond 90.
const LIMIT: f64 = 180.0;

fn out_of_range(item: &Item, name: &str) -> Option<Violation> {
    match item.get(name) {
        None | Some(Value::Null) => Some(Violation::required(name)),
        Some(value) => (value.as_f64()?.abs() > LIMIT).then(|| {
            Violation::at(
                name,
                ViolationCode::OutOfRange,
                format!("This value should be between -{LIMIT} and {LIMIT}."),
            )
        }),
    }
}

fn in_words(item: &Item) -> String {
    let degree = |name: &str| item.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    format!("{}, {}", degree("lat"), degree("lng"))
}
