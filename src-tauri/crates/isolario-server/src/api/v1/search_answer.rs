//! The answer of a search. What the index has found is asked again of the database, by the policy, before it is told.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::{ListSnapshot, RequestContext, ViewerSnapshot};
use super::responses::Item;
use crate::api::ApiError;
use isolario_core::actions::view_entity::visible_target;
use isolario_core::search::{Documents, FacetValues, HitPassages, Passage, TextBudget};
use isolario_db::{Cursor, DbError, Key};
use isolario_search::{CloseMatch, FacetCounts, Histogram, Hit, Search, SearchResults, folded};

/// Hits whose texts are read for passages. Those of a longer page have none.
pub const MOST_WITH_PASSAGES: usize = 50;

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchAnswer {
    hits: Vec<SearchHit>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// How many items were found.
    total: usize,
    /// Whether everything is shown that was committed before the request.
    current: bool,
    /// What was understood of `q`, as it can be typed again.
    understood: String,
    /// Whether a part of `q` went beyond the limits and was left out.
    is_cut: bool,
    /// In the order in which they were asked for.
    facets: Vec<SearchFacet>,
    /// The found items by time, whatever dates were chosen; `null` unless asked for.
    histogram: Option<SearchHistogram>,
    /// Where few items were found: words that are one letter off.
    close_matches: Vec<SearchCloseMatch>,
}

/// An item that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchHit {
    pub item: Item,
    /// Where the words stand; empty where no words were searched.
    pub passages: Vec<SearchPassage>,
}

/// A part of a text of the item in which words of the search stand.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchPassage {
    /// The field: `title`, `file_name`, `text` (read out of a file), or a field of the content model.
    field: String,
    /// The page of the file, counted from 1, where the text of the file has pages.
    pub page: Option<usize>,
    /// The text, in parts that are marked or not.
    parts: Vec<SearchPassagePart>,
    /// Whether there is more text before.
    begins_within: bool,
    /// Whether there is more text behind.
    ends_within: bool,
}

/// A part of a passage.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchPassagePart {
    text: String,
    /// Whether these are words of the search.
    marked: bool,
}

/// The values of a facet.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchFacet {
    facet: String,
    /// The most frequent first. The counts ignore what was chosen of this facet.
    values: Vec<SearchFacetValue>,
    /// How many other values there are.
    more: usize,
}

/// A value of a facet.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchFacetValue {
    /// What `chosen` takes: an id, or the value itself.
    value: String,
    /// Its name.
    label: String,
    /// How many of the found items have it.
    count: usize,
    chosen: bool,
}

/// Items by time.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchHistogram {
    /// How many years a bar has: 1, 10 or 100.
    years: i32,
    bars: Vec<SearchBar>,
    /// How many items have no date.
    undated: usize,
}

/// A bar of a histogram. An item whose date spans several is in each.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchBar {
    /// Its first year.
    year: i32,
    count: usize,
}

/// Words close to one of the search.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchCloseMatch {
    /// The word as it was typed.
    word: String,
    /// Words that occur, the most frequent first.
    close: Vec<String>,
}

impl SearchPassage {
    /// The text without marks.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

impl SearchFacet {
    /// The values in whose names a folded text stands, at most so many.
    pub fn named(mut self, text: &str, limit: usize) -> SearchFacet {
        self.values
            .retain(|value| folded(&value.label).contains(text));
        self.more = self.values.len().saturating_sub(limit);
        self.values.truncate(limit);
        self
    }
}

/// A page of what the index has found.
pub struct PageOfHits {
    pub search: Search,
    pub results: SearchResults,
    /// The name of the order.
    pub order: &'static str,
    /// Hits up to the end of the page.
    pub end: i64,
    pub is_current: bool,
}

/// A hit as the database shows it.
struct HitDraft {
    item: Item,
    passages: Option<HitPassages>,
}

impl PageOfHits {
    /// The answer to the actor.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn answer(self, context: &RequestContext) -> Result<SearchAnswer, ApiError> {
        let (search, end) = (Arc::new(self.search), self.end);
        let results = self.results;
        let total = results.total;
        let next = (end < i64::try_from(total).unwrap_or(i64::MAX)).then(|| Cursor {
            order: self.order.to_owned(),
            key: Key::Number(end),
            id: 0,
        });
        let asked = Arc::clone(&search);
        let hits = results.hits.into_iter().map(|hit| (hit.id, hit.fields));
        let hits: Vec<(i64, Vec<String>)> = hits.collect();
        let counts = results.facets;
        let read = context.clone().read_lists(move |snapshot| {
            let hits = drafts(snapshot, &asked, hits)?;
            let facets = counts.into_iter().map(|counts| {
                let is_chosen = |value: &str| {
                    let mut of_facet = asked.chosen.iter().filter(|one| one.facet == counts.facet);
                    of_facet.any(|one| one.values.iter().any(|one| one == value))
                };
                facet(snapshot, &counts, is_chosen)
            });
            let facets = facets.collect::<Result<Vec<_>, DbError>>()?;
            Ok((hits, facets))
        });
        let (drafts, facets) = read.await?;
        Ok(SearchAnswer {
            hits: with_passages(context, &search, drafts).await,
            next: next.map(|cursor| cursor.encode()),
            total,
            current: self.is_current,
            understood: search.query.to_string(),
            is_cut: search.query.is_cut,
            facets,
            histogram: results.histogram.map(histogram),
            close_matches: results.close_matches.into_iter().map(close_match).collect(),
        })
    }
}

