//! From a text to the terms of the index.

use std::collections::HashMap;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::keys::KEY;
use crate::analysis::fold::fold_into;
use crate::analysis::{Language, Stems, Unit, Units};

/// The name of the tokenizer of words.
pub const WORDS: &str = "isolario-words";
/// The name of the tokenizer of stems.
pub const STEMS: &str = "isolario-stems";

/// The name of the tokenizer of beginnings.
pub const BEGINNINGS: &str = "isolario-beginnings";

/// Letters of a beginning of which the index knows the documents.
pub const LONGEST_BEGINNING: usize = 2;

/// Stems that are remembered.
const MOST_STEMS: usize = 16_384;

/// What parts a key from its text.
const END_OF_KEY: char = '\u{1F}';

/// A text with the key under which it is found.
pub fn with_key(key: &str, text: &str) -> String {
    format!("{key}{END_OF_KEY}{text}")
}

/// A text with the key and the language under whose stems it is found.
pub fn with_language(language: Language, key: &str, text: &str) -> String {
    format!("{}{END_OF_KEY}{key}{END_OF_KEY}{text}", language.code)
}

/// Words: folded, and of joined signs also the pairs.
#[derive(Clone)]
pub struct WordTokenizer;

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = Terms<'a, FoldedWords<'a>>;

    fn token_stream<'a>(&'a mut self, value: &'a str) -> Self::TokenStream<'a> {
        let (key, text) = value.split_once(END_OF_KEY).unwrap_or_default();
        Terms::new(key, FoldedWords::of(text))
    }
}

/// Stems of words that differ from the word. Signs have none.
#[derive(Default)]
pub struct StemTokenizer {
    /// Of each language.
    known: HashMap<&'static str, KnownStems>,
}

impl Clone for StemTokenizer {
    /// What is known is not copied.
    fn clone(&self) -> StemTokenizer {
        StemTokenizer::default()
    }
}

impl Tokenizer for StemTokenizer {
    type TokenStream<'a> = Terms<'a, StemsOfWords<'a>>;

    fn token_stream<'a>(&'a mut self, value: &'a str) -> Self::TokenStream<'a> {
        let (code, value) = value.split_once(END_OF_KEY).unwrap_or_default();
        let (key, text) = value.split_once(END_OF_KEY).unwrap_or_default();
        let known = Language::of(code).map(|language| {
            let known = self.known.entry(language.code);
            known.or_insert_with(|| KnownStems::of(language))
        });
        let units = Units::of(text);
        Terms::new(key, StemsOfWords { text, units, known })
    }
}

/// The beginnings of words, each once in a text.
#[derive(Clone)]
pub struct BeginningTokenizer;

impl Tokenizer for BeginningTokenizer {
    type TokenStream<'a> = Terms<'a, std::vec::IntoIter<Beginning>>;

    fn token_stream<'a>(&'a mut self, value: &'a str) -> Self::TokenStream<'a> {
        let (key, text) = value.split_once(END_OF_KEY).unwrap_or_default();
        Terms::new(key, beginnings(text).into_iter())
    }
}

/// The first and the second letter of a word.
type Beginning = (char, Option<char>);

fn beginnings(text: &str) -> Vec<Beginning> {
    const MANY: usize = 4_096;
    let mut units = Units::of(text);
    let mut folded = String::new();
    let mut found: Vec<Beginning> = Vec::new();
    let mut enough = MANY;
    let unique = |found: &mut Vec<Beginning>| {
        found.sort_unstable();
        found.dedup();
    };
    while let Some(unit) = units.next_folded(&mut folded) {
        let mut letters = folded.chars();
        let Some(first) = letters.next().filter(|_| !unit.is_sign) else {
            continue;
        };
        found.push((first, None));
        if let Some(second) = letters.next() {
            found.push((first, Some(second)));
        }
        if found.len() >= enough {
            unique(&mut found);
            enough = MANY + 2 * found.len();
        }
    }
    unique(&mut found);
    found
}

impl Positions for std::vec::IntoIter<Beginning> {
    fn next(&mut self, found: &mut Vec<String>) -> bool {
        let Some((first, second)) = Iterator::next(self) else {
            return false;
        };
        found.resize_with(1, String::new);
        found[0].clear();
        found[0].push(first);
        found[0].extend(second);
        true
    }
}

/// The stems of words of a language that were asked for last.
pub struct KnownStems {
    code: &'static str,
    stems: Stems,
    folded: String,
    /// Nothing for words that are their own stem.
    of_words: HashMap<Box<str>, Box<str>>,
}

impl KnownStems {
    fn of(language: Language) -> KnownStems {
        KnownStems {
            code: language.code,
            stems: language.stems(),
            folded: String::new(),
            of_words: HashMap::new(),
        }
    }

    /// Sets the stem of a word with the language behind it; nothing if the word is its own stem.
    fn stem(&mut self, word: &str, stem: &mut String) {
        stem.clear();
        if let Some(known) = self.of_words.get(word) {
            return stem.push_str(known);
        }
        self.folded.clear();
        fold_into(word, &mut self.folded);
        self.stems.stem_into(word, stem);
        match self.folded.is_empty() || *stem == self.folded {
            true => stem.clear(),
            false if stem.is_empty() => {}
            false => {
                stem.push(KEY);
                stem.push_str(self.code);
            }
        }
        if self.of_words.len() >= MOST_STEMS {
            self.of_words.clear();
        }
        self.of_words.insert(word.into(), stem.as_str().into());
    }
}

