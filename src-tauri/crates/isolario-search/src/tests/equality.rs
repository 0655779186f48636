//! Whatever the documents, the actor and the query: the index answers as a walk over everything does.

use std::collections::{BTreeMap, BTreeSet};

use isolario_model::policy::Visibility;
use proptest::prelude::*;
use proptest::sample::select;

use super::random::{ASKED, FACETS, FIELDS, Rest, ask, history, rest, visibilities};
use super::support::{Indexed, ids, index, typed};
use super::walk::{Ask, counts, is_close, is_visible, sees, texts, units, values};
use crate::{
    Change, FacetRequest, LinkedKind, Order, Restriction, Search, SearchDocument, SearchResults,
    Visibilities,
};

/// The documents as they are after all changes.
fn after(first: &[SearchDocument], commits: &[Vec<Change>]) -> Vec<SearchDocument> {
    let first = first.iter().map(|document| (document.id, document.clone()));
    let mut documents: BTreeMap<i64, SearchDocument> = first.collect();
    for change in commits.iter().flatten() {
        match change {
            Change::Put(document) => documents.insert(document.id, (**document).clone()),
            Change::Delete(id) => documents.remove(id),
        };
    }
    documents.into_values().collect()
}

fn indexed(first: &[SearchDocument], commits: &[Vec<Change>]) -> Indexed {
    let indexed = index(first);
    for (event, changes) in (2..).zip(commits) {
        indexed.index.apply(changes, event).unwrap();
    }
    indexed
}

/// A walk over all documents.
struct Walk<'w> {
    documents: &'w [SearchDocument],
    ask: &'w Ask,
    visibility: Visibilities,
    rest: &'w Rest,
}

impl Walk<'_> {
    /// The items that are found, but for what was chosen of one facet or of dates.
    fn found(&self, ignored: Option<&str>, ignores_dates: bool) -> Vec<&SearchDocument> {
        let found = self.documents.iter().filter(|document| {
            let has_value = |facet: &str, wanted: &[String]| {
                let values = values(&self.visibility, facet, document);
                wanted.iter().any(|value| values.contains(value))
            };
            let chosen = self.rest.chosen.iter();
            let mut chosen = chosen.filter(|choice| Some(choice.facet.as_str()) != ignored);
            let dated = self.rest.dates.is_none_or(|(first, last)| {
                Ask::Date(first, last).finds(&self.visibility, false, document)
            });
            let restricted = match &self.rest.restriction {
                Restriction::None => true,
                Restriction::Ids(ids) => ids.contains(&document.id),
                Restriction::Value { facet, value } => {
                    has_value(facet, std::slice::from_ref(value))
                }
            };
            is_visible(&self.visibility, document)
                && restricted
                && (ignores_dates || dated)
                && chosen.all(|choice| has_value(&choice.facet, &choice.values))
                && self
                    .ask
                    .finds(&self.visibility, self.rest.with_stems, document)
        });
        found.collect()
    }

    /// The ids in the order that was asked for.
    fn ordered(&self) -> Vec<i64> {
        let mut found = self.found(None, false);
        found.sort_by_key(|document| {
            let key = match self.rest.order {
                Order::Created => document.created,
                Order::Changed => document.changed,
                Order::Date => document.date.map_or(i64::MAX, |date| date.0),
                Order::Title | Order::Relevance => 0,
            };
            let title = match self.rest.order {
                Order::Title => document.title_key.len(),
                _ => 0,
            };
            (key, title, document.id)
        });
        if self.rest.is_descending {
            found.reverse();
            if self.rest.order == Order::Date {
                found.sort_by_key(|document| document.date.is_none());
            }
        }
        found.iter().map(|document| document.id).collect()
    }

    /// The fields of an item in which words of the query stand.
    fn fields(&self, id: i64) -> Vec<String> {
        let document = self
            .documents
            .iter()
            .find(|document| document.id == id)
            .unwrap();
        let texts = texts(&self.visibility, document).filter(|text| {
            let mut words = self.ask.words().into_iter();
            words.any(|words| words.is_in(self.rest.with_stems, document, text))
        });
        let fields: BTreeSet<String> = texts.map(|text| text.field.clone()).collect();
        fields.into_iter().collect()
    }

    /// The words of visible texts, in one field or in all.
    fn visible_words(&self, field: Option<&str>) -> BTreeSet<String> {
        let documents = self.documents.iter();
        let documents = documents.filter(|document| is_visible(&self.visibility, document));
        let texts = documents.flat_map(|document| texts(&self.visibility, document));
        let texts = texts.filter(|text| field.is_none_or(|field| text.field == field));
        texts
            .flat_map(|text| units(&text.text))
            .map(|unit| unit.folded)
            .collect()
    }
}

