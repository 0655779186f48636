//! Finds and replaces a part of texts.

use std::time::{Duration, Instant};

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::acts::TextMatch;
use super::replacement::{FoundText, Replacement};
use super::{ItemEffect, StayReason, definition};
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
/// Characters of a regular expression, bytes of what is made of it, and groups within groups.
const LONGEST_EXPRESSION: usize = 1_000;
const LARGEST_EXPRESSION: usize = 512 * 1024;
const DEEPEST: u32 = 50;
/// Bytes of a text in which a regular expression looks, and how long it looks.
const LONGEST_SEARCHED: usize = 256 * 1024;
const MOST_TIME: Duration = Duration::from_millis(250);

/// Whether texts of a field are looked through when no field is named.
pub(super) fn is_text(field: &FieldDefinition) -> bool {
    !field.computed && TEXT.contains(&field.field_type.as_str())
}

/// Whether texts of a field are looked through only when it is named.
pub(super) fn is_text_by_name(field: &FieldDefinition) -> bool {
    const BY_NAME: [&str; 3] = ["edtf", "link", "authority_link"];
    !field.computed && BY_NAME.contains(&field.field_type.as_str())
}

/// The properties of a field in which text is found, the main one first.
fn properties(field: &FieldDefinition) -> &'static [&'static str] {
    match field.field_type.as_str() {
        "link" | "authority_link" => &["uri", "title"],
        "text_with_summary" => &["value", "summary"],
        _ => &["value"],
    }
}

/// What is found, and what is put in its place.
#[derive(Debug, Clone)]
pub(super) struct TextReplacement {
    find: Regex,
    by: Replacement,
    is_expression: bool,
}

impl TextReplacement {
    pub(super) fn new(
        find: &str,
        by: &str,
        matching: TextMatch,
        match_case: bool,
    ) -> Result<TextReplacement, String> {
        let is_expression = matching == TextMatch::Regex;
        let longest = if is_expression {
            LONGEST_EXPRESSION
        } else {
            LONGEST
        };
        if find.is_empty() {
            return Err("There is nothing to find.".into());
        }
        if find.chars().count() > longest || by.chars().count() > LONGEST {
            return Err(format!(
                "The text to find is longer than {longest} characters, or that in its place than {LONGEST}."
            ));
        }
        let pattern = match matching {
            TextMatch::Text => regex::escape(find),
            TextMatch::Word => format!(r"\b{{start-half}}{}\b{{end-half}}", regex::escape(find)),
            TextMatch::Regex => find.to_owned(),
        };
        let mut builder = RegexBuilder::new(&pattern);
        builder.case_insensitive(!match_case);
        if is_expression {
            builder.size_limit(LARGEST_EXPRESSION).nest_limit(DEEPEST);
        }
        let find = builder.build().map_err(|error| refused(&error))?;
        let by = match is_expression {
            true => Replacement::of_groups(by, &find)?,
            false => Replacement::of_text(by),
        };
        Ok(TextReplacement {
            find,
            by,
            is_expression,
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
            if let Some(after) = self.replaced(field, item.items(&field.name))? {
                changes.push((field, after));
            }
        }
        Ok(match changes.is_empty() {
            true => ItemEffect::Stays(StayReason::Lacks),
            false => ItemEffect::Changes(changes),
        })
    }

    /// The values of a field after the change, if it changes any.
    pub(super) fn replaced(
        &self,
        field: &FieldDefinition,
        before: &[Item],
    ) -> Result<Option<Vec<Item>>, InputError> {
        let mut after = Vec::with_capacity(before.len());
        for item in before {
            let mut changed = item.clone();
            let mut is_empty = false;
            for (index, name) in properties(field).iter().enumerate() {
                let text = item.get(*name).and_then(Value::as_str).unwrap_or_default();
                let Some(text) = self.written(text)? else {
                    continue;
                };
                changed.remove("processed");
                if !text.trim().is_empty() {
                    changed.insert((*name).into(), text.into());
                } else if index == 0 {
                    is_empty = true;
                } else {
                    changed.remove(*name);
                }
            }
            if !is_empty {
                after.push(changed);
            }
        }
        Ok(Some(after).filter(|after| after != before))
    }

    /// A text after the change; `None` where nothing is found in it.
    fn written(&self, text: &str) -> Result<Option<String>, InputError> {
        if text.is_empty() {
            return Ok(None);
        }
        if self.is_expression && text.len() > LONGEST_SEARCHED {
            return Err(InputError::Message(
                "The text is too long for a regular expression.".into(),
            ));
        }
        let (mut after, mut copied) = (String::new(), 0);
        // An expression that reads on to the end before each match takes a time that grows with the square of the text.
        let started = Instant::now();
        let mut is_found = false;
        for found in self.matches(text) {
            if self.is_expression && started.elapsed() > MOST_TIME {
                return Err(InputError::Message(
                    "The regular expression takes too long in this text.".into(),
                ));
            }
            let range = found.range();
            after.push_str(&text[copied..range.start]);
            copied = range.end;
            is_found = true;
            if !self.by.write(&found, &mut after, LARGEST) {
                return Err(InputError::Message("The text would be too long.".into()));
            }
        }
        after.push_str(&text[copied..]);
        Ok(is_found.then_some(after))
    }

    fn matches<'t>(&'t self, text: &'t str) -> Box<dyn Iterator<Item = FoundText<'t>> + 't> {
        match self.by.names_groups() {
            true => Box::new(self.find.captures_iter(text).map(FoundText::Groups)),
            false => {
                let found = self.find.find_iter(text);
                Box::new(found.map(|found| FoundText::Whole(found.range())))
            }
        }
    }
}

/// Why an expression cannot be used, in one line.
fn refused(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "The regular expression is too large.".into(),
        other => {
            let words = other.to_string();
            let reason = words.lines().last().unwrap_or_default();
            let reason = reason.trim_start_matches("error: ");
            format!("The regular expression cannot be read: {reason}.")
        }
    }
}
