//! The language of the search box. Words must all occur; `"several words"` one after the other; `a OR b`; `-word`;
//! `field:word`; `begin*`; `date:1901..1910`; parentheses. There are no errors: what cannot be read is taken as words,
//! and what was understood can be printed.

mod dates;
mod names;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use dates::DateRange;
pub use names::{FieldNames, NamedField};
pub use parse::{LONGEST_QUERY, LONGEST_WORDS, MOST_BEGINNINGS, MOST_WORDS};

use crate::analysis::Units;

/// Words of a phrase that are compared; of a longer one the beginning is found.
pub const LONGEST_PHRASE: usize = 32;

/// What was understood of a text in the search box. `Display` prints it so that it is understood in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// What must be true of an item.
    pub condition: Condition,
    /// Whether a part of the text went beyond the limits: it was left out, or a beginning was read as a whole word. What
    /// is printed is what is searched.
    pub is_cut: bool,
}

/// What must be true of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Words(Words),
    Date(DateRange),
    Not(Box<Condition>),
    /// Each of them; with none, all items.
    All(Vec<Condition>),
    /// At least one of them.
    Any(Vec<Condition>),
}

impl Default for Condition {
    fn default() -> Condition {
        Condition::All(Vec::new())
    }
}

/// Words that must occur in one text of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Where; in any field if it is none.
    pub field: Option<NamedField>,
    /// As they were typed, without what surrounds them.
    pub text: String,
    pub form: Form,
}

/// How words are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One word, found also by its stem. If it has parts, they stand one after the other.
    Word,
    /// The beginning of a word.
    Prefix,
    /// One after the other, as they are.
    Phrase,
}

impl Query {
    /// Reads what somebody typed. The fields are those that can be named.
    pub fn parse(text: &str, fields: &FieldNames) -> Query {
        parse::parse(text, fields)
    }

    /// Whether it asks for nothing, so that all items are found.
    pub fn is_empty(&self) -> bool {
        self.condition == Condition::default()
    }

    /// The words that an item must or may have, without those that it must not have.
    pub fn words(&self) -> Vec<&Words> {
        let mut found = Vec::new();
        collect(&self.condition, &mut found);
        found
    }
}

fn collect<'q>(condition: &'q Condition, found: &mut Vec<&'q Words>) {
    match condition {
        Condition::Words(words) => found.push(words),
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().for_each(|part| collect(part, found));
        }
        Condition::Date(_) | Condition::Not(_) => {}
    }
}

/// A text without the signs around its first and its last word; none if it has no word.
fn trimmed(text: &str) -> Option<&str> {
    let mut units = Units::of(text);
    let first = units.next()?;
    let end = units.last().map_or(first.range.end, |last| last.range.end);
    Some(&text[first.range.start..end])
}
