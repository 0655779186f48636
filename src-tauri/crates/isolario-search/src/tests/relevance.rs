//! The order by relevance is that of a walk which scores every item.

use super::support::{ANONYMOUS, With, index, item, typed};
use crate::{Page, Restriction, SearchDocument};

const ITEMS: i64 = 6_000;

/// How often the word stands in the text of an item, and how many words that has.
fn frequency_and_length(id: i64) -> (usize, usize) {
    let frequency = 1 + (id * 7 % 5) as usize;
    (frequency, frequency + (id * 31 % 33) as usize)
}

fn document(id: i64) -> SearchDocument {
    let (frequency, length) = frequency_and_length(id);
    let words = [vec!["canal"; frequency], vec!["water"; length - frequency]].concat();
    let document = item(id, "").with("field_description", &words.join(" "));
    match id % 3 {
        0 => document.hidden(7),
        _ => document,
    }
}

/// BM25 among the items that anybody sees.
fn score(id: i64) -> f32 {
    let (frequency, length) = frequency_and_length(id);
    let items = (0..ITEMS).filter(|id| id % 3 != 0).count() as f32;
    let rarity = (1.0 + 0.5 / (items + 0.5)).ln();
    let norm = 1.2 * (0.25 + 0.75 * length as f32 / 128.0);
    rarity * 2.2 * frequency as f32 / (frequency as f32 + norm)
}

#[test]
fn each_page_is_a_part_of_one_exact_list() {
    let documents: Vec<SearchDocument> = (0..ITEMS).map(document).collect();
    let indexed = index(&documents);
    let parts = |score: f32| (score * 256.0 + 0.5) as u32;
    let mut expected: Vec<(std::cmp::Reverse<u32>, i64)> = (0..ITEMS)
        .filter(|id| id % 3 != 0)
        .map(|id| (std::cmp::Reverse(parts(score(id))), id))
        .collect();
    expected.sort_unstable();
    let mut search = typed("canal", ANONYMOUS);
    for offset in [0, 17, 2_000, 3_990] {
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
    let few: Vec<i64> = (1..ITEMS).step_by(1_000).filter(|id| id % 3 != 0).collect();
    search.restriction = Restriction::Ids(few.clone());
    let found = indexed.results(&search).hits;
    assert_eq!(found.len(), few.len());
    for hit in found {
        assert_eq!(parts(hit.score), parts(score(hit.id)), "{}", hit.id);
    }
}
