//! Finds names that probably mean the same: they are equal but for case, diacritics, punctuation and the order of words,
//! or they are one letter apart. Names with different numbers are different.
//!
//! Two names that are one letter apart become equal when one letter of each is left out, or of one. So each name is noted
//! once for every letter that it has, and only names with an equal note are compared.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use isolario_search::folded;

/// Letters that a name has at least, to be compared with one that is a letter apart.
const SHORTEST: usize = 5;
/// Letters of a longer name are compared as a whole only.
const LONGEST: usize = 80;
/// How many names with an equal note each name is compared with.
const MOST_COMPARED: usize = 20;

/// The groups of similar names, as places in `names`. Groups and what is in them are in the order of `names`.
pub fn similar_names(names: &[&str]) -> Vec<Vec<usize>> {
    let mut by_key: BTreeMap<Vec<char>, Vec<usize>> = BTreeMap::new();
    for (place, name) in names.iter().enumerate() {
        let key = key_of(name);
        if !key.is_empty() {
            by_key.entry(key).or_default().push(place);
        }
    }
    let keys: Vec<&Vec<char>> = by_key.keys().collect();
    let mut sets = Sets((0..keys.len()).collect());
    let notes = notes_of(&keys);
    for equal in notes.chunk_by(|(a, _), (b, _)| a == b) {
        for (index, (_, key)) in equal.iter().enumerate() {
            let others = equal.iter().skip(index + 1).take(MOST_COMPARED);
            for (_, other) in others {
                if let (Some(a), Some(b)) = (keys.get(*key), keys.get(*other))
                    && are_one_letter_apart(a, b)
                {
                    sets.join(*key, *other);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, places) in by_key.values().enumerate() {
        groups.entry(sets.find(index)).or_default().extend(places);
    }
    let mut groups: Vec<Vec<usize>> = groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// The words of a name, folded and in order.
fn key_of(name: &str) -> Vec<char> {
    let is_sign =
        |letter: char| letter.is_ascii_punctuation() || ('\u{2010}'..='\u{205e}').contains(&letter);
    let text = folded(&name.replace(is_sign, " "));
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ").chars().collect()
}

/// A note for each name, and for each letter that it has, the name without that letter; equal notes beside each other.
fn notes_of(keys: &[&Vec<char>]) -> Vec<(u64, usize)> {
    let mut notes = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        if !(SHORTEST..=LONGEST).contains(&key.len()) {
            continue;
        }
        notes.push((note(key.iter()), index));
        for left_out in 0..key.len() {
            let others = key.iter().enumerate().filter(|(at, _)| *at != left_out);
            notes.push((note(others.map(|(_, letter)| letter)), index));
        }
    }
    notes.sort_unstable();
    notes.dedup();
    notes
}

fn note<'l>(letters: impl Iterator<Item = &'l char>) -> u64 {
    let mut hasher = DefaultHasher::new();
    letters.for_each(|letter| letter.hash(&mut hasher));
    hasher.finish()
}

/// Whether one letter that is no digit was exchanged, added or left out.
fn are_one_letter_apart(a: &[char], b: &[char]) -> bool {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let (long, short) = (&long[same..], &short[same..]);
    let rest = match long.len() - short.len() {
        0 => short.get(1..).unwrap_or_default(),
        1 => short,
        _ => return false,
    };
    let differ = long.first().into_iter().chain(short.first());
    let mut differ = differ.take(1 + usize::from(long.len() == short.len()));
    long.get(1..) == Some(rest) && !differ.any(|letter| letter.is_numeric())
}

/// Sets that grow together.
struct Sets(Vec<usize>);

impl Sets {
    fn find(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::similar_names;

    fn are_similar(a: &str, b: &str) -> bool {
        !similar_names(&[a, "Something else", b]).is_empty()
    }

    #[test]
    fn names_that_mean_the_same_are_found() {
        for (a, b) in [
            ("Zürich", "ZURICH"),
            ("Mercator, Gerhard", "Gerhard Mercator"),
            ("Sea charts", "Sea-charts."),
            ("Mercator", "Merkator"),
            ("Atlases", "Atlasses"),
            ("Cartography", "artography"),
        ] {
            assert!(are_similar(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn names_that_mean_something_else_are_not() {
        for (a, b) in [
            ("Map", "Mat"),
            ("World War 1", "World War 2"),
            ("Census 1910", "Census 191"),
            ("Mercator", "Marcatar"),
            ("Charts", "Maps"),
        ] {
            assert!(!are_similar(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn groups_keep_the_order_of_the_names() {
        let names = [
            "maps", "Atlas", "Mercator", "Maps", "atlas", "Merkator", "MAPS",
        ];
        let groups = similar_names(&names);
        assert_eq!(groups, [vec![0, 3, 6], vec![1, 4], vec![2, 5]]);
    }

    #[test]
    fn a_large_vocabulary_is_looked_through_without_comparing_all_pairs() {
        let mut names: Vec<String> = (0..100_000)
            .map(|n| format!("Subject heading {n}"))
            .collect();
        names.push("Subject haeding".into());
        names.push("subject HEADING 77".into());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(similar_names(&names), [vec![77, 100_001]]);
    }
}
