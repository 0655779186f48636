//! Searching. What is found in each segment is a set of documents; hits, counts and everything else is read from it.

mod beginnings;
mod close;
mod columns;
mod facets;
mod fields;
mod filters;
mod histogram;
mod matching;
mod order;
mod phrases;
mod plan;
mod postings;
mod ranking;
mod suggest;
mod titles;
mod top;
mod words;

use std::borrow::Cow;

use rayon::prelude::*;

use crate::access::{Access, Accesses, Visibilities};
use crate::bits::Bits;
use crate::error::{SearchError, guarded};
use crate::index::schema::ID;
use crate::index::snapshot::{Segment, Snapshot};
use crate::index::store::SearchIndex;
use crate::query::Query;

pub use close::CloseMatch;
use facets::FacetCounter;
pub use facets::{FacetCounts, FacetRequest};
use filters::ReadablePart;
pub use filters::Restriction;
use histogram::DateCounter;
pub use histogram::Histogram;
pub use order::{Order, Page};
use plan::{Plan, Planner, WordPlan};
pub use suggest::{SuggestedValue, Suggestions};

/// What is asked of the index.
#[derive(Debug, Clone)]
pub struct Search {
    pub query: Query,
    pub visibility: Visibilities,
    pub restriction: Restriction,
    /// The values that were chosen: of each facet one of them.
    pub chosen: Vec<Choice>,
    /// The first and the last day that were chosen.
    pub dates: Option<(i64, i64)>,
    /// Whether words are found also by their stems.
    pub with_stems: bool,
    pub order: Order,
    pub is_descending: bool,
    pub page: Page,
    /// The facets that are counted.
    pub facets: Vec<FacetRequest>,
    /// Whether dates are counted.
    pub with_histogram: bool,
    /// Close matches are looked for if fewer items are found than so many.
    pub close_matches_below: usize,
}

/// The values of a facet that were chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The name of the facet.
    pub facet: String,
    pub values: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResults {
    /// How many items were found.
    pub total: usize,
    /// The page that was asked for.
    pub hits: Vec<Hit>,
    /// In the order in which they were asked for. The counts of a facet ignore what was chosen of it.
    pub facets: Vec<FacetCounts>,
    /// It ignores the dates that were chosen.
    pub histogram: Option<Histogram>,
    pub close_matches: Vec<CloseMatch>,
    /// The last event that this shows.
    pub last_event: i64,
}

/// An item that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: i64,
    /// How well it fits; 0 in other orders than by relevance.
    pub score: f32,
    /// The fields in which words of the query stand, by their names.
    pub fields: Vec<String>,
}

impl Search {
    /// All that an actor finds by a query, the best first, twenty at a time.
    pub fn new(query: Query, visibility: Visibilities) -> Search {
        Search {
            query,
            visibility,
            restriction: Restriction::None,
            chosen: Vec::new(),
            dates: None,
            with_stems: true,
            order: Order::Relevance,
            is_descending: false,
            page: Page {
                offset: 0,
                limit: 20,
            },
            facets: Vec::new(),
            with_histogram: false,
            close_matches_below: 0,
        }
    }
}

/// A segment with what was found there.
pub struct SegmentMatches<'s> {
    segment: Segment<'s>,
    /// What the actor may find.
    visible: Bits,
    /// What the actor may search of it.
    accesses: Accesses,
    found: Bits,
}

/// What was found in a segment before anything was chosen, and each choice.
struct Candidates<'s> {
    segment: Segment<'s>,
    visible: Bits,
    /// What the actor may search of these documents.
    accesses: Accesses,
    base: Bits,
    chosen: Vec<Bits>,
    dated: Option<Bits>,
}

