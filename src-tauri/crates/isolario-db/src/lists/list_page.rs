//! Reads one page of a list of nodes. The rows come from the index of the list's order. Where a filter leaves few
//! nodes, these are sorted instead.

use super::count::NodeSelection;
use super::cursor::{Cursor, Key, Page, Total};
use super::filter::{Filter, SizeEstimate};
use super::list_id::ListId;
use super::list_query::ListQuery;
use super::list_sql::RowSource;
use super::page_start::{Span, Start};
use super::sql_parts::{FEW, Query};
use crate::{DbError, Read};

type SortedRow = (Key, i64);

impl Read<'_> {
    /// Node ids of a page.
    pub(super) fn listing_page(
        &self,
        list_query: &ListQuery,
        start: &Start,
        limit: usize,
    ) -> Result<Page<i64>, DbError> {
        if list_query.visibility.is_nothing() {
            return Ok(Page::empty());
        }
        let sources = self.sources(list_query)?;
        let mut found = self.found(list_query, &sources, start, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(key, id)| Cursor {
            order: list_query.order.name(),
            key: key.clone(),
            id: *id,
        });
        let total = match start {
            Start::At(skipped) if !more => self.walked(&sources, *skipped, found.len())?,
            _ => self.total(list_query, &sources)?,
        };
        Ok(Page {
            rows: found.into_iter().map(|(_, id)| id).collect(),
            next,
            total,
        })
    }

    /// The length of a list whose last row was read.
    fn walked(&self, sources: &[RowSource], skipped: i64, rows: usize) -> Result<Total, DbError> {
        let rows = i64::try_from(rows).unwrap_or(i64::MAX);
        if rows > 0 || skipped == 0 {
            return Ok(Total::exact(skipped.saturating_add(rows)));
        }
        let counts = sources.iter().map(|source| self.number(&source.count()));
        Ok(Total::exact(counts.sum::<Result<i64, DbError>>()?))
    }

    fn found(
        &self,
        list_query: &ListQuery,
        sources: &[RowSource],
        start: &Start,
        limit: usize,
    ) -> Result<Vec<SortedRow>, DbError> {
        let (after, mut skipped) = (start.cursor(), start.skipped());
        let mut found = Vec::new();
        for stretch in list_query.order.stretches(after) {
            let missing = limit - found.len();
            if missing == 0 {
                break;
            }
            let span = Span {
                stretch,
                after,
                skipped,
                limit: missing,
            };
            let rows = self.rows_of(list_query, sources, &span)?;
            if rows.is_empty() && skipped > 0 {
                for source in sources {
                    skipped -= self.number(&source.count_stretch(list_query, stretch, None))?;
                }
                skipped = skipped.max(0);
            } else {
                skipped = 0;
            }
            found.extend(rows);
        }
        Ok(found)
    }

    /// The rows of a span, of all sources as one sorted list.
    fn rows_of(
        &self,
        list_query: &ListQuery,
        sources: &[RowSource],
        span: &Span<'_>,
    ) -> Result<Vec<SortedRow>, DbError> {
        let Some((main, others)) = sources.split_first() else {
            return Ok(Vec::new());
        };
        let mut rows = Vec::new();
        for source in others {
            rows.extend(self.keys(&source.page(list_query, &span.unskipped()))?);
        }
        // Of the main source, rows may be passed over as far as those of the others cannot make up for.
        let few = i64::try_from(rows.len())
            .unwrap_or(i64::MAX)
            .min(span.skipped);
        let main_span = Span {
            skipped: span.skipped - few,
            limit: span.limit + usize::try_from(few).unwrap_or(0),
            ..*span
        };
        rows.extend(self.keys(&main.page(list_query, &main_span))?);
        let all = merged(rows, list_query.order.descending, usize::MAX);
        let first = usize::try_from(few).unwrap_or(0);
        Ok(all.into_iter().skip(first).take(span.limit).collect())
    }

    pub(super) fn keys(&self, query: &Query) -> Result<Vec<SortedRow>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let has_term = statement.column_count() > 2;
        let rows = statement.query_map(rusqlite::params_from_iter(&query.values), |row| {
            let key = match row.get_ref(0)? {
                rusqlite::types::ValueRef::Integer(number) => Key::Number(number),
                rusqlite::types::ValueRef::Text(text) => {
                    let text = String::from_utf8_lossy(text).into_owned();
                    match has_term {
                        true => Key::Name(text, row.get(2)?),
                        false => Key::Text(text),
                    }
                }
                _ => Key::None,
            };
            Ok((key, row.get(1)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn sources(&self, list_query: &ListQuery) -> Result<Vec<RowSource>, DbError> {
        let length = self.length_of_list(list_query.list, list_query.counted)?;
        let sizes = self.sizes(list_query, length)?;
        let few = sizes.iter().enumerate().filter(|(_, size)| **size <= FEW);
        // Of a short list there is nothing to choose.
        let rarest = few.filter(|_| length > FEW).min_by_key(|(_, size)| **size);
        let chosen = rarest.map(|(number, _)| number);
        let others = list_query.filters.iter().enumerate();
        let others = others
            .filter(|(number, _)| Some(*number) != chosen)
            .map(|(_, filter)| &filter.condition);
        let mut sources = vec![RowSource {
            list: list_query.list,
            is_short: length <= FEW,
            candidates: chosen.map(|number| list_query.filters[number].candidates.clone()),
            conditions: conditions(list_query, others),
        }];
        if let Some(also) = &list_query.also {
            let filters = list_query.filters.iter();
            sources.push(RowSource {
                list: ListId::All,
                is_short: true,
                candidates: Some(also.clone()),
                conditions: conditions(list_query, filters.map(|filter| &filter.condition)),
            });
        }
        Ok(sources)
    }

    /// How many nodes fit each filter, as far as that matters.
    fn sizes(&self, list_query: &ListQuery, length: i64) -> Result<Vec<i64>, DbError> {
        let (list, counted) = (list_query.list, list_query.counted);
        let size = |filter: &Filter| match &filter.size {
            _ if length <= FEW => Ok(length),
            SizeEstimate::Visible(visibility) => self.count_of_list(list, visibility, counted),
            SizeEstimate::Unpublished => Ok(length - self.published_in_list(list, counted)?),
            SizeEstimate::Candidates => self.count_up_to(&filter.candidates, FEW + 1),
            SizeEstimate::ListLength => Ok(length),
            SizeEstimate::Known(count) => Ok(*count),
        };
        list_query.filters.iter().map(size).collect()
    }

    fn total(&self, list_query: &ListQuery, sources: &[RowSource]) -> Result<Total, DbError> {
        let mut total = Total::exact(0);
        for source in sources {
            let part = self.source_total(list_query, source)?;
            total.count += part.count;
            total.is_exact &= part.is_exact;
        }
        Ok(total)
    }

    fn source_total(&self, list_query: &ListQuery, source: &RowSource) -> Result<Total, DbError> {
        let known = list_query.known();
        if source.candidates.is_some() {
            return Ok(Total::exact(self.number(&source.count())?));
        }
        // With visibility alone the kept counts answer.
        if list_query.filters.len() <= 1 {
            let count =
                self.count_of_list(source.list, &list_query.visibility, list_query.counted)?;
            return Ok(Total::exact(count));
        }
        let length = self.length_of_list(source.list, list_query.counted)?;
        if length <= FEW {
            return Ok(Total::exact(self.number(&source.count())?));
        }
        if let Some((count, filter)) = known {
            if list_query.filters.len() == 2 && source.list == ListId::All {
                return Ok(Total::exact(count));
            }
            let fitting = self.number(&source.count_in_candidates(&filter.candidates))?;
            return Ok(Total {
                count: count * fitting / FEW,
                is_exact: false,
            });
        }
        let fitting = self.number(&source.count_in_sample(list_query.counted))?;
        Ok(Total {
            count: length * fitting / FEW,
            is_exact: false,
        })
    }
}

fn conditions<'f>(list_query: &ListQuery, filters: impl Iterator<Item = &'f Query>) -> Query {
    let mut all = Query::new(match list_query.counted {
        NodeSelection::All => "1",
        NodeSelection::Collections => "l.is_collection = 1",
        NodeSelection::Others => "l.is_collection = 0",
    });
    for condition in filters {
        all.and(condition);
    }
    all
}

/// Rows of several sorted sources as one sorted list.
fn merged(mut rows: Vec<SortedRow>, descending: bool, limit: usize) -> Vec<SortedRow> {
    rows.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    if descending {
        rows.reverse();
    }
    rows.truncate(limit);
    rows
}
