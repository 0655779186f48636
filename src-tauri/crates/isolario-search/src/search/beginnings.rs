//! Words by their beginning.

use tantivy::postings::TermInfo;

use super::postings::{Sink, Within};
use crate::error::SearchError;
use crate::index::keys::{Area, KEY, Readable, terms_of_word};
use crate::index::snapshot::Segment;
use crate::index::tokens::LONGEST_BEGINNING;

/// Words that the beginning of a word can stand for in one segment. Further ones are not found.
const MOST_WORDS: usize = 65_536;

impl Segment<'_> {
    /// Adds what has a word with this beginning.
    pub fn add_beginnings(
        &self,
        beginning: &str,
        readable: &Readable,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
        if beginning.chars().count() <= LONGEST_BEGINNING {
            return self.add_short_beginning(beginning, readable, within, sink);
        }
        for area in readable.areas() {
            let mut postings = self.postings(self.fields.words(*area))?;
            self.for_each_beginning(*area, beginning, |term, info| {
                match readable.field(term.split_once(KEY).unwrap_or_default().1) {
                    Some(name) => postings.add(info, within, sink.of_field(name)),
                    None => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// Of short beginnings, which very many words have, the index knows the documents.
    fn add_short_beginning(
        &self,
        beginning: &str,
        readable: &Readable,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
        let field = self.fields.beginnings;
        let mut found = Vec::new();
        self.terms(field, &terms_of_word(beginning), readable, &mut found)?;
        for one in found {
            self.add_postings(field, &one.info, within, sink.of_field(&one.field))?;
        }
        Ok(())
    }

    /// Calls with the terms of the words with this beginning.
    pub fn for_each_beginning(
        &self,
        area: Area,
        beginning: &str,
        mut each: impl FnMut(&str, &TermInfo) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let index = self.reader.inverted_index(self.fields.words(area))?;
        let mut stream = index.terms().range().ge(beginning).into_stream()?;
        let mut last_word = String::new();
        let mut words = 0;
        while stream.advance() && stream.key().starts_with(beginning.as_bytes()) {
            let term = std::str::from_utf8(stream.key()).unwrap_or_default();
            let word = term.split_once(KEY).unwrap_or_default().0;
            if word != last_word {
                words += 1;
                word.clone_into(&mut last_word);
            }
            if words > MOST_WORDS {
                break;
            }
            each(term, stream.value())?;
        }
        Ok(())
    }
}
