//! Names of values as they are suggested while somebody types. A name is found by its beginning and by the beginning of
//! its other words: `Müller, Hans` by `mül` and by `hans`.

use super::keys::{KEY, clean, upto};
use crate::access::Access;
use crate::analysis::Units;

/// Words of a name by whose beginning it is found.
const MOST_BEGINNINGS: usize = 6;

/// Bytes of a name that are kept.
const LONGEST_LABEL: usize = 256;

/// A name that is suggested.
#[derive(Debug, PartialEq, Eq)]
pub struct Label<'t> {
    pub facet: &'t str,
    pub value: &'t str,
    pub label: &'t str,
}

/// The terms of the index for the name of a value.
pub fn terms(access: Access, facet: &str, value: &str, label: &str) -> Vec<String> {
    let label = clean(upto(label, LONGEST_LABEL));
    let words = folded(&label);
    let beginnings = (0..words.len().min(MOST_BEGINNINGS)).map(|first| {
        let typed = joined(&words[first..]);
        let parts = [&access.key(), &typed, facet, &clean(value), &label];
        parts.join(&KEY.to_string())
    });
    beginnings.collect()
}

/// What the terms begin with of names that begin as somebody typed; none if no word was typed.
pub fn beginning(access: Access, typed: &str) -> Option<String> {
    let words = folded(typed);
    (!words.is_empty()).then(|| format!("{}{KEY}{}", access.key(), joined(&words)))
}

/// The name that a term stands for.
pub fn read(term: &str) -> Option<Label<'_>> {
    let mut parts = term.splitn(5, KEY).skip(2);
    Some(Label {
        facet: parts.next()?,
        value: parts.next()?,
        label: parts.next()?,
    })
}

/// Whether a name begins with what somebody typed.
pub fn begins(label: &str, typed: &str) -> bool {
    joined(&folded(label)).starts_with(&joined(&folded(typed)))
}

/// The words of a name, and whether each is joined to the one before.
fn folded(label: &str) -> Vec<(String, bool)> {
    let mut units = Units::of(label);
    let mut word = String::new();
    let mut words = Vec::new();
    while let Some(unit) = units.next_folded(&mut word) {
        words.push((std::mem::take(&mut word), unit.is_joined));
    }
    words
}

fn joined(words: &[(String, bool)]) -> String {
    let mut text = String::new();
    for (word, is_joined) in words {
        if !text.is_empty() && !is_joined {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_the_beginning_of_each_word() {
        let access = Access::Item;
        let terms = terms(access, "agent", "12", "Müller, Hans-Peter");
        for typed in ["m", "Mull", "müller hans", "hans p", "peter"] {
            let beginning = beginning(access, typed).unwrap();
            let found = terms.iter().find(|term| term.starts_with(&beginning));
            let label = Label {
                facet: "agent",
                value: "12",
                label: "Müller, Hans-Peter",
            };
            assert_eq!(found.and_then(|term| read(term)), Some(label), "{typed}");
        }
        let beginning = beginning(access, "üller").unwrap();
        assert!(!terms.iter().any(|term| term.starts_with(&beginning)));
        assert_eq!(super::beginning(access, " - "), None);
    }
}
