//! Where the words of a query stand in a text, by the same rules by which the text was found. The caller reads the text;
//! the index has none.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use crate::analysis::{Language, Stems, Unit, Units, fold};
use crate::query::{Form, LONGEST_PHRASE, Query, Words};

/// What parts the pages of a text.
const FORM_FEED: u8 = b'\x0C';

/// Marks among which the best part of a text is chosen.
const MOST_MARKS: usize = 10_000;

/// A place of a text that the query means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The page, counted from 1. A form feed begins a page.
    pub page: usize,
}

/// A part of a text with what is marked in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// Bytes of the text. What is left out before and after can be told by it.
    pub range: Range<usize>,
    /// Bytes of the text, within the range.
    pub marks: Vec<Range<usize>>,
    /// The page, counted from 1.
    pub page: usize,
}

/// Finds the words of a query in texts of one field and of the languages of an item.
pub struct Highlighter {
    patterns: Vec<Pattern>,
    /// Of each language; none if no word of the query is looked for by its stem.
    stems: Vec<Stems>,
}

/// Words that stand one after the other.
struct Pattern {
    words: Vec<(String, bool)>,
    /// The last is the beginning of a word.
    is_prefix: bool,
    /// What the stem of a single word can be in each language.
    stems: Vec<[String; 2]>,
}

/// A word of the text.
struct TextWord {
    folded: String,
    unit: Unit,
}

impl Highlighter {
    /// For texts of a field. The code is that of the item's language; its stems are those by which the item is found.
    pub fn new(
        query: &Query,
        field: &str,
        language: Option<&str>,
        with_stems: bool,
    ) -> Highlighter {
        let languages = match with_stems {
            true => Language::of_item(language),
            false => Vec::new(),
        };
        let words = query.words().into_iter().filter(|words| {
            let named = words.field.as_ref();
            named.is_none_or(|named| named.fields.iter().any(|name| name == field))
        });
        let patterns = words.filter_map(|words| Pattern::of(words, &languages));
        let patterns: Vec<Pattern> = patterns.collect();
        let has_stems = patterns.iter().any(|pattern| !pattern.stems.is_empty());
        let stems = languages.iter().filter(|_| has_stems);
        Highlighter {
            stems: stems.map(|language| language.stems()).collect(),
            patterns,
        }
    }

    /// The first places of a text, at most so many. Those that overlap are one.
    pub fn marks(&self, text: &str, limit: usize) -> Vec<Mark> {
        let mut ranges = Vec::new();
        self.find(text, |range, _| {
            add_merged(&mut ranges, range);
            ranges.len() <= limit
        });
        ranges.truncate(limit);
        let mut pages = Pages::of(text);
        let marks = ranges.into_iter().map(|range| Mark {
            page: pages.at(range.start),
            range,
        });
        marks.collect()
    }

    /// The part of a text, of about so many bytes, in which most of the words stand; none if none does.
    pub fn snippet(&self, text: &str, length: usize) -> Option<Snippet> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        self.find(text, |range, pattern| {
            found.push((range, pattern));
            found.len() < MOST_MARKS
        });
        let room = length.saturating_sub(length / 4);
        let mut best = (0, 0..0);
        for (index, (first, _)) in found.iter().enumerate() {
            let within = found[index..].iter();
            let within = within.take_while(|(range, _)| range.end <= first.start + room);
            let mut patterns: Vec<usize> = within.map(|(_, pattern)| *pattern).take(64).collect();
            let marks = patterns.len();
            patterns.sort_unstable();
            patterns.dedup();
            // Another word counts more than the same once more.
            let worth = 64 * patterns.len() + marks;
            if worth > best.0 || best.1.is_empty() {
                best = (worth, first.clone());
            }
        }
        let first = (!found.is_empty()).then_some(best.1)?;
        let range = around(text, &first, length);
        let mut marks = Vec::new();
        let within = found.into_iter().map(|(mark, _)| mark);
        within
            .filter(|mark| mark.start >= range.start && mark.end <= range.end)
            .for_each(|mark| add_merged(&mut marks, mark));
        Some(Snippet {
            marks,
            page: Pages::of(text).at(first.start),
            range,
        })
    }

    /// Calls with the places of each pattern and its number, by their ends, until it is enough.
    fn find(&self, text: &str, mut each: impl FnMut(Range<usize>, usize) -> bool) {
        let mut units = Units::of(text);
        let mut folded = String::new();
        let mut last: VecDeque<TextWord> = VecDeque::new();
        let mut by_stem: HashMap<&str, Vec<usize>> = HashMap::new();
        while let Some(unit) = units.next_folded(&mut folded) {
            if last.len() == LONGEST_PHRASE {
                last.pop_front();
            }
            last.push_back(TextWord {
                folded: folded.clone(),
                unit,
            });
            let Some(TextWord { unit, .. }) = last.back() else {
                return;
            };
            let with_stem = match self.stems.is_empty() || unit.is_sign {
                true => &[][..],
                false => by_stem
                    .entry(&text[unit.range.clone()])
                    .or_insert_with_key(|word| self.with_stem_of(word)),
            };
            for (number, pattern) in self.patterns.iter().enumerate() {
                let has_stem = with_stem.contains(&number).then(|| unit.range.clone());
                let range = has_stem.or_else(|| pattern.ends_with(&last));
                if range.is_some_and(|range| !each(range, number)) {
                    return;
                }
            }
        }
    }

    /// The patterns that look for the stem of a word.
    fn with_stem_of(&self, word: &str) -> Vec<usize> {
        let mut numbers = Vec::new();
        let mut stem = String::new();
        for (language, stems) in self.stems.iter().enumerate() {
            stem.clear();
            stems.stem_into(word, &mut stem);
            let patterns = self.patterns.iter().enumerate();
            let fitting = patterns.filter(|(_, pattern)| {
                let stems = pattern.stems.get(language);
                stems.is_some_and(|stems| stems.contains(&stem))
            });
            numbers.extend(fitting.map(|(number, _)| number));
        }
        numbers
    }
}

