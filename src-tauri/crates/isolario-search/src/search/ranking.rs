//! The best of the found items. Words that few of the visible items have count more (BM25). Nothing that the actor may
//! not see changes a score.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use tantivy::query::{
    Bm25StatisticsProvider, BooleanQuery, BoostQuery, EmptyQuery, EnableScoring, Occur,
    Query as EngineQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Score, Searcher, Term};

use super::SegmentMatches;
use super::columns;
use super::order::Page;
use super::plan::WordPlan;
use super::postings::Within;
use super::top::Least;
use super::words::Occurrence;
use crate::bits::Bits;
use crate::document::TITLE;
use crate::error::SearchError;
use crate::index::keys::Area;
use crate::index::schema::ID;
use crate::index::snapshot::Segment;

/// The length of a text that is neither long nor short. A mean of all would depend on texts that nobody may know of.
const USUAL_LENGTH: u64 = 128;

/// So many documents are scored one by one. Of more the engine leaves out those that it estimates too low to be among
/// the best.
const MOST_EXACT: usize = 50_000;

/// The best that are looked for in any case, so that the first pages show parts of one list.
const LEAST_BEST: usize = 1_000;

/// What the estimates of the engine can be too low: it assumes another usual length.
const SLACK: f32 = 0.8;

/// Scores that differ by less than one of so many parts are equal.
const PARTS: f32 = 256.0;

/// What words in titles count, those of the item itself and of published terms, and those of media and hidden ones.
const IN_TITLES: f32 = 3.0;
const IN_ITEMS: f32 = 1.0;
const IN_MEDIA: f32 = 0.6;
/// What a stem counts of what the word would.
const AS_STEM: f32 = 0.5;

/// A word that counts for the rank, and how much.
#[derive(Debug, Clone)]
struct WordWeight {
    term: Term,
    weight: f32,
}

/// An item and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ItemScore {
    pub id: i64,
    pub score: f32,
}

type Best = Least<(Reverse<u32>, i64)>;

