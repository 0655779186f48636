//! What the index must find, by a walk over all documents. It shares no code with the index: words are told apart and
//! folded by tables of the few that the tests use.

use std::collections::{BTreeMap, BTreeSet};

use isolario_model::policy::Visibility;

use crate::{LinkedKind, SearchDocument, Source, Text, Visibilities, VisibleBelow};

/// By language the number of the stem.
type WordStems = &'static [(&'static str, u8)];

/// Words of the tests: as written, folded, and by language the group of those with the same stem.
pub const WORDS: &[(&str, &str, WordStems)] = &[
    ("House", "house", &[("en", 1), ("de", 4)]),
    ("houses", "houses", &[("en", 1), ("de", 4)]),
    ("Haus", "haus", &[("de", 2), ("en", 3)]),
    ("Hauses", "hauses", &[("de", 2), ("en", 3)]),
    ("Häuser", "hauser", &[("de", 2)]),
    ("Müller", "muller", &[("de", 5)]),
    ("muller", "muller", &[("de", 5)]),
    ("mullet", "mullet", &[("de", 5)]),
    ("map", "map", &[]),
    ("1571", "1571", &[]),
];

/// Words of signs.
pub const SIGNS: &[&str] = &["東京", "京都", "東", "東京都"];

/// A condition in a query.
#[derive(Debug, Clone)]
pub enum Ask {
    /// Words in a field or in any, one after the other.
    Words {
        field: Option<&'static str>,
        words: Vec<&'static str>,
        is_quoted: bool,
        is_prefix: bool,
    },
    /// The date has a day in this span.
    Date(i64, i64),
    Not(Box<Ask>),
    All(Vec<Ask>),
    Any(Vec<Ask>),
}

/// A word or a sign of a text, folded, with the groups of its stem, and whether it is joined to the sign before.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkedUnit {
    pub folded: String,
    stems: WordStems,
    is_joined: bool,
    is_sign: bool,
}

/// The units of a text whose words are parted by spaces.
pub fn units(text: &str) -> Vec<WalkedUnit> {
    let mut units = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if let Some((_, folded, stems)) = WORDS.iter().find(|(written, ..)| *written == word) {
            units.push(WalkedUnit {
                folded: (*folded).to_owned(),
                stems,
                is_joined: false,
                is_sign: false,
            });
        } else {
            units.extend(word.chars().enumerate().map(|(index, sign)| WalkedUnit {
                folded: sign.to_string(),
                stems: &[],
                is_joined: index > 0,
                is_sign: true,
            }));
        }
    }
    units
}

/// Whether the actor sees what is linked to any item.
pub fn sees(visibility: &Visibilities, source: Source) -> bool {
    let Source::Linked {
        kind,
        published,
        owner,
    } = source
    else {
        return true;
    };
    let rule = match kind {
        LinkedKind::Item => visibility.items,
        LinkedKind::Media => visibility.media,
        LinkedKind::Term => visibility.terms,
    };
    match (published, rule) {
        // Of published things the index does not know the owner.
        (true, Visibility::OwnedBy(_)) => false,
        _ => rule.allows(published, owner),
    }
}

/// Whether the actor sees what is linked to an item: as everywhere, or as below a node that it is below. `place` is the
/// value of a facet; beside what they see everywhere, they see that an item is below some nodes, and no texts of items.
fn sees_of(
    visibility: &Visibilities,
    document: &SearchDocument,
    source: Source,
    place: Option<&str>,
) -> bool {
    let mut below = visibility.below.iter();
    let sees_below = |below: &VisibleBelow| {
        let there = Visibilities {
            items: below.items,
            media: below.media,
            terms: visibility.terms,
            below: Vec::new(),
        };
        let is_known = match source {
            Source::Linked {
                kind: LinkedKind::Item,
                ..
            } => place.is_some_and(|value| below.places.contains(&value.parse().unwrap())),
            _ => true,
        };
        is_known && is_below(below, document) && sees(&there, source)
    };
    sees(visibility, source) || below.any(sees_below)
}

fn is_below(below: &VisibleBelow, document: &SearchDocument) -> bool {
    let value = below.id.to_string();
    let mut facets = document.facets.iter();
    document.id == below.id
        || facets.any(|one| below.facets.contains(&one.facet) && one.value == value)
}

/// Whether the actor sees the item.
pub fn is_visible(visibility: &Visibilities, document: &SearchDocument) -> bool {
    let is_allowed = |items: Visibility| items.allows(document.published, document.owner);
    let mut below = visibility.below.iter();
    is_allowed(visibility.items)
        || below.any(|one| is_below(one, document) && is_allowed(one.items))
}

/// The texts of an item that the actor may search.
pub fn texts<'d>(
    visibility: &'d Visibilities,
    document: &'d SearchDocument,
) -> impl Iterator<Item = &'d Text> {
    let texts = document.texts.iter();
    texts.filter(move |text| sees_of(visibility, document, text.source, None))
}