impl Pattern {
    fn of(words: &Words, languages: &[Language]) -> Option<Pattern> {
        let mut units = Units::of(&words.text);
        let mut folded = String::new();
        let mut pattern = Pattern {
            words: Vec::new(),
            is_prefix: words.form == Form::Prefix,
            stems: Vec::new(),
        };
        let mut first = None;
        while let Some(unit) = units.next_folded(&mut folded) {
            if pattern.words.len() == LONGEST_PHRASE {
                break;
            }
            pattern.words.push((folded.clone(), unit.is_joined));
            first = first.or(Some(unit));
        }
        let first = first?;
        if let (Form::Word, 1, false) = (words.form, pattern.words.len(), first.is_sign) {
            let word = &words.text[first.range];
            let stems = languages.iter();
            let stems = stems.map(|language| [word, &fold(word)].map(|word| language.stem(word)));
            pattern.stems = stems.collect();
        }
        Some(pattern)
    }

    /// The place of the pattern, if these words end with it.
    fn ends_with(&self, words: &VecDeque<TextWord>) -> Option<Range<usize>> {
        let start = words.len().checked_sub(self.words.len())?;
        let last = self.words.len() - 1;
        let mut pairs = words.range(start..).zip(&self.words).enumerate();
        let is_same = pairs.all(|(at, (word, (pattern, is_joined)))| {
            let is_equal = match at == last && self.is_prefix {
                true => word.folded.starts_with(pattern.as_str()),
                false => word.folded == *pattern,
            };
            is_equal && (word.unit.is_joined || !is_joined)
        });
        let end = words.back()?;
        is_same.then(|| words[start].unit.range.start..end.unit.range.end)
    }
}

/// Adds a range, in the order of their ends, and makes one of it and those that it overlaps.
fn add_merged(ranges: &mut Vec<Range<usize>>, mut range: Range<usize>) {
    while let Some(last) = ranges.pop_if(|last| range.start < last.end) {
        range = last.start.min(range.start)..last.end.max(range.end);
    }
    ranges.push(range);
}

/// A part of a text around a place: whole words, on the same page.
fn around(text: &str, place: &Range<usize>, length: usize) -> Range<usize> {
    let before = text.floor_char_boundary(place.start.saturating_sub(length / 4));
    let page_start = text[..place.start]
        .rfind(char::from(FORM_FEED))
        .map_or(0, |at| at + 1);
    let start = match before <= page_start {
        true => page_start,
        false => {
            let space = text[before..place.start].find(char::is_whitespace);
            space.map_or(before, |at| before + at)
        }
    };
    let end = text.floor_char_boundary((start + length).max(place.end));
    let page_end = text[place.end..].find(char::from(FORM_FEED));
    let page_end = page_end.map_or(text.len(), |at| place.end + at);
    let end = match end >= page_end {
        true => page_end,
        false => {
            let space = text[place.end..end].rfind(char::is_whitespace);
            space.map_or(end, |at| place.end + at)
        }
    };
    let part = &text[start..end];
    let start = start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// Counts the pages of a text up to places in their order.
struct Pages<'t> {
    bytes: &'t [u8],
    at: usize,
    page: usize,
}

