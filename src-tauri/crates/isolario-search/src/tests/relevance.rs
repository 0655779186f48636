//! The order by relevance is that of a walk which scores every item.

use super::support::{ANONYMOUS, With, index, item, typed};
use crate::{Page, Restriction, SearchDocument};

const ITEMS: i64 = 6_000;

fn is_visible(id: i64) -> bool {
    id % 3 != 0
}

fn has_word(id: i64) -> bool {
    id % 2 == 0
}

/// How often the word stands in the text of an item, and how many words that has.
fn frequency_and_length(id: i64) -> (usize, usize) {
    let frequency = 1 + (id * 7 % 5) as usize;
    (frequency, frequency + (id * 31 % 33) as usize)
}

fn document(id: i64) -> SearchDocument {
    let (frequency, length) = frequency_and_length(id);
    let word = if has_word(id) { "canal" } else { "river" };
    let words = [vec![word; frequency], vec!["water"; length - frequency]].concat();
    let document = item(id, "").with("field_description", &words.join(" "));
    match is_visible(id) {
        true => document,
        false => document.hidden(7),
    }
}

/// BM25 among the items that anybody sees.
fn score(id: i64) -> f32 {
    let (frequency, length) = frequency_and_length(id);
    let items = (0..ITEMS).filter(|id| is_visible(*id));
    let (with, without): (Vec<i64>, Vec<i64>) = items.partition(|id| has_word(*id));
    let rarity = (1.0 + (without.len() as f32 + 0.5) / (with.len() as f32 + 0.5)).ln();
    let norm = 1.2 * (0.25 + 0.75 * length as f32 / 128.0);
    rarity * 2.2 * frequency as f32 / (frequency as f32 + norm)
}

#[test]
fn each_page_is_a_part_of_one_exact_list() {
    let documents: Vec<SearchDocument> = (0..ITEMS).map(document).collect();
    let indexed = index(&documents);
    let parts = |score: f32| (score * 256.0 + 0.5) as u32;
    let mut expected: Vec<(std::cmp::Reverse<u32>, i64)> = (0..ITEMS)
        .filter(|id| is_visible(*id) && has_word(*id))
        .map(|id| (std::cmp::Reverse(parts(score(id))), id))
        .collect();
    expected.sort_unstable();
    let mut search = typed("canal", ANONYMOUS);
    for offset in [0, 17, 1_000, 1_990] {
        search.page = Page { offset, limit: 20 };
        let results = indexed.results(&search);
        let hits = results.hits.iter();
        let found: Vec<_> = hits
            .map(|hit| (std::cmp::Reverse(parts(hit.score)), hit.id))
            .collect();
        let end = (offset + 20).min(expected.len());
        assert_eq!(found, expected[offset..end], "{offset}");
    }
    // Of few items each is looked up instead of reading all that have the word: the scores are the same.
    search.page = Page {
        offset: 0,
        limit: 20,
    };
    let few = (2..ITEMS).step_by(1_000).filter(|id| is_visible(*id));
    let few: Vec<i64> = few.collect();
    search.restriction = Restriction::Ids(few.clone());
    let found = indexed.results(&search).hits;
    assert_eq!(found.len(), few.len());
    for hit in found {
        assert_eq!(parts(hit.score), parts(score(hit.id)), "{}", hit.id);
    }
}