impl Ask {
    /// In the language of the box.
    pub fn typed(&self) -> String {
        match self {
            Ask::Words {
                field,
                words,
                is_quoted,
                is_prefix,
            } => {
                let field = field.map(|field| format!("{field}:")).unwrap_or_default();
                match is_quoted {
                    true => format!("{field}\"{}\"", words.join(" ")),
                    false => {
                        let star = if *is_prefix { "*" } else { "" };
                        format!("{field}{}{star}", words.join("-"))
                    }
                }
            }
            Ask::Date(first, last) => {
                let day = |day: &i64| {
                    let days = chrono::Days::new(u64::try_from(*day).unwrap());
                    chrono::NaiveDate::default() + days
                };
                format!("date:{}..{}", day(first), day(last))
            }
            Ask::Not(inner) => format!("-({})", inner.typed()),
            Ask::All(parts) => joined(parts, " "),
            Ask::Any(parts) => joined(parts, " OR "),
        }
    }

    /// Whether an item is found.
    pub fn finds(
        &self,
        visibility: &Visibilities,
        with_stems: bool,
        document: &SearchDocument,
    ) -> bool {
        match self {
            Ask::Words { .. } => {
                texts(visibility, document).any(|text| self.is_in(with_stems, document, text))
            }
            Ask::Date(first, last) => document
                .date
                .is_some_and(|date| date.0 <= *last && date.1 >= *first),
            Ask::Not(inner) => !inner.finds(visibility, with_stems, document),
            Ask::All(parts) => parts
                .iter()
                .all(|part| part.finds(visibility, with_stems, document)),
            Ask::Any(parts) => parts
                .iter()
                .any(|part| part.finds(visibility, with_stems, document)),
        }
    }

    /// Whether the words stand in a text.
    pub fn is_in(&self, with_stems: bool, document: &SearchDocument, text: &Text) -> bool {
        let Ask::Words {
            field,
            words,
            is_quoted,
            is_prefix,
        } = self
        else {
            return false;
        };
        if field.is_some_and(|field| field != text.field) {
            return false;
        }
        let (asked, units) = (units(&words.join(" ")), units(&text.text));
        let is_prefix = *is_prefix && asked.last().is_some_and(|last| !last.is_sign);
        let language = document.language.as_deref();
        let has_stem = |unit: &WalkedUnit| {
            let is_single = asked.len() == 1 && !is_quoted && !is_prefix;
            let is_of_item = |code: &str| language.is_none_or(|language| language == code);
            let mut stems = unit.stems.iter().filter(|(code, _)| is_of_item(code));
            with_stems && is_single && stems.any(|stem| asked[0].stems.contains(stem))
        };
        let windows = units.windows(asked.len());
        let is_phrase = |window: &[WalkedUnit]| {
            window
                .iter()
                .zip(&asked)
                .enumerate()
                .all(|(at, (unit, asked_unit))| {
                    let is_same = match is_prefix && at == asked.len() - 1 {
                        true => !unit.is_sign && unit.folded.starts_with(&asked_unit.folded),
                        false => unit.folded == asked_unit.folded,
                    };
                    is_same && (unit.is_joined || !asked_unit.is_joined)
                })
        };
        windows.into_iter().any(is_phrase) || units.iter().any(has_stem)
    }

    /// The words that count, without those that must not occur.
    pub fn words(&self) -> Vec<&Ask> {
        match self {
            Ask::Words { .. } => vec![self],
            Ask::Date(..) | Ask::Not(_) => Vec::new(),
            Ask::All(parts) | Ask::Any(parts) => parts.iter().flat_map(Ask::words).collect(),
        }
    }
}

fn joined(parts: &[Ask], between: &str) -> String {
    let parts = parts.iter().map(|part| match part {
        Ask::All(_) | Ask::Any(_) => format!("({})", part.typed()),
        _ => part.typed(),
    });
    parts.collect::<Vec<String>>().join(between)
}

/// How many of some items have which value of a facet, the most frequent first.
pub fn counts(
    visibility: &Visibilities,
    facet: &str,
    items: &[&SearchDocument],
) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for document in items {
        let values = values(visibility, facet, document);
        for value in values {
            *counts.entry(value).or_default() += 1;
        }
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| usize::MAX - count);
    counts
}

/// The values of a facet that an item has for the actor.
pub fn values(
    visibility: &Visibilities,
    facet: &str,
    document: &SearchDocument,
) -> BTreeSet<String> {
    let values = document.facets.iter().filter(|value| value.facet == facet);
    let values =
        values.filter(|value| sees_of(visibility, document, value.source, Some(&value.value)));
    values.map(|value| value.value.clone()).collect()
}

/// Whether one edit makes one word of another: a letter more, less, another, or two exchanged.
pub fn is_close(left: &str, right: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let (short, long) = if left.len() < right.len() {
        (&left, &right)
    } else {
        (&right, &left)
    };
    let without = |word: &[char], at: usize| -> Vec<char> {
        word.iter()
            .enumerate()
            .filter(|(index, _)| *index != at)
            .map(|(_, letter)| *letter)
            .collect()
    };
    match long.len() - short.len() {
        1 => (0..long.len()).any(|at| without(long, at) == *short),
        0 => {
            let differ: Vec<usize> = (0..long.len())
                .filter(|at| long[*at] != short[*at])
                .collect();
            match differ[..] {
                [_] => true,
                [first, second] if second == first + 1 => {
                    long[first] == short[second] && long[second] == short[first]
                }
                _ => false,
            }
        }
        _ => false,
    }
}