impl<'t> Pages<'t> {
    fn of(text: &'t str) -> Pages<'t> {
        Pages {
            bytes: text.as_bytes(),
            at: 0,
            page: 1,
        }
    }

    fn at(&mut self, place: usize) -> usize {
        let passed = &self.bytes[self.at..place];
        self.page += passed.iter().filter(|byte| **byte == FORM_FEED).count();
        self.at = place;
        self.page
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::query::FieldNames;

    fn names() -> FieldNames {
        let mut names = FieldNames::default();
        names.add("title", &[], &["title"]);
        names
    }

    fn highlighter(query: &str, language: Option<&str>) -> Highlighter {
        Highlighter::new(&Query::parse(query, &names()), "text", language, true)
    }

    fn marked<'t>(query: &str, language: Option<&str>, text: &'t str) -> Vec<&'t str> {
        let marks = highlighter(query, language).marks(text, 100).into_iter();
        marks.map(|mark| &text[mark.range]).collect()
    }

    #[test]
    fn what_is_found_is_marked() {
        let text = "Die Häuser am Canal\u{A0}Grande, 東京都 (1998.2.17)";
        for (query, marks) in [
            ("hauser", vec!["Häuser"]),
            ("haus", vec!["Häuser"]),
            ("\"haus\"", vec![]),
            ("\"canal grande\"", vec!["Canal\u{A0}Grande"]),
            ("\"grande canal\"", vec![]),
            ("gran* OR die", vec!["Die", "Grande"]),
            ("京都", vec!["京都"]),
            ("1998.2.17", vec!["1998.2.17"]),
            ("1998", vec!["1998"]),
            ("canal \"canal grande\"", vec!["Canal\u{A0}Grande"]),
            ("-canal title:die", vec![]),
        ] {
            assert_eq!(marked(query, Some("de"), text), marks, "{query}");
        }
        assert_eq!(marked("haus", Some("la"), text), [""; 0]);
        assert_eq!(marked("haus grandes", None, text), ["Häuser", "Grande"]);
    }

    #[test]
    fn a_mark_knows_its_page() {
        let text = "one\x0Ctwo words\x0C\x0Cwords";
        let marks = highlighter("words", None).marks(text, 9).into_iter();
        assert_eq!(marks.map(|mark| mark.page).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(highlighter("words", None).marks(text, 1).len(), 1);
    }

    #[test]
    fn a_snippet_shows_most_of_the_words() {
        let filler = "lorem ipsum ".repeat(50);
        let text = format!("map {filler}\x0Cthe map of Venice, a map {filler}");
        let snippet = highlighter("map venice", None).snippet(&text, 60).unwrap();
        let part = &text[snippet.range.clone()];
        assert!(part.starts_with("the map of Venice, a map"), "{part}");
        assert!(part.len() <= 60 && part.ends_with("m"), "{part}");
        assert_eq!((snippet.marks.len(), snippet.page), (3, 2));
        assert_eq!(&text[snippet.marks[1].clone()], "Venice");
        assert_eq!(highlighter("rome", None).snippet(&text, 60), None);
    }

    proptest! {
        #[test]
        fn marks_and_snippets_lie_within_the_text(
            text in "[a-c ü東京\x0C.]{0,80}",
            query in "[a-cü東京*\" ]{0,12}",
            length in 0_usize..60,
        ) {
            let highlighter = highlighter(&query, Some("en"));
            let marks = highlighter.marks(&text, 100);
            prop_assert!(marks.is_sorted_by(|left, right| left.range.end <= right.range.start));
            let snippet = highlighter.snippet(&text, length);
            prop_assert_eq!(snippet.is_some(), !marks.is_empty());
            if let Some(snippet) = snippet {
                prop_assert!(!snippet.marks.is_empty());
                let breaks = text[snippet.range.clone()].matches('\x0C').count();
                let marks = snippet.marks.iter().map(|mark| text[mark.clone()].matches('\x0C').count());
                prop_assert_eq!(breaks, marks.sum::<usize>(), "only within a phrase");
                for mark in snippet.marks {
                    prop_assert!(mark.start >= snippet.range.start && mark.end <= snippet.range.end);
                }
            }
        }
    }
}
