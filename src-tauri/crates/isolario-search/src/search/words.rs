//! Where words occur in a segment: the terms of a word lie side by side, one for each field, and those that the actor may
//! not read are passed over.

use tantivy::Term;
use tantivy::postings::TermInfo;
use tantivy::schema::Field;

use super::plan::WordPlan;
use super::postings::{Sink, Within};
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::keys::{Readable, terms_of_stem, terms_of_word};
use crate::index::snapshot::Segment;

/// A place where a word occurs.
pub struct Occurrence {
    pub term: Term,
    pub field: String,
    pub info: TermInfo,
}

impl Segment<'_> {
    /// Adds the documents that have the words; others than those within may be among them.
    pub fn add_words(
        &self,
        words: &WordPlan,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
        let [(_, word)] = &words.entries[..] else {
            return self.add_phrases(words, within, sink);
        };
        if words.is_prefix {
            return self.add_beginnings(word, &words.readable, within, sink);
        }
        for one in self.occurrences(word, &words.readable)? {
            let found = sink.of_field(&one.field);
            self.add_postings(one.term.field(), &one.info, within, found)?;
        }
        self.add_stems(words, within, sink)
    }

    /// Where a word occurs that may be read.
    pub fn occurrences(
        &self,
        word: &str,
        readable: &Readable,
    ) -> Result<Vec<Occurrence>, SearchError> {
        let mut found = Vec::new();
        for area in readable.areas() {
            let field = self.fields.words(*area);
            self.terms(field, &terms_of_word(word), readable, &mut found)?;
        }
        Ok(found)
    }

    /// Where a stem occurs that may be read.
    pub fn occurrences_of_stem(
        &self,
        stem: &str,
        language: &str,
        readable: &Readable,
    ) -> Result<Vec<Occurrence>, SearchError> {
        let mut found = Vec::new();
        let beginning = terms_of_stem(stem, language);
        self.terms(self.fields.stems, &beginning, readable, &mut found)?;
        Ok(found)
    }

    /// The terms that begin so and end with a key that may be read.
    pub fn terms(
        &self,
        field: Field,
        beginning: &str,
        readable: &Readable,
        found: &mut Vec<Occurrence>,
    ) -> Result<(), SearchError> {
        let index = self.reader.inverted_index(field)?;
        let mut stream = index.terms().range().ge(beginning).into_stream()?;
        while stream.advance() {
            let term = std::str::from_utf8(stream.key()).unwrap_or_default();
            let Some(key) = term.strip_prefix(beginning) else {
                break;
            };
            if let Some(name) = readable.field(key) {
                found.push(Occurrence {
                    term: Term::from_field_text(field, term),
                    field: name.to_owned(),
                    info: stream.value().clone(),
                });
            }
        }
        Ok(())
    }

    /// Words that are their own stem are found as words, in items of the language.
    fn add_stems(
        &self,
        words: &WordPlan,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
        for stem in &words.stems {
            let (text, language) = (&stem.stem, stem.language);
            for one in self.occurrences_of_stem(text, language, &words.readable)? {
                let found = sink.of_field(&one.field);
                self.add_postings(one.term.field(), &one.info, within, found)?;
            }
            if !stem.is_other_word {
                continue;
            }
            let occurrences = self.occurrences(text, &words.readable)?;
            if occurrences.is_empty() {
                continue;
            }
            let of_language = Term::from_field_text(self.fields.language, language);
            let of_language = self.with_term(&of_language)?;
            for one in occurrences {
                let mut with_word = Bits::none(of_language.bound());
                self.add_postings(one.term.field(), &one.info, within, &mut with_word)?;
                with_word.keep(&of_language);
                sink.of_field(&one.field).add(&with_word);
            }
        }
        Ok(())
    }
}
