//! Where words occur in a segment: the terms of a word lie side by side, one for each field, and those that the actor may
//! not read are passed over.

use std::collections::BTreeMap;
use std::sync::Arc;

use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::{EnableScoring, PhraseQuery, Query as _};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, TERMINATED, Term};

use super::plan::WordPlan;
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::keys::{Area, KEY, Readable, terms_of_stem, terms_of_word};
use crate::index::snapshot::Segment;

/// Words that the beginning of a word can stand for in one segment. Further ones are not found.
const MOST_WORDS: usize = 65_536;

/// How many more documents a word has than are looked at, for each of which it is then looked up.
const SPARSE: usize = 16;

/// Takes the documents that have words in a field.
pub trait Sink {
    /// The set of the documents of a field.
    fn of_field(&mut self, field: &str) -> &mut Bits;
}

impl Sink for Bits {
    fn of_field(&mut self, _: &str) -> &mut Bits {
        self
    }
}

/// The documents among which words are looked for.
#[derive(Clone, Copy)]
pub struct Within<'w> {
    documents: &'w Bits,
    count: usize,
}

impl<'w> Within<'w> {
    /// Some documents.
    pub fn of(documents: &'w Bits) -> Within<'w> {
        Within {
            documents,
            count: documents.count(),
        }
    }

    /// Adds the documents of a set. Of a large one only these documents are looked up; of a small one others may be
    /// added, too.
    fn add(self, size: u32, set: &mut (impl DocSet + ?Sized), found: &mut Bits) {
        if size as usize / SPARSE <= self.count {
            while set.doc() != TERMINATED {
                found.insert(set.doc());
                set.advance();
            }
            return;
        }
        for document in self.documents.iter() {
            if set.doc() < document {
                set.seek(document);
            }
            match set.doc() {
                TERMINATED => break,
                at if at == document => found.insert(document),
                _ => {}
            }
        }
    }
}

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
    fn terms(
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

    /// All documents that have a term.
    pub fn with_term(&self, term: &Term) -> Result<Bits, SearchError> {
        let mut found = Bits::none(self.reader.max_doc());
        self.add_term(term, Within::of(self.alive), &mut found)?;
        Ok(found)
    }

    /// Adds the documents that have a term; others than those within may be among them.
    pub fn add_term(
        &self,
        term: &Term,
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        let info = self
            .reader
            .inverted_index(term.field())?
            .get_term_info(term)?;
        let add = |info| self.add_postings(term.field(), &info, within, found);
        info.map_or(Ok(()), add)
    }

    fn add_postings(
        &self,
        field: Field,
        info: &TermInfo,
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        self.postings(field)?.add(info, within, found)
    }

    fn postings(&self, field: Field) -> Result<PostingsReader, SearchError> {
        Ok(PostingsReader {
            index: self.reader.inverted_index(field)?,
            blocks: None,
        })
    }

    /// Adds what has the words one after the other in one field.
    fn add_phrases(
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

    /// Adds what has a word with this beginning.
    fn add_beginnings(
        &self,
        beginning: &str,
        readable: &Readable,
        within: Within<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), SearchError> {
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
        let field = self.fields.words(area);
        self.for_each_beginning(area, beginning, |term, _| {
            let key = term.split_once(KEY).unwrap_or_default().1;
            let Some(phrase) = phrases.get(key) else {
                return Ok(());
            };
            let mut phrase = phrase.clone();
            phrase.push((at, Term::from_field_text(field, term)));
            let name = words.readable.field(key).unwrap_or_default();
            self.add_phrase(&phrase, within, sink.of_field(name))
        })
    }

    fn for_each_beginning(
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

/// Reads the documents of one term after the other.
struct PostingsReader {
    index: Arc<InvertedIndexReader>,
    blocks: Option<BlockSegmentPostings>,
}

impl PostingsReader {
    fn add(
        &mut self,
        info: &TermInfo,
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        let option = IndexRecordOption::Basic;
        if info.doc_freq as usize / SPARSE > within.count {
            let mut postings = self.index.read_postings_from_terminfo(info, option)?;
            within.add(info.doc_freq, &mut postings, found);
            return Ok(());
        }
        let blocks = match &mut self.blocks {
            Some(blocks) => {
                self.index
                    .reset_block_postings_from_terminfo(info, blocks)?;
                blocks
            }
            none => {
                let blocks = self.index.read_block_postings_from_terminfo(info, option)?;
                none.insert(blocks)
            }
        };
        while !blocks.docs().is_empty() {
            blocks
                .docs()
                .iter()
                .for_each(|document| found.insert(*document));
            blocks.advance();
        }
        Ok(())
    }
}

/// The key of a term of a word.
fn key_of(term: &Term) -> String {
    let term = String::from_utf8_lossy(term.serialized_value_bytes());
    term.split_once(KEY).unwrap_or_default().1.to_owned()
}