/// What stands at the positions of a text.
pub trait Positions {
    /// Goes to the next position and sets what stands there.
    fn next(&mut self, found: &mut Vec<String>) -> bool;
}

/// Words and signs with the pairs that begin with them.
pub struct FoldedWords<'a> {
    units: Units<'a>,
    next: Option<Unit>,
    folded: String,
}

impl<'a> FoldedWords<'a> {
    fn of(text: &'a str) -> FoldedWords<'a> {
        let mut units = Units::of(text);
        let mut folded = String::new();
        let next = units.next_folded(&mut folded);
        FoldedWords {
            units,
            next,
            folded,
        }
    }
}

impl Positions for FoldedWords<'_> {
    fn next(&mut self, found: &mut Vec<String>) -> bool {
        let Some(unit) = self.next.take() else {
            return false;
        };
        found.resize_with(1, String::new);
        std::mem::swap(&mut found[0], &mut self.folded);
        self.next = self.units.next_folded(&mut self.folded);
        if unit.is_sign && self.next.as_ref().is_some_and(|next| next.is_joined) {
            found.push(format!("{}{}", found[0], self.folded));
        }
        true
    }
}

/// Stems with the language behind them.
pub struct StemsOfWords<'a> {
    text: &'a str,
    units: Units<'a>,
    known: Option<&'a mut KnownStems>,
}

impl Positions for StemsOfWords<'_> {
    fn next(&mut self, found: &mut Vec<String>) -> bool {
        let Some(known) = &mut self.known else {
            return false;
        };
        found.resize_with(1, String::new);
        for unit in self.units.by_ref().filter(|unit| !unit.is_sign) {
            known.stem(&self.text[unit.range], &mut found[0]);
            if !found[0].is_empty() {
                return true;
            }
        }
        false
    }
}

/// The terms of what stands at the positions of a text.
pub struct Terms<'a, P> {
    key: &'a str,
    positions: P,
    found: Vec<String>,
    /// Which of what was found comes next.
    next: usize,
    token: Token,
}

impl<'a, P: Positions> Terms<'a, P> {
    fn new(key: &'a str, positions: P) -> Terms<'a, P> {
        Terms {
            key,
            positions,
            found: Vec::new(),
            next: 0,
            token: Token::default(),
        }
    }
}

impl<P: Positions> TokenStream for Terms<'_, P> {
    fn advance(&mut self) -> bool {
        if self.next == self.found.len() {
            self.next = 0;
            // The default is the number before the first.
            self.token.position = self.token.position.wrapping_add(1);
            if !self.positions.next(&mut self.found) {
                self.found.clear();
                return false;
            }
        }
        let text = &mut self.token.text;
        text.clear();
        text.push_str(&self.found[self.next]);
        text.push(KEY);
        text.push_str(self.key);
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(mut stream: impl TokenStream) -> Vec<(usize, String)> {
        let mut terms = Vec::new();
        while let Some(token) = stream.next() {
            terms.push((token.position, token.text.replace(KEY, "|")));
        }
        terms
    }

    fn expected(terms: &[(usize, &str)]) -> Vec<(usize, String)> {
        let terms = terms.iter();
        terms.map(|(at, term)| (*at, (*term).to_owned())).collect()
    }

    #[test]
    fn words_and_pairs_stand_at_their_positions() {
        let value = with_key("o:title", "Über 東京\u{1F}x");
        let found = terms(WordTokenizer.token_stream(&value));
        let words = [
            (0, "uber|o:title"),
            (1, "東|o:title"),
            (1, "東京|o:title"),
            (2, "京|o:title"),
            (3, "x|o:title"),
        ];
        assert_eq!(found, expected(&words));
    }

    #[test]
    fn stems_carry_their_language_and_differ_from_the_word() {
        let english = Language::of("eng").unwrap();
        let value = with_language(english, "o:title", "Old houses of a house 東京");
        let mut tokenizer = StemTokenizer::default();
        let stems = [(0, "hous|en|o:title"), (1, "hous|en|o:title")];
        for _ in 0..2 {
            let found = terms(tokenizer.token_stream(&value));
            assert_eq!(found, expected(&stems));
        }
        let french = with_language(Language::of("fr").unwrap(), "o:title", "houses");
        let found = terms(tokenizer.token_stream(&french));
        assert_eq!(found, expected(&[(0, "hous|fr|o:title")]));
        assert!(terms(tokenizer.token_stream("zxx\u{1F}k\u{1F}houses")).is_empty());
    }

    #[test]
    fn a_beginning_is_written_once() {
        let text = "Über uns a 東京 Übung ".repeat(3_000);
        let value = with_key("o:title", &text);
        let mut found = terms(BeginningTokenizer.token_stream(&value));
        found.iter_mut().for_each(|(at, _)| *at = 0);
        let beginnings = ["a|o:title", "u|o:title", "ub|o:title", "un|o:title"];
        assert_eq!(found, expected(&beginnings.map(|term| (0, term))));
    }
}