impl Candidates<'_> {
    /// What was found by all choices but some.
    fn found(&self, ignored: impl Fn(usize) -> bool, ignores_dates: bool) -> Bits {
        let mut found = self.base.clone();
        let chosen = self.chosen.iter().enumerate();
        for (_, with_value) in chosen.filter(|(number, _)| !ignored(*number)) {
            found.keep(with_value);
        }
        if let Some(dated) = self.dated.as_ref().filter(|_| !ignores_dates) {
            found.keep(dated);
        }
        found
    }
}

impl SearchIndex {
    /// Searches as of the last commit.
    ///
    /// # Errors
    /// A failing disk; damage.
    pub fn search(&self, search: &Search) -> Result<SearchResults, SearchError> {
        guarded(|| run(&self.snapshot(), search))
    }

    /// The ids of all items that a search finds, in no order.
    ///
    /// # Errors
    /// As `search`.
    pub fn found_ids(&self, search: &Search) -> Result<Vec<i64>, SearchError> {
        guarded(|| {
            let snapshot = self.snapshot();
            let mut ids = Vec::new();
            for one in matches(candidates(&snapshot, search)?.1) {
                let column = columns::numbers(&one.segment, ID)?.values;
                columns::for_each(&column, &column, &one.found, |_, id, _| ids.push(id));
            }
            Ok(ids)
        })
    }

    /// The ids of the page that a search asks for, and nothing else of it.
    ///
    /// # Errors
    /// As `search`.
    pub fn page_of_ids(&self, search: &Search) -> Result<OrderedIds, SearchError> {
        guarded(|| {
            let snapshot = self.snapshot();
            let (planner, candidates) = candidates(&snapshot, search)?;
            let found: Vec<SegmentMatches<'_>> = matches(candidates).collect();
            let ranked = ranked(&found, search, &words(&planner, search))?;
            Ok(OrderedIds {
                ids: ranked.into_iter().map(|(id, _)| id).collect(),
                total: found.iter().map(|one| one.found.count()).sum(),
            })
        })
    }
}

/// Items in the order that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedIds {
    /// Those of the page.
    pub ids: Vec<i64>,
    /// How many items were found.
    pub total: usize,
}

fn run(snapshot: &Snapshot, search: &Search) -> Result<SearchResults, SearchError> {
    let (planner, candidates) = candidates(snapshot, search)?;
    let (facets, histogram) = rayon::join(
        || count_facets(&candidates, search),
        || {
            let dates = search.with_histogram.then(|| count_dates(&candidates));
            dates.transpose()
        },
    );
    let (facets, histogram) = (facets?, histogram?);
    let found: Vec<SegmentMatches<'_>> = matches(candidates).collect();
    let total = found.iter().map(|one| one.found.count()).sum();
    let close_matches = match total < search.close_matches_below {
        true => close::close_matches(&planner, &found, &search.query)?,
        false => Vec::new(),
    };
    Ok(SearchResults {
        total,
        hits: hits(&planner, &found, search)?,
        facets,
        histogram,
        close_matches,
        last_event: snapshot.last_event,
    })
}

/// What is found in each segment.
fn candidates<'s>(
    snapshot: &'s Snapshot,
    search: &Search,
) -> Result<(Planner, Vec<Candidates<'s>>), SearchError> {
    let accesses = search.visibility.accesses();
    let planner = Planner::new(snapshot, accesses.all, search.with_stems);
    let plan = planner.plan(&search.query.condition);
    let mut candidates = Vec::new();
    for segment in snapshot.segments() {
        for part in segment.readable_parts(&search.visibility)? {
            let more = (part.accesses.all != planner.accesses).then(|| {
                planner
                    .with(part.accesses.all.clone())
                    .plan(&search.query.condition)
            });
            candidates.push(candidates_in(
                segment,
                part,
                more.as_ref().unwrap_or(&plan),
                search,
            )?);
        }
    }
    Ok((planner, candidates))
}

/// By all choices.
fn matches<'s>(candidates: Vec<Candidates<'s>>) -> impl Iterator<Item = SegmentMatches<'s>> {
    candidates.into_iter().map(|one| SegmentMatches {
        found: one.found(|_| false, false),
        segment: one.segment,
        visible: one.visible,
        accesses: one.accesses,
    })
}