/// The hits of a search that the viewer may see, with the passages in which its words stand.
///
/// # Errors
/// What the database refuses.
pub async fn hits_with_passages(
    context: &RequestContext,
    search: Search,
    hits: Vec<Hit>,
) -> Result<Vec<SearchHit>, ApiError> {
    let hits = hits.into_iter().map(|hit| (hit.id, hit.fields)).collect();
    let search = Arc::new(search);
    let asked = Arc::clone(&search);
    let read = context.clone();
    let drafts = read
        .read_lists(move |snapshot| Ok(drafts(snapshot, &asked, hits)?))
        .await?;
    Ok(with_passages(context, &search, drafts).await)
}

/// The items that the viewer may see, with passages of what the database says of them.
fn drafts(
    snapshot: &ListSnapshot<'_>,
    search: &Search,
    hits: Vec<(i64, Vec<String>)>,
) -> Result<Vec<HitDraft>, DbError> {
    let documents = Documents::new(snapshot.read, snapshot.model());
    let mut drafts = Vec::with_capacity(hits.len());
    for (nid, fields) in hits {
        let Some(item) = snapshot.item_by_id(nid)? else {
            continue;
        };
        let texts = match fields.is_empty() || drafts.len() >= MOST_WITH_PASSAGES {
            true => None,
            false => documents.texts(nid, &snapshot.context.actor)?,
        };
        let passages = texts.map(|texts| HitPassages::begin(texts, search, &fields));
        drafts.push(HitDraft { item, passages });
    }
    Ok(drafts)
}

async fn with_passages(
    context: &RequestContext,
    search: &Arc<Search>,
    drafts: Vec<HitDraft>,
) -> Vec<SearchHit> {
    let mut budget = TextBudget::default();
    let mut hits = Vec::with_capacity(drafts.len());
    for HitDraft { item, passages } in drafts {
        let passages = match passages {
            Some(begun) => {
                begun
                    .complete(&context.repository, search, &mut budget)
                    .await
            }
            None => Vec::new(),
        };
        hits.push(SearchHit {
            item,
            passages: passages.into_iter().map(passage).collect(),
        });
    }
    hits
}

fn passage(passage: Passage) -> SearchPassage {
    let parts = passage.parts.into_iter().map(|part| SearchPassagePart {
        text: part.text,
        marked: part.is_marked,
    });
    SearchPassage {
        field: passage.field,
        page: passage.page,
        parts: parts.collect(),
        begins_within: passage.is_cut.0,
        ends_within: passage.is_cut.1,
    }
}

/// The values of a facet that the viewer may know, with their names.
///
/// # Errors
/// What the database refuses.
pub fn facet(
    snapshot: &ViewerSnapshot<'_>,
    counts: &FacetCounts,
    is_chosen: impl Fn(&str) -> bool,
) -> Result<SearchFacet, DbError> {
    let names = labels(
        snapshot,
        &counts.facet,
        counts.values.iter().map(|(value, _)| value),
    )?;
    let values = counts.values.iter().filter_map(|(value, count)| {
        Some(SearchFacetValue {
            label: names.get(value)?.clone(),
            count: *count,
            chosen: is_chosen(value),
            value: value.clone(),
        })
    });
    Ok(SearchFacet {
        facet: counts.facet.clone(),
        values: values.collect(),
        more: counts.more,
    })
}

/// The names of those values of a facet that the viewer may know.
///
/// # Errors
/// What the database refuses.
pub fn labels<'v>(
    snapshot: &ViewerSnapshot<'_>,
    facet: &str,
    values: impl Iterator<Item = &'v String>,
) -> Result<HashMap<String, String>, DbError> {
    let kind = snapshot.context.app.search_names().facet(facet);
    let mut labels = HashMap::new();
    for value in values {
        let label = match kind {
            Some(FacetValues::Words) => Some(value.clone()),
            Some(FacetValues::Relators) => snapshot.model().relators.get(value).cloned(),
            Some(FacetValues::Ids(kind)) => {
                let id = value.parse().unwrap_or_default();
                let actor = &snapshot.context.actor;
                let target = visible_target(snapshot.read, actor, kind, id)?;
                target.map(|target| target.label)
            }
            None => None,
        };
        labels.extend(label.map(|label| (value.clone(), label)));
    }
    Ok(labels)
}

/// As answers tell it.
pub fn histogram(histogram: Histogram) -> SearchHistogram {
    let bars = histogram.bars.into_iter();
    SearchHistogram {
        years: histogram.years,
        bars: bars
            .map(|(year, count)| SearchBar { year, count })
            .collect(),
        undated: histogram.undated,
    }
}

/// As answers tell it.
pub fn close_match(found: CloseMatch) -> SearchCloseMatch {
    SearchCloseMatch {
        word: found.word,
        close: found.close,
    }
}
