//! What is put in the place of a match: a text, in which groups of the match may be named.

use std::ops::Range;

use regex::{Captures, Regex};

/// A piece of a replacement.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    /// What a group has found.
    Group(usize),
}

/// What is put in the place of each match.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Replacement {
    pieces: Vec<Piece>,
}

impl Replacement {
    /// A text that is put as it is.
    pub(super) fn of_text(text: &str) -> Replacement {
        let pieces = vec![Piece::Text(text.to_owned())];
        Replacement { pieces }
    }

    /// A text in which `$1`, `${1}` and `${name}` stand for groups of the expression, and `$$` for a dollar.
    ///
    /// # Errors
    /// In words, for a group that the expression lacks.
    pub(super) fn of_groups(text: &str, find: &Regex) -> Result<Replacement, String> {
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some(at) = rest.find('$') {
            let (before, after) = (&rest[..at], &rest[at + 1..]);
            pieces.push(Piece::Text(before.to_owned()));
            if let Some(further) = after.strip_prefix('$') {
                pieces.push(Piece::Text("$".into()));
                rest = further;
            } else if let Some((name, further)) = group_name(after) {
                pieces.push(Piece::Group(group_of(name, find)?));
                rest = further;
            } else {
                pieces.push(Piece::Text("$".into()));
                rest = after;
            }
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Replacement { pieces })
    }

    /// Whether groups are named, so that a match needs them.
    pub(super) fn names_groups(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| matches!(piece, Piece::Group(_)))
    }

    /// Writes what takes the place of a match, unless `text` gets longer than `largest` bytes. Returns whether it did
    /// not.
    pub(super) fn write(&self, found: &FoundText<'_>, text: &mut String, largest: usize) -> bool {
        for piece in &self.pieces {
            let part = match piece {
                Piece::Text(part) => part.as_str(),
                Piece::Group(index) => found.group(*index),
            };
            if text.len() + part.len() > largest {
                return false;
            }
            text.push_str(part);
        }
        true
    }
}

/// A match, with its groups where they are needed.
pub(super) enum FoundText<'t> {
    Whole(Range<usize>),
    Groups(Captures<'t>),
}

impl FoundText<'_> {
    pub(super) fn range(&self) -> Range<usize> {
        match self {
            FoundText::Whole(range) => range.clone(),
            FoundText::Groups(groups) => groups.get_match().range(),
        }
    }

    fn group(&self, index: usize) -> &str {
        match self {
            FoundText::Whole(_) => "",
            FoundText::Groups(groups) => groups.get(index).map_or("", |group| group.as_str()),
        }
    }
}

/// The name of a group behind a dollar, and what follows.
fn group_name(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix('{') {
        return rest.split_once('}');
    }
    let digits = text.find(|c: char| !c.is_ascii_digit());
    let (name, rest) = text.split_at(digits.unwrap_or(text.len()));
    (!name.is_empty()).then_some((name, rest))
}

fn group_of(name: &str, find: &Regex) -> Result<usize, String> {
    let by_number = name
        .parse()
        .ok()
        .filter(|index| *index < find.captures_len());
    let by_name = || find.capture_names().position(|one| one == Some(name));
    let index = by_number.or_else(by_name);
    index.ok_or_else(|| format!("The expression has no group {name}. Write $$ for a dollar."))
}