/// Questions by their fields as documents name them.
fn renamed(ask: &Ask) -> Ask {
    let parts = |parts: &[Ask]| parts.iter().map(renamed).collect();
    match ask {
        Ask::Words {
            field,
            words,
            is_quoted,
            is_prefix,
        } => Ask::Words {
            field: field.map(|field| {
                let number = ASKED.iter().position(|asked| *asked == field).unwrap();
                FIELDS[number]
            }),
            words: words.clone(),
            is_quoted: *is_quoted,
            is_prefix: *is_prefix,
        },
        Ask::Date(..) => ask.clone(),
        Ask::Not(inner) => Ask::Not(Box::new(renamed(inner))),
        Ask::All(inner) => Ask::All(parts(inner)),
        Ask::Any(inner) => Ask::Any(parts(inner)),
    }
}

fn search_of(ask: &Ask, visibility: &Visibilities, rest: &Rest) -> Search {
    let mut search = typed(&ask.typed(), visibility.clone());
    search.with_stems = rest.with_stems;
    search.chosen.clone_from(&rest.chosen);
    search.dates = rest.dates;
    search.restriction = rest.restriction.clone();
    (search.order, search.is_descending) = (rest.order, rest.is_descending);
    search.page = rest.page;
    let facets = FACETS.iter().map(|facet| FacetRequest {
        facet: (*facet).to_owned(),
        limit: 2,
    });
    search.facets = facets.collect();
    search.with_histogram = true;
    search.close_matches_below = usize::MAX;
    search
}

/// Compares the answers to one question.
fn assert_same(
    indexed: &Indexed,
    documents: &[SearchDocument],
    asked: &Ask,
    visibility: &Visibilities,
    rest: &Rest,
) {
    let results = indexed.results(&search_of(asked, visibility, rest));
    let ask = renamed(asked);
    let walk = Walk {
        documents,
        ask: &ask,
        visibility: visibility.clone(),
        rest,
    };
    let typed = asked.typed();
    walk.assert_hits(&results, &typed);
    walk.assert_facets(&results, &typed);
    walk.assert_histogram(&results);
    walk.assert_close_matches(&results);
}

impl Walk<'_> {
    fn assert_hits(&self, results: &SearchResults, typed: &str) {
        let (ordered, page) = (self.ordered(), self.rest.page);
        assert_eq!(results.total, ordered.len(), "{typed}");
        let shown = ordered.iter().copied().skip(page.offset).take(page.limit);
        let shown: Vec<i64> = shown.collect();
        match self.rest.order {
            Order::Relevance => {
                let hits = &results.hits;
                assert_eq!(hits.len(), shown.len());
                assert!(hits.iter().all(|hit| ordered.contains(&hit.id)));
                assert!(hits.is_sorted_by(|left, right| left.score >= right.score));
            }
            _ => assert_eq!(ids(results), shown),
        }
        for hit in &results.hits {
            assert_eq!(hit.fields, self.fields(hit.id), "{typed} of {}", hit.id);
        }
    }

    fn assert_facets(&self, results: &SearchResults, typed: &str) {
        for (facet, counted) in FACETS.iter().zip(&results.facets) {
            let all = counts(&self.visibility, facet, &self.found(Some(facet), false));
            let chosen = self
                .rest
                .chosen
                .iter()
                .filter(|choice| choice.facet == *facet);
            let chosen: Vec<&String> = chosen.flat_map(|choice| &choice.values).collect();
            let told = all.iter().enumerate();
            let told = told.filter(|(rank, (value, _))| *rank < 2 || chosen.contains(&value));
            let told: Vec<(String, usize)> = told.map(|(_, count)| count.clone()).collect();
            assert_eq!(counted.more, all.len() - told.len());
            assert_eq!(counted.values, told, "{typed}");
        }
    }

    fn assert_histogram(&self, results: &SearchResults) {
        let dated = self.found(None, true);
        let histogram = results.histogram.as_ref().unwrap();
        let undated = dated.iter().filter(|document| document.date.is_none());
        assert_eq!(histogram.undated, undated.count());
        for (year, count) in &histogram.bars {
            let day = |year: i32| {
                let day = chrono::NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
                (day - chrono::NaiveDate::default()).num_days()
            };
            let span = Ask::Date(day(*year), day(year + histogram.years) - 1);
            let within = dated.iter();
            let within = within.filter(|document| span.finds(&self.visibility, false, document));
            assert_eq!(*count, within.count());
        }
    }

    fn assert_close_matches(&self, results: &SearchResults) {
        for close in &results.close_matches {
            let typed = units(&close.word);
            for word in &close.close {
                assert!(is_close(word, &typed[0].folded), "{word} {}", close.word);
                assert!(self.visible_words(None).contains(word), "{word} is told");
            }
        }
        for words in self.ask.words() {
            let Ask::Words {
                field,
                words,
                is_prefix: false,
                ..
            } = words
            else {
                continue;
            };
            let [word] = &units(&words.join(" "))[..] else {
                continue;
            };
            let close = self.visible_words(*field).into_iter();
            let close = close.filter(|other| is_close(other, &word.folded));
            if word.folded.len() >= 4 && close.count() > 0 {
                let told = &results.close_matches;
                assert!(!told.is_empty(), "close to {}", word.folded);
            }
        }
    }
}

