//! Finds and replaces a part of texts.

use regex::{NoExpand, Regex, RegexBuilder};
use serde_json::Value;

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
}

impl TextReplacement {
    pub(super) fn new(find: &str, by: &str, match_case: bool) -> Result<TextReplacement, String> {
        if find.is_empty() {
            return Err("There is nothing to find.".into());
        }
        if [find, by].iter().any(|text| text.chars().count() > LONGEST) {
            return Err(format!(
                "The text to find or to put in its place is longer than {LONGEST} characters."
            ));
        }
        let mut pattern = RegexBuilder::new(&regex::escape(find));
        let find = pattern.case_insensitive(!match_case).build();
        Ok(TextReplacement {
            find: find.map_err(|_| "The text to find is too long.")?,
            by: by.to_owned(),
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
            let times = self.find.find_iter(text).count();
            if times == 0 {
                after.push(item.clone());
                continue;
            }
            if text.len() + times * self.by.len() > LARGEST {
                return Err(InputError::Message("The text would be too long.".into()));
            }
            found = true;
            let new = self.find.replace_all(text, NoExpand(&self.by));
            if !new.trim().is_empty() {
                let mut item = item.clone();
                item.insert("value".into(), new.into_owned().into());
                item.remove("processed");
                after.push(item);
            }
        }
        Ok(Some(after).filter(|after| found && after != before))
    }
}
