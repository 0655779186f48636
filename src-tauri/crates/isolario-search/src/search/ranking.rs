//! The best of the found items. Words that few of the visible items have count more (BM25). Nothing that the actor may
//! not see changes a score. Every found item is scored, so each page is a part of one exact list.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Score, Term};

use super::SegmentMatches;
use super::columns;
use super::order::Page;
use super::plan::WordPlan;
use super::postings::Within;
use super::top::Least;
use super::words::Occurrence;
use crate::document::TITLE;
use crate::error::SearchError;
use crate::index::keys::Area;
use crate::index::schema::ID;
use crate::index::snapshot::Segment;

/// The length of a text that is neither long nor short. A mean of all would depend on texts that nobody may know of.
const USUAL_LENGTH: f32 = 128.0;

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
    segments: &[SegmentMatches<'_>],
    words: &[WordPlan],
    page: Page,
) -> Result<Vec<ItemScore>, SearchError> {
    let words = scored_words(segments, weights(segments, words)?)?;
    let found: usize = segments.iter().map(|one| one.found.count()).sum();
    let mut best = Best::new(page.end(found));
    for one in segments.iter().filter(|one| !one.found.is_empty()) {
        let scores = scores(one, &words)?;
        let ids = columns::numbers(&one.segment, ID)?.values;
        let mut lowest = lowest(&best);
        for document in one.found.iter() {
            let score = scores[document as usize];
            if score >= lowest {
                best.push((Reverse(parts(score)), ids.get_val(document)));
                lowest = self::lowest(&best);
            }
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

/// What a score must have to be among the best so far.
fn lowest(best: &Best) -> Score {
    let lowest = best.highest().map_or(0, |(Reverse(parts), _)| *parts);
    (lowest as f32 - 0.5) / PARTS
}

fn parts(score: Score) -> u32 {
    (score * PARTS + 0.5) as u32
}

/// The score of each document; those that were not found may have any.
fn scores(
    one: &SegmentMatches<'_>,
    words: &[(Term, Bm25Weight)],
) -> Result<Vec<Score>, SearchError> {
    let mut scores = vec![0.0; one.found.bound() as usize];
    let within = Within::of(&one.found);
    let option = IndexRecordOption::WithFreqs;
    for (term, weight) in words {
        let index = one.segment.reader.inverted_index(term.field())?;
        let Some(info) = index.get_term_info(term)? else {
            continue;
        };
        let lengths = lengths(&one.segment, term)?;
        if within.is_sparse(info.doc_freq) {
            let mut postings = index.read_postings_from_terminfo(&info, option)?;
            for document in one.found.iter() {
                if postings.doc() < document {
                    postings.seek(document);
                }
                if postings.doc() == document {
                    let frequency = tantivy::postings::Postings::term_freq(&postings);
                    let length = lengths.fieldnorm_id(document);
                    scores[document as usize] += weight.score(length, frequency);
                }
            }
            continue;
        }
        let mut blocks = index.read_block_postings_from_terminfo(&info, option)?;
        while !blocks.docs().is_empty() {
            for (document, frequency) in blocks.docs().iter().zip(blocks.freqs()) {
                let length = lengths.fieldnorm_id(*document);
                scores[*document as usize] += weight.score(length, *frequency);
            }
            blocks.advance();
        }
    }
    Ok(scores)
}

/// The lengths of the texts of a field; one for all where they are not written.
fn lengths(segment: &Segment<'_>, term: &Term) -> Result<FieldNormReader, SearchError> {
    let lengths = segment.reader.fieldnorms_readers();
    let lengths = lengths.get_field(term.field())?;
    Ok(lengths.unwrap_or_else(|| FieldNormReader::constant(segment.reader.max_doc(), 1)))
}

/// What words count: the more, the fewer of the visible items have them.
fn scored_words(
    segments: &[SegmentMatches<'_>],
    words: Vec<WordWeight>,
) -> Result<Vec<(Term, Bm25Weight)>, SearchError> {
    let visible = segments.iter().map(|one| one.visible.count());
    let visible: Vec<usize> = visible.collect();
    let items = visible.iter().sum::<usize>() as u64;
    let mut scored = Vec::new();
    for WordWeight { term, weight } in words {
        let mut with_word = 0;
        for (one, visible) in segments.iter().zip(&visible) {
            let is_all_visible = *visible == one.visible.bound() as usize;
            with_word += match is_all_visible {
                true => one
                    .segment
                    .reader
                    .inverted_index(term.field())?
                    .doc_freq(&term)?,
                false => visible_with(one, &term)?,
            };
        }
        let engine =
            Bm25Weight::for_one_term_without_explain(u64::from(with_word), items, USUAL_LENGTH);
        scored.push((term, engine.boost_by(weight)));
    }
    Ok(scored)
}

/// How many of the visible documents have a term.
fn visible_with(one: &SegmentMatches<'_>, term: &Term) -> Result<u32, SearchError> {
    let index = one.segment.reader.inverted_index(term.field())?;
    let Some(info) = index.get_term_info(term)? else {
        return Ok(0);
    };
    let mut count = 0;
    let mut blocks = index.read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
    while !blocks.docs().is_empty() {
        count += one.visible.count_of(blocks.docs());
        blocks.advance();
    }
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}
