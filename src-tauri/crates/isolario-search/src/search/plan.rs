//! What is read from the index for a query: its words, their stems, and whose texts.

use crate::access::Access;
use crate::analysis::{Language, Units, fold};
use crate::index::keys::Readable;
use crate::index::snapshot::Snapshot;
use crate::query::{Condition, Form, LONGEST_PHRASE, Words};

/// A query as it is read from the index.
#[derive(Debug)]
pub enum Plan {
    Words(WordPlan),
    /// The date has a day from the first to the last.
    Date {
        first: i64,
        last: i64,
    },
    Not(Box<Plan>),
    All(Vec<Plan>),
    Any(Vec<Plan>),
}

/// What words are found by.
#[derive(Debug, Clone)]
pub struct WordPlan {
    /// Whose texts are read, in which fields.
    pub readable: Readable,
    /// The words and where they stand, counted from the first. There is at least one.
    pub entries: Vec<(usize, String)>,
    /// Whether the last is the beginning of a word.
    pub is_prefix: bool,
    /// Of a single word.
    pub stems: Vec<Stem>,
}

/// A stem of a word.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stem {
    /// The code of its language.
    pub language: &'static str,
    pub stem: String,
    /// Whether it is another word than the one that was typed. Words that are their own stem are not written as stems.
    pub is_other_word: bool,
}

/// Makes plans for one actor.
pub struct Planner {
    pub accesses: Vec<Access>,
    languages: Vec<Language>,
}

impl Planner {
    /// For what an actor may search; without stems words are found only as they are.
    pub fn new(snapshot: &Snapshot, accesses: Vec<Access>, with_stems: bool) -> Planner {
        let languages = match with_stems {
            true => snapshot.languages(),
            false => Vec::new(),
        };
        let languages = languages.iter().filter_map(|code| Language::of(code));
        Planner {
            accesses,
            languages: languages.collect(),
        }
    }

    /// The same for what may be searched of other items.
    pub fn with(&self, accesses: Vec<Access>) -> Planner {
        Planner {
            accesses,
            languages: self.languages.clone(),
        }
    }

    /// What is read for a query.
    pub fn plan(&self, condition: &Condition) -> Plan {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.plan(part)).collect();
        match condition {
            // Where there is nothing to look for, everything is found.
            Condition::Words(words) => {
                let words = self.words(words).map(Plan::Words);
                words.unwrap_or(Plan::All(Vec::new()))
            }
            Condition::Date(date) => Plan::Date {
                first: date.first.unwrap_or(i64::MIN),
                last: date.last.unwrap_or(i64::MAX),
            },
            Condition::Not(inner) => Plan::Not(Box::new(self.plan(inner))),
            Condition::All(parts) => Plan::All(all(parts)),
            Condition::Any(parts) => Plan::Any(all(parts)),
        }
    }

    /// What words are found by; none if nothing of them can be found.
    pub fn words(&self, words: &Words) -> Option<WordPlan> {
        let fields = words.field.as_ref().map(|field| &field.fields[..]);
        let entries = entries(&words.text);
        let stems = match (words.form, &entries[..]) {
            (_, []) => return None,
            (Form::Word, [_]) => self.stems(&words.text),
            _ => Vec::new(),
        };
        Some(WordPlan {
            readable: Readable::new(&self.accesses, fields),
            entries,
            is_prefix: words.form == Form::Prefix,
            stems,
        })
    }

    /// The stems of a word in the languages of the index. Who types no diacritics finds those with them.
    fn stems(&self, text: &str) -> Vec<Stem> {
        let Some(unit) = Units::of(text).next().filter(|unit| !unit.is_sign) else {
            return Vec::new();
        };
        let word = &text[unit.range];
        let folded = fold(word);
        let mut stems: Vec<Stem> = Vec::new();
        for language in &self.languages {
            let of_language = [language.stem(word), language.stem(&folded)];
            stems.extend(of_language.map(|stem| Stem {
                language: language.code,
                is_other_word: stem != folded,
                stem,
            }));
        }
        stems.sort();
        stems.dedup();
        stems
    }
}

/// The words of a text and where they stand. Joined signs are found by their pairs.
pub fn entries(text: &str) -> Vec<(usize, String)> {
    let mut units = Units::of(text);
    let mut folded = String::new();
    let mut entries: Vec<(usize, String)> = Vec::new();
    let mut last_sign: Option<String> = None;
    let mut is_single = false;
    let mut position = 0;
    while let Some(unit) = units.next_folded(&mut folded) {
        if position == LONGEST_PHRASE {
            break;
        }
        match (&last_sign, entries.last_mut()) {
            (Some(sign), Some((_, single))) if unit.is_joined && is_single => {
                *single = format!("{sign}{folded}");
                is_single = false;
            }
            (Some(sign), _) if unit.is_joined => {
                entries.push((position - 1, format!("{sign}{folded}")));
            }
            _ => {
                entries.push((position, folded.clone()));
                is_single = unit.is_sign;
            }
        }
        last_sign = unit.is_sign.then(|| folded.clone());
        position += 1;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_signs_are_found_by_their_pairs() {
        let expected = |entries: &[(usize, &str)]| -> Vec<(usize, String)> {
            let entries = entries.iter();
            entries
                .map(|(at, word)| (*at, (*word).to_owned()))
                .collect()
        };
        for (text, words) in [
            ("Canal Grande", &[(0, "canal"), (1, "grande")][..]),
            ("京", &[(0, "京")]),
            ("東京", &[(0, "東京")]),
            ("東京都", &[(0, "東京"), (1, "京都")]),
            ("a 東京 都", &[(0, "a"), (1, "東京"), (3, "都")]),
            ("人人人", &[(0, "人人"), (1, "人人")]),
        ] {
            assert_eq!(entries(text), expected(words), "{text}");
        }
    }
}
