//! Words close to those that find little: one letter more, less, another or two exchanged.

use std::collections::HashMap;

use tantivy::Term;
use tantivy::query::{DfaWrapper, FuzzyTermQuery};
use tantivy_fst::Automaton;

use super::SegmentMatches;
use super::plan::{Planner, WordPlan};
use super::postings::Within;
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::keys::{Area, KEY, Readable};
use crate::query::{Form, Query};

/// Letters that a word must have so that others are close to it.
const SHORTEST: usize = 4;
/// Words that are told for each word.
const MOST_TOLD: usize = 5;

/// Words that occur in visible items, close to one of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseMatch {
    /// The word as it was typed.
    pub word: String,
    /// Words without case and diacritics, the most frequent first.
    pub close: Vec<String>,
}

/// The close matches of all words of a query.
pub fn close_matches(
    planner: &Planner,
    segments: &[SegmentMatches<'_>],
    query: &Query,
) -> Result<Vec<CloseMatch>, SearchError> {
    let mut matches: Vec<CloseMatch> = Vec::new();
    for words in query.words() {
        let plan = planner.words(words).filter(|_| words.form != Form::Prefix);
        let Some(plan) = plan else {
            continue;
        };
        let [(_, word)] = &plan.entries[..] else {
            continue;
        };
        let is_new = matches.iter().all(|known| known.word != words.text);
        if word.chars().count() < SHORTEST || !is_new {
            continue;
        }
        let mut counts: HashMap<String, usize> = HashMap::new();
        for one in segments {
            let of_part = planner.with(one.accesses.all.clone()).words(words);
            for WordPlan { readable, .. } in of_part.iter() {
                for area in readable.areas() {
                    add_close(one, *area, readable, word, &mut counts)?;
                }
            }
        }
        let mut close: Vec<(String, usize)> = counts.into_iter().collect();
        close.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        let close = close.into_iter().map(|(word, _)| word).take(MOST_TOLD);
        let close: Vec<String> = close.collect();
        if !close.is_empty() {
            let word = words.text.clone();
            matches.push(CloseMatch { word, close });
        }
    }
    Ok(matches)
}

/// Counts the visible documents that have a word close to another, once for each field.
fn add_close(
    one: &SegmentMatches<'_>,
    area: Area,
    readable: &Readable,
    word: &str,
    counts: &mut HashMap<String, usize>,
) -> Result<(), SearchError> {
    let field = one.segment.fields.words(area);
    let index = one.segment.reader.inverted_index(field)?;
    let close = FuzzyTermQuery::new(Term::from_field_text(field, word), 1, true);
    let automaton = WordThenKey(close.automaton()?);
    let mut stream = index.terms().search(automaton).into_stream()?;
    let within = Within::of(&one.visible);
    while stream.advance() {
        let term = std::str::from_utf8(stream.key()).unwrap_or_default();
        let (close, key) = term.split_once(KEY).unwrap_or_default();
        if close == word || readable.field(key).is_none() {
            continue;
        }
        let mut with_word = Bits::none(one.visible.bound());
        let term = Term::from_field_text(field, term);
        one.segment.add_term(&term, within, &mut with_word)?;
        with_word.keep(&one.visible);
        if !with_word.is_empty() {
            *counts.entry(close.to_owned()).or_default() += with_word.count();
        }
    }
    Ok(())
}

/// Accepts the terms of the words that another automaton accepts.
struct WordThenKey(DfaWrapper);

/// Where it is in a term.
#[derive(Clone)]
enum State {
    Word(u32),
    /// Behind the word, which was accepted or not.
    Key(bool),
}

impl Automaton for WordThenKey {
    type State = State;

    fn start(&self) -> State {
        State::Word(self.0.start())
    }

    fn is_match(&self, state: &State) -> bool {
        matches!(state, State::Key(true))
    }

    fn can_match(&self, state: &State) -> bool {
        match state {
            State::Word(word) => self.0.can_match(word),
            State::Key(is_accepted) => *is_accepted,
        }
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        match state {
            State::Word(word) if byte == KEY as u8 => State::Key(self.0.is_match(word)),
            State::Word(word) => State::Word(self.0.accept(word, byte)),
            State::Key(is_accepted) => State::Key(*is_accepted),
        }
    }
}