/// A page of the best.
pub fn by_relevance(
    searcher: &Searcher,
    segments: &[SegmentMatches<'_>],
    words: &[WordPlan],
    page: Page,
) -> Result<Vec<ItemScore>, SearchError> {
    let words = &weights(segments, words)?;
    let found: usize = segments.iter().map(|one| one.found.count()).sum();
    let end = page.end(found).max(LEAST_BEST);
    let mut best = Best::new(end.next_power_of_two());
    let statistics = VisibleStatistics::of(segments, words)?;
    let scoring = EnableScoring::enabled_from_statistics_provider(&statistics, searcher);
    for one in segments.iter().filter(|one| !one.found.is_empty()) {
        match found <= MOST_EXACT {
            true => score_each(one, words, scoring, &mut best)?,
            false => score_the_best(one, words, scoring, &mut best)?,
        }
    }
    let best = best.page(page.offset).into_iter().take(page.limit);
    let ranked = best.map(|(Reverse(parts), id)| ItemScore {
        id,
        score: parts as f32 / PARTS,
    });
    Ok(ranked.collect())
}

/// What counts for the rank of the items that have the words.
fn weights(
    segments: &[SegmentMatches<'_>],
    words: &[WordPlan],
) -> Result<Vec<WordWeight>, SearchError> {
    let mut weights: BTreeMap<Term, f32> = BTreeMap::new();
    for words in words {
        // A word that is asked for twice counts twice, but not once more in each segment.
        let mut of_words: BTreeMap<Term, f32> = BTreeMap::new();
        let mut add = |segment: &Segment<'_>, found: Vec<Occurrence>, share: f32| {
            for one in found {
                let weight = share * weight_of(segment, &one);
                let of_term = of_words.entry(one.term).or_default();
                *of_term = of_term.max(weight);
            }
        };
        for one in segments {
            let segment = &one.segment;
            for (_, word) in &words.entries {
                add(segment, segment.occurrences(word, &words.readable)?, 1.0);
            }
            for stem in &words.stems {
                let (text, language) = (&stem.stem, stem.language);
                let found = segment.occurrences_of_stem(text, language, &words.readable)?;
                add(segment, found, AS_STEM);
                if stem.is_other_word {
                    add(
                        segment,
                        segment.occurrences(text, &words.readable)?,
                        AS_STEM,
                    );
                }
            }
        }
        for (term, weight) in of_words {
            *weights.entry(term).or_default() += weight;
        }
    }
    let weights = weights.into_iter();
    Ok(weights
        .map(|(term, weight)| WordWeight { term, weight })
        .collect())
}

fn weight_of(segment: &Segment<'_>, one: &Occurrence) -> f32 {
    let is_of_item = one.term.field() == segment.fields.words(Area::Item);
    match (
        one.field.as_str(),
        is_of_item || one.term.field() == segment.fields.stems,
    ) {
        (TITLE, true) => IN_TITLES,
        (_, true) => IN_ITEMS,
        (_, false) => IN_MEDIA,
    }
}

fn parts(score: Score) -> u32 {
    (score * PARTS).round() as u32
}

/// Adds up the scores of all words for each document.
fn score_each(
    one: &SegmentMatches<'_>,
    words: &[WordWeight],
    scoring: EnableScoring<'_>,
    best: &mut Best,
) -> Result<(), SearchError> {
    let documents: Vec<u32> = one.found.iter().collect();
    let mut scores = vec![0.0; documents.len()];
    for word in words {
        let weight = engine_query(word).weight(scoring)?;
        let mut scorer = weight.scorer(one.segment.reader, 1.0)?;
        for (document, score) in documents.iter().zip(&mut scores) {
            if scorer.doc() < *document {
                scorer.seek(*document);
            }
            if scorer.doc() == *document {
                *score += scorer.score();
            }
        }
    }
    let ids = columns::numbers(&one.segment, ID)?.values;
    for (document, score) in documents.iter().zip(scores) {
        best.push((Reverse(parts(score)), ids.get_val(*document)));
    }
    Ok(())
}

/// Lets the engine leave out what cannot be among the best.
fn score_the_best(
    one: &SegmentMatches<'_>,
    words: &[WordWeight],
    scoring: EnableScoring<'_>,
    best: &mut Best,
) -> Result<(), SearchError> {
    let clauses = words.iter().map(|word| (Occur::Should, engine_query(word)));
    // One clause by itself would not be pruned.
    let empty: (Occur, Box<dyn EngineQuery>) = (Occur::Should, Box::new(EmptyQuery));
    let query = BooleanQuery::new(clauses.chain([empty]).collect());
    let ids = columns::numbers(&one.segment, ID)?.values;
    let mut scored = Bits::none(one.found.bound());
    let mut needed = needed(best);
    query.weight(scoring)?.for_each_pruning(
        needed,
        one.segment.reader,
        &mut |document, score| {
            if one.found.has(document) {
                scored.insert(document);
                best.push((Reverse(parts(score)), ids.get_val(document)));
                needed = self::needed(best);
            }
            needed
        },
    )?;
    if best.highest().is_none_or(|(Reverse(parts), _)| *parts == 0) {
        let mut others = one.found.clone();
        others.remove(&scored);
        for document in others.iter() {
            best.push((Reverse(0), ids.get_val(document)));
        }
    }
    Ok(())
}

/// The score above which a document can be among the best.
fn needed(best: &Best) -> Score {
    match best.highest() {
        Some((Reverse(parts), _)) => (*parts as f32 - 1.0) / PARTS * SLACK,
        None => Score::MIN,
    }
}

fn engine_query(word: &WordWeight) -> Box<dyn EngineQuery> {
    let term = TermQuery::new(word.term.clone(), IndexRecordOption::WithFreqs);
    Box::new(BoostQuery::new(Box::new(term), word.weight))
}

/// How many of the visible items have a word.
struct VisibleStatistics {
    items: u64,
    with_word: HashMap<Term, u64>,
}

impl VisibleStatistics {
    fn of(
        segments: &[SegmentMatches<'_>],
        words: &[WordWeight],
    ) -> Result<VisibleStatistics, SearchError> {
        let mut statistics = VisibleStatistics {
            items: 0,
            with_word: HashMap::new(),
        };
        for one in segments {
            let visible = one.visible.count();
            statistics.items += visible as u64;
            let is_all_visible = visible == one.visible.bound() as usize;
            for word in words {
                let index = one.segment.reader.inverted_index(word.term.field())?;
                let count = match is_all_visible {
                    true => u64::from(index.doc_freq(&word.term)?),
                    false => {
                        let mut with_word = Bits::none(one.visible.bound());
                        let within = Within::of(&one.visible);
                        one.segment.add_term(&word.term, within, &mut with_word)?;
                        with_word.keep(&one.visible);
                        with_word.count() as u64
                    }
                };
                *statistics.with_word.entry(word.term.clone()).or_default() += count;
            }
        }
        Ok(statistics)
    }
}

impl Bm25StatisticsProvider for VisibleStatistics {
    fn total_num_tokens(&self, _: Field) -> tantivy::Result<u64> {
        Ok(self.items * USUAL_LENGTH)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.items)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self.with_word.get(term).copied().unwrap_or_default())
    }
}
