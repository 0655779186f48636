//! Random documents, actors and queries, of few words so that much of it meets.

use isolario_model::policy::Visibility;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::support::{With, put};
use super::walk::{Ask, SIGNS, WORDS};
use crate::{
    Change, Choice, EXTRACTED_TEXT, LinkedKind, Order, Page, Restriction, SearchDocument, Source,
    TITLE, Visibilities, VisibleBelow,
};

/// The fields of the documents.
pub const FIELDS: &[&str] = &[TITLE, "field_subject", "file_name", EXTRACTED_TEXT];
/// The facets of the documents.
pub const FACETS: &[&str] = &["collection", "format"];
const VALUES: &[&str] = &["1", "2", "3"];
/// The names by which the fields are asked for, in the order of `FIELDS`.
pub const ASKED: &[&str] = &[TITLE, "subject", "file", EXTRACTED_TEXT];

fn words() -> Vec<&'static str> {
    let words = WORDS.iter().map(|(written, ..)| *written);
    words.chain(SIGNS.iter().copied()).collect()
}

fn visibility() -> impl Strategy<Value = Visibility> {
    prop_oneof![
        3 => Just(Visibility::Published),
        3 => Just(Visibility::Everything),
        4 => (1_i64..4).prop_map(Visibility::PublishedOrOwnedBy),
        1 => (1_i64..4).prop_map(Visibility::OwnedBy),
        1 => Just(Visibility::Nothing),
    ]
}

prop_compose! {
    /// Who asks.
    pub fn visibilities()(
        items in visibility(),
        media in visibility(),
        terms in visibility(),
        below in prop::option::weighted(0.4, (1_i64..4, subsequence(FACETS.to_vec(), 1..=2), visibility(), visibility(), prop::collection::hash_set(1_i64..4, 0..3))),
    ) -> Visibilities {
        let below = below.into_iter().map(|(id, facets, items, media, places)| VisibleBelow {
            id,
            facets: facets.into_iter().map(str::to_owned).collect(),
            items,
            media,
            places: std::sync::Arc::new(places),
        });
        Visibilities { items, media, terms, below: below.collect() }
    }
}

fn source() -> impl Strategy<Value = Source> {
    let kinds = select(&[LinkedKind::Item, LinkedKind::Media, LinkedKind::Term][..]);
    let linked =
        (kinds, any::<bool>(), 1_i64..4).prop_map(|(kind, published, owner)| Source::Linked {
            kind,
            published,
            owner,
        });
    prop_oneof![2 => Just(Source::Item), 3 => linked]
}

fn text() -> impl Strategy<Value = (&'static str, String, Source)> {
    let words = prop::collection::vec(select(words()), 1..5);
    (select(FIELDS), words, source()).prop_map(|(field, words, source)| {
        // The extracted text of an item itself is that of its media.
        let source = match (field, source) {
            (EXTRACTED_TEXT, Source::Item) => {
                let kind = LinkedKind::Media;
                Source::Linked {
                    kind,
                    published: true,
                    owner: 1,
                }
            }
            (_, source) => source,
        };
        (field, words.join(" "), source)
    })
}

prop_compose! {
    fn document()(
        published in any::<bool>(),
        owner in 1_i64..4,
        language in prop::option::of(select(&["en", "de", "xx"][..])),
        texts in prop::collection::vec(text(), 0..5),
        facets in prop::collection::vec((select(FACETS), select(VALUES), source()), 0..5),
        date in prop::option::of((0_i64..2_000, 0_i64..400)),
        numbers in (0_i64..5, 0_i64..5, 0_usize..5),
    ) -> SearchDocument {
        let mut document = SearchDocument {
            published,
            owner,
            language: language.map(str::to_owned),
            date: date.map(|(first, length)| (first, first + length)),
            created: numbers.0,
            changed: -numbers.1,
            title_key: "t".repeat(numbers.2),
            ..SearchDocument::default()
        };
        for (field, text, source) in texts {
            document = document.with_text(field, &text, source);
        }
        for (facet, value, source) in facets {
            document = document.with_value(facet, value, &format!("House {value}"), source);
        }
        document
    }
}

/// Documents as they are written one after the other, some of them over others, and some removed.
pub fn history() -> impl Strategy<Value = (Vec<SearchDocument>, Vec<Vec<Change>>)> {
    let change = (0_i64..30, prop::option::weighted(0.8, document())).prop_map(|(id, document)| {
        match document {
            Some(document) => put(SearchDocument { id, ..document }),
            None => Change::Delete(id),
        }
    });
    let commits = prop::collection::vec(prop::collection::vec(change, 1..6), 0..6);
    let first = prop::collection::vec(document(), 0..20).prop_map(|documents| {
        let numbered = (0..).zip(documents);
        numbered
            .map(|(id, document)| SearchDocument { id, ..document })
            .collect()
    });
    (first, commits)
}

/// What is asked.
pub fn ask() -> impl Strategy<Value = Ask> {
    let words = prop::collection::vec(select(words()), 1..3);
    let field = prop::option::of(select(ASKED));
    let leaf = prop_oneof![
        6 => (field, words, any::<bool>(), any::<bool>()).prop_map(
            |(field, words, is_quoted, is_prefix)| {
                let is_prefix = is_prefix && !is_quoted;
                Ask::Words { field, words, is_quoted, is_prefix }
            }
        ),
        1 => (0_i64..2_000, 0_i64..300).prop_map(|(first, days)| Ask::Date(first, first + days)),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        let parts = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            2 => parts.clone().prop_map(Ask::All),
            2 => parts.prop_map(Ask::Any),
            1 => inner.prop_map(|inner| Ask::Not(Box::new(inner))),
        ]
    })
}

/// What is asked beside the words.
#[derive(Debug, Clone)]
pub struct Rest {
    pub with_stems: bool,
    pub chosen: Vec<Choice>,
    pub dates: Option<(i64, i64)>,
    pub restriction: Restriction,
    pub order: Order,
    pub is_descending: bool,
    pub page: Page,
}

prop_compose! {
    /// What is asked beside the words.
    pub fn rest()(
        with_stems in any::<bool>(),
        chosen in prop::collection::vec((select(FACETS), subsequence(VALUES, 1..3)), 0..3),
        dates in prop::option::weighted(0.2, (0_i64..2_000, 0_i64..1_000)),
        restriction in prop_oneof![
            4 => Just(Restriction::None),
            1 => prop::collection::vec(0_i64..40, 0..20).prop_map(Restriction::Ids),
            1 => select(VALUES).prop_map(|value| Restriction::Value {
                facet: "collection".to_owned(),
                value: value.to_owned(),
            }),
        ],
        order in select(&[
            Order::Relevance, Order::Title, Order::Created, Order::Changed, Order::Date,
        ][..]),
        is_descending in any::<bool>(),
        (offset, limit) in prop_oneof![Just((0, 100)), (0_usize..20, 0_usize..10)],
    ) -> Rest {
        let choice = |(facet, values): (&str, Vec<&str>)| Choice {
            facet: facet.to_owned(),
            values: values.into_iter().map(str::to_owned).collect(),
        };
        Rest {
            with_stems,
            chosen: chosen.into_iter().map(choice).collect(),
            dates: dates.map(|(first, days)| (first, first + days)),
            restriction,
            order,
            is_descending,
            page: Page { offset, limit },
        }
    }
}
