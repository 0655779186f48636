//! Dates in the Extended Date/Time Format (ISO 8601-2:2019, Annex A), levels 0 to 2.

mod complaints;
mod parts;
mod start;

use chrono::NaiveDate;
use edtf_core::{Bound, BoundDate, Edtf};
use serde_json::Value;

use complaints::complaints;
use start::start_of;

use super::property::property;
use super::string::too_long;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, Violation, ViolationCode,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"value": "1569/1571~"}`.
pub struct EdtfDate;

impl FieldType for EdtfDate {
    fn properties(&self) -> &'static [Property] {
        const { &[property("value", Shape::Text)] }
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        let mut violations: Vec<Violation> = too_long(definition, item).into_iter().collect();
        if let Some(text) = item.get("value").and_then(Value::as_str)
            && Edtf::parse(text).is_err()
        {
            let told = complaints(text).into_iter();
            violations.extend(told.map(|words| {
                let message = format!("{text} is not valid EDTF: {words}");
                Violation::at("", ViolationCode::NotADate, message)
            }));
        }
        violations
    }

    fn index(&self, _definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        let (first, last) = days_of(item.get("value")?.as_str()?)?;
        Some(IndexValue::Date { first, last })
    }

    fn words(&self, _definition: &FieldDefinition, item: &Item) -> Option<String> {
        Some(item.get("value")?.as_str()?.to_owned())
    }

    fn statements(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        let Some(text) = item.get("value").and_then(Value::as_str) else {
            return Vec::new();
        };
        match start_of(text) {
            Some((start, datatype)) => vec![
                Statement::literal(&start, "string"),
                Statement::literal(&start, datatype),
            ],
            None => vec![Statement::literal(text, "string")],
        }
    }
}

/// The days that a date in EDTF may mean, counted from 1970-01-01, both included; `None` for what is no
/// such date, or says nothing of when.
pub fn days_of(text: &str) -> Option<(i64, i64)> {
    let bounds = Edtf::parse(text).ok()?.bounds();
    match (day_of(bounds.earliest, false), day_of(bounds.latest, true)) {
        (Some(first), Some(last)) => Some((first, last)),
        (Some(day), None) | (None, Some(day)) => Some((day, day)),
        (None, None) => None,
    }
}

const FARTHEST_DAY: i64 = 3_650_000;

fn day_of(bound: Bound, is_end: bool) -> Option<i64> {
    match bound {
        Bound::NegativeInfinity => Some(-FARTHEST_DAY),
        Bound::PositiveInfinity => Some(FARTHEST_DAY),
        Bound::Date(date) => Some(days_since_epoch(date, is_end)),
        Bound::Unknown => None,
    }
}

fn days_since_epoch(date: BoundDate, is_end: bool) -> i64 {
    let references = i32::try_from(date.year)
        .ok()
        .and_then(|year| NaiveDate::from_ymd_opt(year, date.month.into(), date.day.into()));
    match references {
        Some(day) => (day - NaiveDate::default()).num_days(),
        None if date.year < 0 => -FARTHEST_DAY - i64::from(!is_end),
        None => FARTHEST_DAY + i64::from(is_end),
    }
}
