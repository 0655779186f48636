//! Reads the search box. The reader goes once over the text, so its time is bounded by the length.

use super::names::Meaning;
use super::{Condition, DateRange, FieldNames, Form, NamedField, Query, Words, trimmed};
use crate::analysis::Units;

/// Bytes of a query; the rest is left out.
pub const LONGEST_QUERY: usize = 65_536;
/// Words, phrases and dates of a query; further ones are left out.
pub const MOST_WORDS: usize = 32;
/// Beginnings of words in a query; further ones are read as whole words.
pub const MOST_BEGINNINGS: usize = 8;
/// Bytes of one word or phrase; the rest is left out.
pub const LONGEST_WORDS: usize = 512;
/// Parentheses within parentheses; deeper ones are not looked at.
const DEEPEST: usize = 8;

/// The beginning of a word must have so many letters, or one sign of an unspaced script.
const SHORTEST_PREFIX: usize = 2;

pub(super) fn parse(text: &str, fields: &FieldNames) -> Query {
    let read = upto(text, LONGEST_QUERY);
    let mut parser = Parser {
        text: read,
        at: 0,
        fields,
        words: 0,
        beginnings: 0,
        is_cut: read.len() < text.len(),
    };
    let condition = parser.group(None, 0).unwrap_or_default();
    Query {
        condition,
        is_cut: parser.is_cut,
    }
}

/// The beginning of a text of at most so many bytes.
fn upto(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Signs that begin and end a phrase.
fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„' | '«' | '»')
}

/// Signs at which a word ends.
fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || is_quote(letter) || matches!(letter, '(' | ')')
}

/// What stands at a place of a group.
enum Part {
    Condition(Condition),
    Or,
    And,
}

struct Parser<'q> {
    text: &'q str,
    at: usize,
    fields: &'q FieldNames,
    words: usize,
    beginnings: usize,
    is_cut: bool,
}

impl<'q> Parser<'q> {
    fn rest(&self) -> &'q str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads up to the end, or over the parenthesis that closes this group.
    fn group(&mut self, field: Option<&Meaning>, depth: usize) -> Option<Condition> {
        let mut parts = Vec::new();
        while let Some(letter) = self.peek() {
            if letter == ')' && depth > 0 {
                self.at += 1;
                break;
            }
            parts.extend(self.part(letter, field, depth));
        }
        self.combine(parts)
    }

    /// Reads what stands here, and at least one letter.
    fn part(&mut self, letter: char, field: Option<&Meaning>, depth: usize) -> Option<Part> {
        if letter == '-'
            && self.text[..self.at]
                .chars()
                .next_back()
                .is_none_or(begins_part)
        {
            self.at += 1;
            let negated = self.operand(self.peek()?, field, depth)?;
            return Some(Part::Condition(Condition::Not(Box::new(negated))));
        }
        let word = self.rest().split(ends_word).next().unwrap_or_default();
        match word {
            "OR" | "AND" => {
                self.at += word.len();
                Some(if word == "OR" { Part::Or } else { Part::And })
            }
            _ => self.operand(letter, field, depth).map(Part::Condition),
        }
    }

    /// A word, a phrase or a group.
    fn operand(
        &mut self,
        letter: char,
        field: Option<&Meaning>,
        depth: usize,
    ) -> Option<Condition> {
        if letter == '(' && depth < DEEPEST {
            self.at += 1;
            return self.group(field, depth + 1);
        }
        if is_quote(letter) {
            return self.phrase(letter, field);
        }
        if ends_word(letter) {
            // What is left without meaning; a closing parenthesis that closes a group stays.
            self.at += if letter == ')' && depth > 0 {
                0
            } else {
                letter.len_utf8()
            };
            return None;
        }
        self.word(field, depth)
    }

    fn phrase(&mut self, quote: char, field: Option<&Meaning>) -> Option<Condition> {
        let inner = &self.rest()[quote.len_utf8()..];
        self.at += quote.len_utf8();
        let (phrase, after) = inner.split_once(is_quote)?;
        self.at = self.text.len() - after.len();
        let words: Vec<&str> = phrase.split_whitespace().collect();
        self.leaf(field, &words.join(" "), Form::Phrase)
    }

