//! Dates in a query: EDTF, and from one to another: `1901`, `190X`, `1901..1910`, `1901/1910`, `>1900`, `<=1950-06`.

use std::sync::Arc;

use isolario_model::fields::days_of;

/// The days of which an item has at least one. Days are counted from 1970-01-01.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateRange {
    /// The name that was used, as it is printed: `date`.
    pub name: Arc<str>,
    /// The date as it was typed.
    pub text: String,
    /// The first day; none if there is no first.
    pub first: Option<i64>,
    /// The last day; none if there is no last.
    pub last: Option<i64>,
}

impl DateRange {
    /// Reads a date; none for what is none.
    pub(super) fn parse(name: &Arc<str>, text: &str) -> Option<DateRange> {
        let (first, last) = days(text)?;
        Some(DateRange {
            name: Arc::clone(name),
            text: text.to_owned(),
            first,
            last,
        })
    }
}

type Days = (Option<i64>, Option<i64>);

fn days(text: &str) -> Option<Days> {
    compared(text)
        .or_else(|| edtf(text))
        .or_else(|| from_to(text))
}

fn edtf(text: &str) -> Option<Days> {
    let (first, last) = date(text)?;
    Some((Some(first), Some(last)))
}

/// A date, also with a small `x`.
fn date(text: &str) -> Option<(i64, i64)> {
    days_of(text).or_else(|| days_of(&text.to_ascii_uppercase()))
}

fn compared(text: &str) -> Option<Days> {
    let (first, last) = date(text.trim_start_matches(['<', '>', '=']))?;
    let sign = text.find(|letter| !['<', '>', '='].contains(&letter))?;
    match &text[..sign] {
        ">" => Some((Some(last + 1), None)),
        ">=" => Some((Some(first), None)),
        "<" => Some((None, Some(first - 1))),
        "<=" => Some((None, Some(last))),
        _ => None,
    }
}

fn from_to(text: &str) -> Option<Days> {
    let (from, to) = text.split_once("..")?;
    match (from.is_empty(), to.is_empty()) {
        (true, true) => None,
        (true, false) => Some((None, Some(date(to)?.1))),
        (false, true) => Some((Some(date(from)?.0), None)),
        (false, false) => {
            let (from, to) = (date(from)?, date(to)?);
            Some((Some(from.0.min(to.0)), Some(from.1.max(to.1))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> i64 {
        days_of(text).unwrap().0
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        let of = |first: &str, last: &str| Some((Some(day(first)), Some(day(last))));
        for (text, read) in [
            ("1901", of("1901-01-01", "1901-12-31")),
            ("190X", of("1900-01-01", "1909-12-31")),
            ("190x", of("1900-01-01", "1909-12-31")),
            ("1901~", of("1901-01-01", "1901-12-31")),
            ("1901/1910", of("1901-01-01", "1910-12-31")),
            ("1901..1910", of("1901-01-01", "1910-12-31")),
            ("1910..1901", of("1901-01-01", "1910-12-31")),
            ("1901-05..1901-06", of("1901-05-01", "1901-06-30")),
            ("1901..", Some((Some(day("1901-01-01")), None))),
            ("..1910", Some((None, Some(day("1910-12-31"))))),
            (">1900", Some((Some(day("1901-01-01")), None))),
            (">=1900", Some((Some(day("1900-01-01")), None))),
            ("<1900", Some((None, Some(day("1899-12-31"))))),
            ("<=1900-02", Some((None, Some(day("1900-02-28"))))),
            ("..", None),
            ("", None),
            (">", None),
            ("=1900", None),
            ("><1900", None),
            ("soon", None),
            ("1901..soon", None),
        ] {
            assert_eq!(days(text), read, "{text}");
        }
    }
}
