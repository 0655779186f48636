//! Words that stand one after the other.

use std::collections::BTreeMap;

use tantivy::Term;
use tantivy::query::{EnableScoring, PhraseQuery, Query as _};

use super::plan::WordPlan;
use super::postings::{Sink, Within};
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::keys::{Area, KEY, terms_of_word};
use crate::index::snapshot::Segment;

/// Of the words that can end a phrase whose last word is unfinished, the most frequent are found.
const MOST_ENDS: usize = 1_024;

impl Segment<'_> {
    /// Adds what has the words one after the other in one field.
    pub fn add_phrases(
        &self,
        words: &WordPlan,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
        let whole = words.entries.len() - usize::from(words.is_prefix);
        for area in words.readable.areas() {
            // The words that stand in each field so far.
            let mut phrases: BTreeMap<String, Vec<(usize, Term)>> = BTreeMap::new();
            for (number, (at, word)) in words.entries[..whole].iter().enumerate() {
                let mut found = Vec::new();
                let field = self.fields.words(*area);
                self.terms(field, &terms_of_word(word), &words.readable, &mut found)?;
                for one in found {
                    let phrase = phrases.entry(key_of(&one.term)).or_default();
                    if phrase.len() == number {
                        phrase.push((*at, one.term));
                    }
                }
            }
            phrases.retain(|_, phrase| phrase.len() == whole);
            match words.entries.last().filter(|_| words.is_prefix) {
                None => {
                    for (key, phrase) in &phrases {
                        let field = words.readable.field(key).unwrap_or_default();
                        self.add_phrase(phrase, within, sink.of_field(field))?;
                    }
                }
                Some((at, beginning)) => {
                    let last = (*at, beginning.as_str());
                    self.add_unfinished(*area, &phrases, last, words, within, sink)?;
                }
            }
        }
        Ok(())
    }

    fn add_phrase(
        &self,
        terms: &[(usize, Term)],
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        if let [(_, term)] = terms {
            return self.add_term(term, within, found);
        }
        let phrase = PhraseQuery::new_with_offset(terms.to_vec());
        let schema = self.reader.schema();
        let weight = phrase.weight(EnableScoring::disabled_from_schema(schema))?;
        let mut scorer = weight.scorer(self.reader, 1.0)?;
        within.add(scorer.size_hint(), scorer.as_mut(), found);
        Ok(())
    }

    /// Adds what has the words of a phrase and then a word with this beginning.
    fn add_unfinished(
        &self,
        area: Area,
        phrases: &BTreeMap<String, Vec<(usize, Term)>>,
        (at, beginning): (usize, &str),
        words: &WordPlan,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
        if phrases.is_empty() {
            return Ok(());
        }
        let mut ends: Vec<(u32, String)> = Vec::new();
        self.for_each_beginning(area, beginning, |term, info| {
            let key = term.split_once(KEY).unwrap_or_default().1;
            if phrases.contains_key(key) {
                ends.push((info.doc_freq, term.to_owned()));
            }
            Ok(())
        })?;
        if ends.len() > MOST_ENDS {
            ends.select_nth_unstable_by(MOST_ENDS, |left, right| right.cmp(left));
            ends.truncate(MOST_ENDS);
        }
        let field = self.fields.words(area);
        for (_, term) in ends {
            let key = term.split_once(KEY).unwrap_or_default().1;
            let mut phrase = phrases.get(key).cloned().unwrap_or_default();
            phrase.push((at, Term::from_field_text(field, &term)));
            let name = words.readable.field(key).unwrap_or_default();
            self.add_phrase(&phrase, within, sink.of_field(name))?;
        }
        Ok(())
    }
}

/// The key of a term of a word.
fn key_of(term: &Term) -> String {
    let term = String::from_utf8_lossy(term.serialized_value_bytes());
    term.split_once(KEY).unwrap_or_default().1.to_owned()
}