    fn word(&mut self, field: Option<&Meaning>, depth: usize) -> Option<Condition> {
        let word = self.rest().split(ends_word).next().unwrap_or_default();
        self.at += word.len();
        let start = Units::of(word).next()?.range.start;
        let word = &word[start..];
        let Some((name, value)) = word.split_once(':') else {
            return self.leaf(field, word, Form::Word);
        };
        let Some(named) = self.fields.meaning(name) else {
            return self.leaf(field, word, Form::Word);
        };
        let begins = self.peek().filter(|next| is_quote(*next) || *next == '(');
        if let (true, Some(next)) = (value.is_empty(), begins) {
            return self.operand(next, Some(named), depth);
        }
        match named {
            Meaning::Field(_) if trimmed(value).is_some() => {
                self.leaf(Some(named), value, Form::Word)
            }
            Meaning::Date(name) => match DateRange::parse(name, value) {
                Some(date) => self.count(Condition::Date(date)),
                // As a phrase, in which no colon has a meaning.
                None => self.leaf(None, word, Form::Phrase),
            },
            Meaning::Field(_) => self.leaf(field, word, Form::Word),
        }
    }

    /// Words, or a date where the field means dates.
    fn leaf(&mut self, field: Option<&Meaning>, text: &str, form: Form) -> Option<Condition> {
        if let Some(Meaning::Date(name)) = field
            && let Some(date) = DateRange::parse(name, text)
        {
            return self.count(Condition::Date(date));
        }
        let short = upto(text, LONGEST_WORDS);
        self.is_cut |= short.len() < text.len();
        let field = match field {
            Some(Meaning::Field(field)) => Some(field.clone()),
            _ => None,
        };
        let mut words = words(field, short, form)?;
        if words.form == Form::Prefix {
            self.beginnings += 1;
            if self.beginnings > MOST_BEGINNINGS {
                words.form = Form::Word;
                self.is_cut = true;
            }
        }
        self.count(Condition::Words(words))
    }

    /// What is left out if there is too much of it.
    fn count(&mut self, condition: Condition) -> Option<Condition> {
        self.words += 1;
        self.is_cut |= self.words > MOST_WORDS;
        (self.words <= MOST_WORDS).then_some(condition)
    }

    /// Applies the operators. One without something on both sides is a word.
    fn combine(&mut self, parts: Vec<Part>) -> Option<Condition> {
        let mut all: Vec<Condition> = Vec::new();
        let mut is_either = false;
        let mut parts = parts.into_iter().peekable();
        while let Some(part) = parts.next() {
            let is_between = !all.is_empty() && matches!(parts.peek(), Some(Part::Condition(_)));
            match part {
                Part::Condition(condition) if is_either => {
                    let before = all.pop();
                    all.push(any(before.into_iter().chain([condition])));
                    is_either = false;
                }
                Part::Condition(condition) => all.push(condition),
                Part::Or if is_between => is_either = true,
                Part::And if is_between => {}
                Part::Or => all.extend(self.leaf(None, "or", Form::Word)),
                Part::And => all.extend(self.leaf(None, "and", Form::Word)),
            }
        }
        (!all.is_empty()).then(|| each(all))
    }
}

/// After what a sign of negation can stand.
fn begins_part(letter: char) -> bool {
    letter.is_whitespace() || letter == '('
}

/// Words as they are understood; none if there are none.
fn words(field: Option<NamedField>, text: &str, form: Form) -> Option<Words> {
    let is_prefix = form == Form::Word && text.ends_with('*');
    let text = trimmed(text)?;
    let last = Units::of(text).last()?;
    let is_long = text[last.range].chars().count() >= SHORTEST_PREFIX && !last.is_sign;
    let is_operator = field.is_none() && matches!(text, "OR" | "AND");
    Some(Words {
        field,
        text: match is_operator {
            true => text.to_ascii_lowercase(),
            false => text.to_owned(),
        },
        form: if is_prefix && is_long {
            Form::Prefix
        } else {
            form
        },
    })
}

/// All of several conditions.
fn each(conditions: Vec<Condition>) -> Condition {
    let flat = conditions
        .into_iter()
        .flat_map(|condition| match condition {
            Condition::All(inner) => inner,
            other => vec![other],
        });
    let mut flat: Vec<Condition> = flat.collect();
    match flat.len() {
        1 => flat.remove(0),
        _ => Condition::All(flat),
    }
}

/// Any of several conditions.
fn any(conditions: impl Iterator<Item = Condition>) -> Condition {
    let flat = conditions.flat_map(|condition| match condition {
        Condition::Any(inner) => inner,
        other => vec![other],
    });
    Condition::Any(flat.collect())
}
