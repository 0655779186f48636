//! From a document to what the engine writes.

use std::collections::{BTreeMap, BTreeSet};

use tantivy::TantivyDocument;
use tantivy::schema::OwnedValue;

use super::keys::{Area, clean, key, upto};
use super::labels;
use super::schema::{Fields, UNDATED};
use super::tokens::{with_key, with_language};
use crate::access::Access;
use crate::analysis::Language;
use crate::document::{LONGEST_TEXT, SearchDocument, Text};

/// Bytes of a value of a facet or of a key; the rest of a longer one is cut.
const LONGEST_VALUE: usize = 512;

/// What the engine writes for an item.
pub fn encode(fields: &Fields, document: &SearchDocument) -> TantivyDocument {
    let mut encoded = TantivyDocument::new();
    encoded.add_i64(fields.id, document.id);
    if !document.published {
        encoded.add_u64(fields.unpublished, 1);
    }
    encoded.add_i64(fields.owner, document.owner);
    encoded.add_text(fields.title_key, upto(&document.title_key, LONGEST_VALUE));
    encoded.add_i64(fields.created, document.created);
    encoded.add_i64(fields.changed, document.changed);
    let (first, last) = document.date.map_or(UNDATED, |(first, last)| {
        let day = |day: i64| day.clamp(UNDATED.1 + 1, UNDATED.0 - 1);
        (day(first.min(last)), day(last.max(first)))
    });
    encoded.add_i64(fields.first_day, first);
    encoded.add_i64(fields.last_day, last);
    let languages = Language::of_item(document.language.as_deref());
    for language in &languages {
        encoded.add_text(fields.language, language.code);
    }
    for text in &document.texts {
        add_text(fields, &mut encoded, text, &languages);
    }
    add_facets(fields, &mut encoded, document);
    encoded
}

fn add_text(fields: &Fields, encoded: &mut TantivyDocument, text: &Text, languages: &[Language]) {
    let words = upto(&text.text, LONGEST_TEXT);
    for access in Access::of(text.source) {
        let key = key(access, &text.field);
        let with_key = with_key(&key, words);
        encoded.add_text(fields.words(Area::of(access)), &with_key);
        encoded.add_text(fields.beginnings, with_key);
        for language in languages {
            encoded.add_text(fields.stems, with_language(*language, &key, words));
        }
    }
}

fn add_facets(fields: &Fields, encoded: &mut TantivyDocument, document: &SearchDocument) {
    let mut values: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut suggested = BTreeSet::new();
    for facet in &document.facets {
        let value = upto(&facet.value, LONGEST_VALUE);
        for access in Access::of(facet.source) {
            let key = key(access, &facet.facet);
            values.entry(key).or_default().insert(value);
            if let Some(label) = &facet.label {
                let name = clean(&facet.facet);
                suggested.extend(labels::terms(access, &name, value, label));
            }
        }
    }
    for term in suggested {
        encoded.add_text(fields.labels, term);
    }
    if !values.is_empty() {
        let values = values.into_iter().map(|(key, values)| {
            let values = values.into_iter();
            let values = values.map(|value| OwnedValue::Str(value.to_owned()));
            (key, OwnedValue::Array(values.collect()))
        });
        encoded.add_object(fields.facets, values.collect());
    }
}