fn candidates_in<'s>(
    segment: Segment<'s>,
    part: ReadablePart,
    plan: &Plan,
    search: &Search,
) -> Result<Candidates<'s>, SearchError> {
    let ReadablePart { visible, accesses } = part;
    let mut within = visible.clone();
    segment.restrict(&accesses, &search.restriction, &mut within)?;
    let base = segment.matching(plan, &within)?;
    let chosen = search.chosen.iter();
    let chosen = chosen.map(|choice| segment.with_value(&accesses, &choice.facet, &choice.values));
    let dates = search.dates.map(|(first, last)| Plan::Date { first, last });
    let dated = dates
        .map(|dates| segment.matching(&dates, &base))
        .transpose()?;
    Ok(Candidates {
        chosen: chosen.collect::<Result<_, SearchError>>()?,
        segment,
        visible,
        accesses,
        base,
        dated,
    })
}

/// On all cores: to count a million items takes long.
fn count_facets(
    candidates: &[Candidates<'_>],
    search: &Search,
) -> Result<Vec<FacetCounts>, SearchError> {
    let counts = search.facets.par_iter().map(|request| {
        let own = |number: usize| search.chosen[number].facet == request.facet;
        let mut counter = FacetCounter::default();
        for one in candidates {
            let found = one.found(own, false);
            counter.count(&one.segment, &one.accesses, &request.facet, &found)?;
        }
        let chosen = search
            .chosen
            .iter()
            .filter(|choice| choice.facet == request.facet);
        let chosen: Vec<String> = chosen.flat_map(|choice| choice.values.clone()).collect();
        Ok(counter.most_frequent(request, &chosen))
    });
    counts.collect()
}

fn count_dates(candidates: &[Candidates<'_>]) -> Result<Histogram, SearchError> {
    let mut counter = DateCounter::default();
    for one in candidates {
        counter.count(&one.segment, &one.found(|_| false, true))?;
    }
    Ok(counter.histogram())
}

/// What the words of a query are found by.
fn words(planner: &Planner, search: &Search) -> Vec<WordPlan> {
    let words = search.query.words().into_iter();
    words.filter_map(|words| planner.words(words)).collect()
}

/// The ids of the page with their scores.
fn ranked(
    found: &[SegmentMatches<'_>],
    search: &Search,
    words: &[WordPlan],
) -> Result<Vec<(i64, f32)>, SearchError> {
    let page = search.page;
    if page.limit == 0 {
        return Ok(Vec::new());
    }
    let ids = match search.order {
        Order::Relevance => {
            let best = ranking::by_relevance(found, words, page)?.into_iter();
            return Ok(best.map(|ranked| (ranked.id, ranked.score)).collect());
        }
        Order::Title => titles::by_title(found, search.is_descending, page)?,
        order => order::by_number(found, order, search.is_descending, page)?,
    };
    Ok(ids.into_iter().map(|id| (id, 0.0)).collect())
}

fn hits(
    planner: &Planner,
    found: &[SegmentMatches<'_>],
    search: &Search,
) -> Result<Vec<Hit>, SearchError> {
    let words = words(planner, search);
    let ranked = ranked(found, search, &words)?;
    let ids: Vec<i64> = ranked.iter().map(|(id, _)| *id).collect();
    let readable = |accesses: &[Access]| match accesses == planner.accesses {
        true => Cow::Borrowed(&words[..]),
        false => Cow::Owned(self::words(&planner.with(accesses.to_vec()), search)),
    };
    let mut fields = fields::matched_fields(found, readable, &ids)?;
    let hits = ranked.into_iter().map(|(id, score)| Hit {
        id,
        score,
        fields: fields.remove(&id).unwrap_or_default().into_iter().collect(),
    });
    Ok(hits.collect())
}
