//! Suggestions while somebody types: items by their titles, and values of facets (terms, agents) by their names.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use tantivy::schema::IndexRecordOption;

use super::{Order, Page, Search};
use crate::access::{Accesses, Visibilities, is_one_of};
use crate::analysis::Units;
use crate::bits::Bits;
use crate::document::TITLE;
use crate::error::{SearchError, guarded};
use crate::index::labels::{self, begins};
use crate::index::snapshot::Segment;
use crate::index::store::SearchIndex;
use crate::query::{Condition, Form, MOST_WORDS, NamedField, Query, Words};

/// Names of a segment that are looked at for each kind of source.
const MOST_NAMES: usize = 2_000;
/// Up to so many items are counted that have a value.
const MOST_COUNTED: usize = 100;

/// What somebody may mean who has typed so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suggestions {
    /// The ids of items in whose titles the words stand, by title.
    pub items: Vec<i64>,
    pub values: Vec<SuggestedValue>,
}

/// A value of a facet that visible items have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SuggestedValue {
    pub facet: String,
    pub value: String,
    /// Its name.
    pub label: String,
}

impl SearchIndex {
    /// Suggests at most so many items and so many values. The last word may be unfinished.
    ///
    /// # Errors
    /// A failing disk; damage.
    pub fn suggest(
        &self,
        typed: &str,
        visibility: &Visibilities,
        limit: usize,
    ) -> Result<Suggestions, SearchError> {
        let Some(query) = in_titles(typed) else {
            return Ok(Suggestions::default());
        };
        let mut search = Search::new(query, visibility.clone());
        search.with_stems = false;
        search.order = Order::Title;
        search.page = Page { offset: 0, limit };
        let hits = self.search(&search)?.hits.into_iter();
        Ok(Suggestions {
            items: hits.map(|hit| hit.id).collect(),
            values: guarded(|| self.values(typed, visibility, limit))?,
        })
    }

    fn values(
        &self,
        typed: &str,
        visibility: &Visibilities,
        limit: usize,
    ) -> Result<Vec<SuggestedValue>, SearchError> {
        let mut counts = HashMap::new();
        let snapshot = self.snapshot();
        for segment in snapshot.segments() {
            for part in segment.readable_parts(visibility)? {
                let Accesses { all, places } = &part.accesses;
                let all = all.iter().map(|access| (access, None));
                let places = places.iter().map(|(access, places)| (access, Some(places)));
                for (access, places) in all.chain(places) {
                    if let Some(beginning) = labels::beginning(*access, typed) {
                        let is_told = |value: &str| places.is_none_or(|all| is_one_of(all, value));
                        count_values(&segment, &part.visible, &beginning, is_told, &mut counts)?;
                    }
                }
            }
        }
        let mut values: Vec<(SuggestedValue, usize)> = counts.into_iter().collect();
        // Those that begin with what was typed come first, then those of many items.
        values.sort_by_cached_key(|(value, count)| {
            let is_later = !begins(&value.label, typed);
            let count = usize::MAX - count;
            let name = (
                value.label.clone(),
                value.facet.clone(),
                value.value.clone(),
            );
            (is_later, count, name)
        });
        Ok(values
            .into_iter()
            .map(|(value, _)| value)
            .take(limit)
            .collect())
    }
}

/// The words in titles, of which the last may be unfinished; none if there is no word.
fn in_titles(typed: &str) -> Option<Query> {
    let mut ranges: Vec<(Range<usize>, bool)> = Vec::new();
    for unit in Units::of(typed) {
        match ranges.last_mut().filter(|_| unit.is_joined) {
            Some((last, _)) => last.end = unit.range.end,
            None => ranges.push((unit.range, unit.is_sign)),
        }
    }
    let field = NamedField {
        name: TITLE.into(),
        fields: Arc::new([TITLE.to_owned()]),
    };
    let words = ranges.into_iter().take(MOST_WORDS).map(|(range, is_sign)| {
        let is_unfinished = range.end == typed.len() && !is_sign;
        Condition::Words(Words {
            field: Some(field.clone()),
            text: typed[range].to_owned(),
            form: if is_unfinished {
                Form::Prefix
            } else {
                Form::Word
            },
        })
    });
    let words: Vec<Condition> = words.collect();
    (!words.is_empty()).then_some(Query {
        condition: Condition::All(words),
        is_cut: false,
    })
}

/// Counts the visible items that have the values whose names have a beginning.
fn count_values(
    segment: &Segment<'_>,
    visible: &Bits,
    beginning: &str,
    is_told: impl Fn(&str) -> bool,
    counts: &mut HashMap<SuggestedValue, usize>,
) -> Result<(), SearchError> {
    let index = segment.reader.inverted_index(segment.fields.labels)?;
    let mut stream = index.terms().range().ge(beginning).into_stream()?;
    let mut names = 0;
    while names < MOST_NAMES && stream.advance() && stream.key().starts_with(beginning.as_bytes()) {
        names += 1;
        let term = std::str::from_utf8(stream.key()).unwrap_or_default();
        let Some(label) = labels::read(term).filter(|label| is_told(label.value)) else {
            continue;
        };
        let mut count = 0;
        let option = IndexRecordOption::Basic;
        let mut blocks = index.read_block_postings_from_terminfo(stream.value(), option)?;
        while !blocks.docs().is_empty() && count < MOST_COUNTED {
            let with_value = blocks.docs().iter();
            count += with_value
                .filter(|document| visible.has(**document))
                .count();
            blocks.advance();
        }
        if count > 0 {
            let value = SuggestedValue {
                facet: label.facet.to_owned(),
                value: label.value.to_owned(),
                label: label.label.to_owned(),
            };
            *counts.entry(value).or_default() += count;
        }
    }
    Ok(())
}
