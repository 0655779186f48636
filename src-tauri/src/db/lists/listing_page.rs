//! One page of a list of nodes: a bounded walk along the index of its order, or, where a filter
//! leaves few nodes, those few sorted.

use super::count::Counted;
use super::cursor::{Cursor, Key, Page, Total};
use super::filter::{Filter, Size};
use super::order::{Order, Stretch};
use super::place::Place;
use super::query::Query;
use crate::auth::Visibility;
use crate::db::{DbError, Read};

/// A list of nodes, as precisely as it can be asked for.
pub(super) struct Question {
    pub(super) place: Place,
    pub(super) counted: Counted,
    pub(super) visibility: Visibility,
    /// Visibility first.
    pub(super) filters: Vec<Filter>,
    /// SELECT of one column `id`: nodes that stand in the list for this viewer only, because what
    /// would keep them out is hidden from them.
    pub(super) also: Option<Query>,
    pub(super) order: Order,
}

/// Few enough nodes to sort, or to look at one by one for a total.
const FEW: i64 = 10_000;
/// Of more nodes that have the words, each row is asked for itself.
const COMMON: i64 = 100_000;

/// Where rows come from: a place, and where that is cheaper the candidates of one filter.
pub(super) struct Source {
    place: Place,
    candidates: Option<Query>,
    /// The conditions that the candidates do not already fulfil.
    conditions: Query,
    /// How many nodes have the words that are asked for, if any.
    with_words: Option<WithWords>,
}

/// How many nodes have some words.
#[derive(Clone, Copy)]
enum WithWords {
    /// So many, and nothing else is asked of them.
    Exactly(i64),
    /// More than are counted.
    Common,
}

type Found = (Key, i64);

