//! Finds and replaces a part of texts.

use regex::{Captures, Regex, RegexBuilder};
use serde_json::Value;

use super::{ItemEffect, StayReason, TextMatch, definition};
use crate::content::base_fields::base_field;
use crate::content::{Bundle, Entity, FieldDefinition, Item};
use crate::fields::InputError;

/// Types of fields of text.
const TEXT: [&str; 5] = [
    "string",
    "string_long",
    "text",
    "text_long",
    "text_with_summary",
];
/// Letters of what is looked for, or put in its place.
const LONGEST: usize = 10_000;
/// Bytes of a text after the change.
const LARGEST: usize = 4 * 1024 * 1024;

/// Bytes of a compiled expression.
const LARGEST_EXPRESSION: usize = 4 * 1024 * 1024;

/// Why an expression cannot be used, in one sentence.
fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "The text to find is too long.".into(),
        error => {
            let said = error.to_string();
            let last = said.lines().last().unwrap_or_default();
            let last = last.trim_start_matches("error: ").trim_end_matches('.');
            format!("The expression cannot be read: {last}.")
        }
    }
}

/// Whether texts of a field are looked through when no field is named.
pub(super) fn is_text(field: &FieldDefinition) -> bool {
    !field.computed && TEXT.contains(&field.field_type.as_str())
}

/// Whether texts of a field are looked through only when it is named.
pub(super) fn is_text_by_name(field: &FieldDefinition) -> bool {
    field.field_type == "edtf"
}

/// What is found, and what is put in its place.
#[derive(Debug, Clone)]
pub(super) struct TextReplacement {
    find: Regex,
    by: String,
    /// Whether `by` names groups of the expression.
    expands: bool,
}

impl TextReplacement {
    pub(super) fn new(
        find: &str,
        by: &str,
        match_case: bool,
        matching: TextMatch,
    ) -> Result<TextReplacement, String> {
        if find.is_empty() {
            return Err("There is nothing to find.".into());
        }
        if [find, by].iter().any(|text| text.chars().count() > LONGEST) {
            return Err(format!(
                "The text to find or to put in its place is longer than {LONGEST} characters."
            ));
        }
        let pattern = match matching {
            TextMatch::Text => regex::escape(find),
            TextMatch::Word => format!(r"\b{{start-half}}{}\b{{end-half}}", regex::escape(find)),
            TextMatch::Expression => find.to_owned(),
        };
        let mut pattern = RegexBuilder::new(&pattern);
        pattern
            .case_insensitive(!match_case)
            .size_limit(LARGEST_EXPRESSION)
            .dfa_size_limit(LARGEST_EXPRESSION);
        Ok(TextReplacement {
            find: pattern.build().map_err(|error| reason(&error))?,
            by: by.to_owned(),
            expands: matching == TextMatch::Expression,
        })
    }

    pub(super) fn effect<'m>(
        &self,
        bundle: &'m Bundle,
        item: &Entity,
        fields: Option<&[String]>,
    ) -> Result<ItemEffect<'m>, InputError> {
        let fields: Vec<&FieldDefinition> = match fields {
            Some(names) => names
                .iter()
                .filter_map(|name| definition(bundle, name))
                .collect(),
            None => {
                let title = base_field(bundle.kind, bundle.kind.label_field());
                title
                    .into_iter()
                    .chain(bundle.fields.iter().filter(|field| is_text(field)))
                    .collect()
            }
        };
        if fields.is_empty() {
            return Ok(ItemEffect::Stays(StayReason::NoField));
        }
        let mut changes = Vec::new();
        for field in fields {
            if let Some(after) = self.replaced(item.items(&field.name))? {
                changes.push((field, after));
            }
        }
        Ok(match changes.is_empty() {
            true => ItemEffect::Stays(StayReason::Lacks),
            false => ItemEffect::Changes(changes),
        })
    }

    /// The values of a field after the change, if it changes any.
    fn replaced(&self, before: &[Item]) -> Result<Option<Vec<Item>>, InputError> {
        let (mut after, mut found) = (Vec::with_capacity(before.len()), false);
        for item in before {
            let text = item
                .get("value")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let Some(new) = self.text_after(text)? else {
                after.push(item.clone());
                continue;
            };
            found = true;
            if !new.trim().is_empty() {
                let mut item = item.clone();
                item.insert("value".into(), new.into());
                item.remove("processed");
                after.push(item);
            }
        }
        Ok(Some(after).filter(|after| found && after != before))
    }

    /// A text after the change; `None` where nothing is found in it.
    fn text_after(&self, text: &str) -> Result<Option<String>, InputError> {
        let (mut after, mut end) = (String::new(), None);
        for found in self.find.captures_iter(text) {
            let place = found.get_match().range();
            after.push_str(&text[end.unwrap_or(0)..place.start]);
            self.put_in_place(&found, &mut after);
            if after.len() > LARGEST {
                return Err(InputError::Message("The text would be too long.".into()));
            }
            end = Some(place.end);
        }
        let Some(end) = end else { return Ok(None) };
        after.push_str(&text[end..]);
        Ok(Some(after))
    }

    fn put_in_place(&self, found: &Captures<'_>, after: &mut String) {
        match self.expands {
            true => found.expand(&self.by, after),
            false => after.push_str(&self.by),
        }
    }
}
