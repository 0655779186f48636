//! From a text to the terms of the index.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::keys::KEY;
use crate::analysis::{Language, Stems, Unit, Units};

/// The name of the tokenizer of words.
pub const WORDS: &str = "isolario-words";
/// The name of the tokenizer of stems.
pub const STEMS: &str = "isolario-stems";

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
#[derive(Clone)]
pub struct StemTokenizer;

impl Tokenizer for StemTokenizer {
    type TokenStream<'a> = Terms<'a, StemsOfWords<'a>>;

    fn token_stream<'a>(&'a mut self, value: &'a str) -> Self::TokenStream<'a> {
        let (code, value) = value.split_once(END_OF_KEY).unwrap_or_default();
        let (key, text) = value.split_once(END_OF_KEY).unwrap_or_default();
        Terms::new(key, StemsOfWords::of(text, Language::of(code)))
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
    language: Option<(&'static str, Stems)>,
    folded: String,
}

impl<'a> StemsOfWords<'a> {
    fn of(text: &'a str, language: Option<Language>) -> StemsOfWords<'a> {
        StemsOfWords {
            text,
            units: Units::of(text),
            language: language.map(|language| (language.code, language.stems())),
            folded: String::new(),
        }
    }
}

impl Positions for StemsOfWords<'_> {
    fn next(&mut self, found: &mut Vec<String>) -> bool {
        let Some((code, stems)) = &self.language else {
            return false;
        };
        found.resize_with(1, String::new);
        let stem = &mut found[0];
        loop {
            let Some(unit) = self.units.next_folded(&mut self.folded) else {
                return false;
            };
            stem.clear();
            if !unit.is_sign {
                stems.stem_into(&self.text[unit.range], stem);
            }
            if !stem.is_empty() && *stem != self.folded {
                stem.push(KEY);
                stem.push_str(code);
                return true;
            }
        }
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
        let found = terms(StemTokenizer.token_stream(&value));
        let stems = [(0, "hous|en|o:title"), (1, "hous|en|o:title")];
        assert_eq!(found, expected(&stems));
        assert!(terms(StemTokenizer.token_stream("zxx\u{1F}k\u{1F}houses")).is_empty());
    }
}