impl Read<'_> {
    /// Node ids of a page.
    pub(super) fn listing_page(
        &self,
        question: &Question,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<i64>, DbError> {
        if question.visibility == Visibility::Nothing {
            return Ok(Page::empty());
        }
        let sources = self.sources(question)?;
        let mut found = self.found(question, &sources, after, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(key, id)| Cursor {
            order: question.order.name(),
            key: key.clone(),
            id: *id,
        });
        Ok(Page {
            rows: found.into_iter().map(|(_, id)| id).collect(),
            next,
            total: self.total(question, &sources)?,
        })
    }

    fn found(
        &self,
        question: &Question,
        sources: &[Source],
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<Found>, DbError> {
        let mut found = Vec::new();
        for stretch in question.order.stretches(after) {
            let missing = limit - found.len();
            if missing == 0 {
                break;
            }
            let mut rows = Vec::new();
            for source in sources {
                let query = source.page(question, stretch, after, missing);
                rows.extend(self.keys(&query)?);
            }
            found.extend(merged(rows, question.order.descending, missing));
        }
        Ok(found)
    }

    fn keys(&self, query: &Query) -> Result<Vec<Found>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let rows = statement.query_map(rusqlite::params_from_iter(&query.values), |row| {
            let key = match row.get_ref(0)? {
                rusqlite::types::ValueRef::Integer(number) => Key::Number(number),
                rusqlite::types::ValueRef::Text(text) => {
                    Key::Text(String::from_utf8_lossy(text).into_owned())
                }
                _ => Key::None,
            };
            Ok((key, row.get(1)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn sources(&self, question: &Question) -> Result<Vec<Source>, DbError> {
        let everything = Visibility::Everything;
        let length = self.place_count(question.place, everything, question.counted)?;
        let sizes = self.sizes(question, length)?;
        let few = sizes.iter().enumerate().filter(|(_, size)| **size <= FEW);
        // Of a short list there is nothing to choose.
        let rarest = few.filter(|_| length > FEW).min_by_key(|(_, size)| **size);
        let chosen = rarest.map(|(number, _)| number);
        let others = question.filters.iter().zip(&sizes).enumerate();
        let others = others
            .filter(|(number, _)| Some(*number) != chosen)
            .map(|(_, (filter, size))| filter.condition_for(*size));
        let mut sources = vec![Source {
            place: question.place,
            candidates: chosen.map(|number| question.filters[number].candidates.clone()),
            conditions: conditions(question, others),
            with_words: with_words(question, &sizes, length),
        }];
        if let Some(also) = &question.also {
            let filters = question.filters.iter();
            sources.push(Source {
                place: Place::All,
                candidates: Some(also.clone()),
                conditions: conditions(question, filters.map(|filter| &filter.condition)),
                with_words: None,
            });
        }
        Ok(sources)
    }

    /// How many nodes fit each filter, as far as that matters.
    fn sizes(&self, question: &Question, length: i64) -> Result<Vec<i64>, DbError> {
        let (place, counted) = (question.place, question.counted);
        let size = |filter: &Filter| match &filter.size {
            _ if length <= FEW => Ok(length),
            Size::SeenWith(visibility) => self.place_count(place, *visibility, counted),
            Size::Unpublished => {
                Ok(length - self.place_count(place, Visibility::Published, counted)?)
            }
            Size::Counted => self.count_up_to(&filter.candidates, FEW + 1),
            Size::Words { .. } => self.count_up_to(&filter.candidates, COMMON + 1),
        };
        question.filters.iter().map(size).collect()
    }

    fn total(&self, question: &Question, sources: &[Source]) -> Result<Total, DbError> {
        let mut total = Total::exact(0);
        for source in sources {
            let part = self.source_total(question, source)?;
            total.count += part.count;
            total.is_exact &= part.is_exact;
        }
        Ok(total)
    }

    fn source_total(&self, question: &Question, source: &Source) -> Result<Total, DbError> {
        match source.with_words {
            Some(WithWords::Exactly(count)) => return Ok(Total::exact(count)),
            Some(WithWords::Common) if source.candidates.is_none() => {
                let (count, is_exact) = (COMMON, false);
                return Ok(Total { count, is_exact });
            }
            _ => {}
        }
        if source.candidates.is_some() {
            return Ok(Total::exact(self.number(&source.count())?));
        }
        // With visibility alone the kept counts answer.
        if question.filters.len() <= 1 {
            let count = self.place_count(source.place, question.visibility, question.counted)?;
            return Ok(Total::exact(count));
        }
        let length = self.place_count(source.place, Visibility::Everything, question.counted)?;
        if length <= FEW {
            return Ok(Total::exact(self.number(&source.count())?));
        }
        let fitting = self.number(&source.count_in_sample(question.counted))?;
        Ok(Total {
            count: length * fitting / FEW,
            is_exact: false,
        })
    }
}

impl Filter {
    /// Whether a row fits, when so many nodes do.
    fn condition_for(&self, size: i64) -> &Query {
        match &self.size {
            Size::Words { of_row } if size > COMMON => of_row,
            _ => &self.condition,
        }
    }
}

fn with_words(question: &Question, sizes: &[i64], length: i64) -> Option<WithWords> {
    let mut found = question.filters.iter().zip(sizes);
    let (_, size) = found.find(|(filter, _)| matches!(filter.size, Size::Words { .. }))?;
    // What is seen by all is a filter too, the first.
    let is_all = question.place == Place::All
        && question.visibility == Visibility::Everything
        && question.filters.len() == 2;
    match *size {
        size if size > COMMON => Some(WithWords::Common),
        size if is_all && length > FEW => Some(WithWords::Exactly(size)),
        _ => None,
    }
}

fn conditions<'f>(question: &Question, filters: impl Iterator<Item = &'f Query>) -> Query {
    let mut all = Query::new(match question.counted {
        Counted::All => "1",
        Counted::Collections => "l.is_collection = 1",
        Counted::Others => "l.is_collection = 0",
    });
    for condition in filters {
        all.and(condition);
    }
    all
}

impl Source {
    pub(super) fn page(
        &self,
        question: &Question,
        stretch: Stretch,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Query {
        let mut query = Query::new("SELECT");
        query.push(&format!("l.{}, l.node FROM", question.order.sort.column()));
        query.append(&self.rows(question.index()));
        query.and(&question.order.after(stretch, after));
        query.push(&question.order.order_by(stretch));
        query
            .push("LIMIT ?")
            .bind(i64::try_from(limit).unwrap_or(i64::MAX));
        query
    }

    /// The rows of the source, from the given index unless candidates lead to them.
    fn rows(&self, index: &str) -> Query {
        let mut query = Query::default();
        match &self.candidates {
            Some(candidates) => query
                .push("(SELECT DISTINCT id FROM (")
                .append(candidates)
                .push(")) c CROSS JOIN listing l ON l.node = c.id"),
            None => query.push(&format!("listing l INDEXED BY {index}")),
        };
        let [list, of] = self.place.columns();
        query
            .push("WHERE l.list = ? AND l.of = ?")
            .bind(list)
            .bind(of);
        query.and(&self.conditions);
        query
    }

    fn count(&self) -> Query {
        let mut query = Query::new("SELECT count(*) FROM");
        query.append(&self.rows("listing_nid"));
        query
    }

    /// How many of the first rows fit.
    fn count_in_sample(&self, counted: Counted) -> Query {
        let index = if counted == Counted::Collections {
            "listing_collection"
        } else {
            "listing_nid"
        };
        let [list, of] = self.place.columns();
        let mut query = Query::new("SELECT count(*) FROM (SELECT * FROM listing INDEXED BY");
        query
            .push(index)
            .push("WHERE list = ? AND of = ?")
            .bind(list)
            .bind(of);
        if counted == Counted::Collections {
            query.push("AND is_collection = 1");
        }
        query
            .push("LIMIT ?) l WHERE")
            .bind(FEW)
            .append(&self.conditions);
        query
    }
}

impl Question {
    /// Whether the list holds nothing but what is published, or nothing but what is not.
    pub(super) fn is_all(&self, published: bool) -> bool {
        self.place == Place::Unpublished && !published
    }

    fn index(&self) -> &'static str {
        if self.counted == Counted::Collections {
            "listing_collection"
        } else {
            self.order.sort.index()
        }
    }
}

/// Rows of several sorted sources as one sorted list.
fn merged(mut rows: Vec<Found>, descending: bool, limit: usize) -> Vec<Found> {
    rows.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    if descending {
        rows.reverse();
    }
    rows.truncate(limit);
    rows
}