/// The documents as if what the actor may not see did not exist.
fn without_hidden(documents: &[SearchDocument], visibility: &Visibilities) -> Vec<SearchDocument> {
    let visible = documents
        .iter()
        .filter(|document| is_visible(visibility, document));
    let visible = visible.map(|document| {
        let mut document = document.clone();
        document.texts.retain(|text| sees(visibility, text.source));
        document
            .facets
            .retain(|value| sees(visibility, value.source));
        document
    });
    visible.collect()
}

/// The texts of an item and of its published terms have one length. Nobody sees the one without the other but those
/// who may view items by a permission that goes beyond that to view anything published.
fn sees_terms_or_nothing(visibility: &Visibilities) -> bool {
    // What is below a node is known also where the way there is hidden.
    if !visibility.below.is_empty() {
        return false;
    }
    let sees = |kind| visibility.sees_published(kind);
    visibility.items == Visibility::Nothing || sees(LinkedKind::Item) && sees(LinkedKind::Term)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_index_answers_as_a_walk_does(
        (first, commits) in history(),
        asked in prop::collection::vec((ask(), visibilities(), rest()), 1..30),
    ) {
        let indexed = indexed(&first, &commits);
        let documents = after(&first, &commits);
        for (ask, visibility, rest) in &asked {
            assert_same(&indexed, &documents, ask, visibility, rest);
        }
    }

    #[test]
    fn what_is_hidden_changes_nothing_for_others(
        (first, commits) in history(),
        visibility in visibilities().prop_filter("sees terms or nothing", sees_terms_or_nothing),
        asked in prop::collection::vec((ask(), rest()), 1..10),
        begun in prop::collection::vec(select(&["h", "mu", "House 1", "東", "map"][..]), 1..3),
    ) {
        let whole = indexed(&first, &commits);
        let stripped = index(&without_hidden(&after(&first, &commits), &visibility));
        for (ask, rest) in &asked {
            let search = search_of(ask, &visibility, rest);
            let (mut whole, mut stripped) = (whole.results(&search), stripped.results(&search));
            for results in [&mut whole, &mut stripped] {
                results.last_event = 0;
                // Sums of the same numbers in another order can differ in the last digit.
                results.hits.sort_by_key(|hit| hit.id);
                results.hits.retain(|_| rest.page.limit == 100);
            }
            for (left, right) in whole.hits.iter_mut().zip(&stripped.hits) {
                prop_assert!((left.score - right.score).abs() < 0.01, "{left:?} {right:?}");
                left.score = right.score;
            }
            prop_assert_eq!(whole, stripped);
        }
        for typed in begun {
            let of = |indexed: &Indexed| indexed.index.suggest(typed, &visibility, 9).unwrap();
            prop_assert_eq!(of(&whole), of(&stripped));
        }
    }
}
