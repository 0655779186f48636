//! Templates: JSON with placeholders in its texts. What has a placeholder without a value is left out, with all in it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::facts::Fact;
use super::xml_record;

/// What a placeholder may be.
const KNOWN: [&str; 8] = [
    "text", "uri", "relator", "role", "kind", "language", "date", "year",
];
/// How deep templates go.
const DEEPEST: usize = 8;

/// Values of placeholders.
#[derive(Debug, Default)]
pub(super) struct Placeholders(BTreeMap<&'static str, String>);

impl Placeholders {
    /// Those of a value, in the words of a map.
    pub fn of(fact: &Fact, map: &BTreeMap<String, BTreeMap<String, String>>) -> Placeholders {
        let relator = fact.relator.as_ref();
        let date = leading_date(&fact.text);
        let values = [
            ("text", Some(fact.text.as_str())),
            ("uri", fact.uri.as_deref()),
            ("relator", relator.map(|(code, _)| code.as_str())),
            ("role", relator.map(|(_, label)| label.as_str())),
            ("kind", fact.kind.as_deref()),
            ("language", fact.language.as_deref()),
            ("date", date),
            ("year", date.and_then(|date| date.get(..4))),
        ];
        let mapped = values.into_iter().filter_map(|(name, value)| {
            let value = value?;
            let value = match map.get(name) {
                Some(words) => words.get(value).or_else(|| words.get("*"))?,
                None => value,
            };
            Some((name, value.to_owned()))
        });
        Placeholders(mapped.collect())
    }

    /// The template of a rule with its values; `None` where nothing is left of it.
    pub fn fill(&self, template: &Value) -> Option<Value> {
        let members = self.fill_members(template.as_object()?);
        (!members.is_empty()).then_some(Value::Object(members))
    }

    fn fill_members(&self, members: &Map<String, Value>) -> Map<String, Value> {
        let filled = members.iter();
        filled
            .filter_map(|(name, part)| Some((name.clone(), self.fill_part(part)?)))
            .collect()
    }

    fn fill_part(&self, template: &Value) -> Option<Value> {
        match template {
            Value::String(text) => self.fill_text(text).map(Value::String),
            Value::Array(parts) => {
                let filled: Vec<Value> = parts
                    .iter()
                    .filter_map(|part| self.fill_part(part))
                    .collect();
                (!filled.is_empty()).then_some(Value::Array(filled))
            }
            Value::Object(members) => {
                let filled = self.fill_members(members);
                // Attributes and types alone say nothing.
                let says_something = filled.keys().any(|name| !name.starts_with('@'));
                says_something.then_some(Value::Object(filled))
            }
            other => Some(other.clone()),
        }
    }

    fn fill_text(&self, text: &str) -> Option<String> {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            filled.push_str(before);
            filled.push_str(self.0.get(name)?);
            rest = after;
        }
        filled.push_str(rest);
        Some(filled)
    }
}

/// The year, month or day that a date begins with, as in ISO 8601: `1911-05` of `1911-05~`.
fn leading_date(text: &str) -> Option<&str> {
    let digits = |range: std::ops::Range<usize>| {
        let part = text.get(range)?;
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(part)
    };
    let dash = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    digits(0..4)?;
    if !(dash(4) && digits(5..7).is_some()) {
        return text.get(..4);
    }
    match dash(7) && digits(8..10).is_some() {
        true => text.get(..10),
        false => text.get(..7),
    }
}

/// Whether a template can be filled, and written as XML where prefixes are given.
pub(super) fn check_template(
    template: &Value,
    prefixes: Option<&BTreeMap<String, String>>,
    depth: usize,
) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(format!("\"write\" is deeper than {DEEPEST} levels"));
    }
    match template {
        Value::String(text) => check_text(text),
        Value::Array(parts) => parts
            .iter()
            .try_for_each(|part| check_template(part, prefixes, depth + 1)),
        Value::Object(members) => members.iter().try_for_each(|(name, part)| {
            if let Some(prefixes) = prefixes {
                let is_text = part.is_string();
                match name.strip_prefix('@') {
                    Some(_) if !is_text => return Err(format!("`{name}` must be a text")),
                    Some(attribute) => xml_record::check_name(attribute, prefixes)?,
                    None if name == "#text" && is_text => {}
                    None => xml_record::check_name(name, prefixes)?,
                }
            }
            check_template(part, prefixes, depth + 1)
        }),
        _ => Err("\"write\" has texts, objects and lists only".into()),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('{') {
        let name = after.split_once('}');
        let (name, after) = name.ok_or_else(|| format!("`{text}` has a {{ without a }}"))?;
        if !KNOWN.contains(&name) {
            let known = KNOWN.join(", ");
            return Err(format!("{{{name}}} is no placeholder; there are {known}"));
        }
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::leading_date;

    #[test]
    fn a_date_begins_with_what_is_certain_enough_for_others() {
        let dates = [
            "1911",
            "1911-05~",
            "1911-05-03/1912",
            "191X",
            "May 1911",
            "1911?",
            "",
        ];
        let expected = [
            Some("1911"),
            Some("1911-05"),
            Some("1911-05-03"),
            None,
            None,
            Some("1911"),
            None,
        ];
        assert_eq!(dates.map(leading_date), expected);
    }
}
