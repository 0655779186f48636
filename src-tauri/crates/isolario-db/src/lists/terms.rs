//! Lists terms by vocabulary, and by a typed text: first the names that begin with the text, then the names with a word
//! that does.

use super::cursor::{Cursor, Key, Page, Total};
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::term_words::words_of;
use super::visible::{Viewer, visible};
use crate::{DbError, Read};

/// A term as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct TermRow {
    pub tid: i64,
    pub uuid: String,
    pub name: String,
    pub vocabulary: String,
    pub uri: Option<String>,
    /// Nodes, media and terms that refer to it and that the viewer may see.
    pub uses: i64,
}

/// Selects the terms of a list.
#[derive(Debug, Clone, Default)]
pub struct TermFilter {
    pub vocabularies: Vec<String>,
    /// The typed text; empty for all terms.
    pub text: String,
}

/// The two halves of a list of terms, as a cursor names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Beginning,
    Within,
}

impl Half {
    fn order(self) -> &'static str {
        match self {
            Half::Beginning => TERM_ORDERS[0],
            Half::Within => TERM_ORDERS[1],
        }
    }
}

/// The orders that a cursor for terms may name.
pub const TERM_ORDERS: [&str; 2] = ["term beginning", "term within"];

pub(super) const MOST_COUNTED: i64 = 10_000;
/// Sorts after every other text.
const LAST: char = '\u{10ffff}';

impl Lists<'_> {
    /// One page of terms by name.
    pub fn term_page(
        &self,
        terms: &TermFilter,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<TermRow>, DbError> {
        let mut found = Vec::new();
        for half in halves(terms, after) {
            // A cursor from the first half says nothing about the second.
            let start = after.filter(|cursor| cursor.order == half.order());
            let rows = self.half(half, terms, viewer, start, limit + 1 - found.len())?;
            found.extend(rows.into_iter().map(|row| (half, row)));
        }
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(half, row)| Cursor {
            order: half.order().into(),
            key: Key::Text(row.name.clone()),
            id: row.tid,
        });
        let mut rows: Vec<TermRow> = found.into_iter().map(|(_, row)| row).collect();
        self.add_facts(&mut rows, viewer)?;
        let total = self.term_total(terms, viewer)?;
        Ok(Page { rows, next, total })
    }

    fn half(
        &self,
        half: Half,
        terms: &TermFilter,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<TermRow>, DbError> {
        let mut rows = Vec::new();
        for vocabulary in &terms.vocabularies {
            let Some(mut query) = half_query(half, vocabulary, &terms.text, viewer) else {
                continue;
            };
            page(&mut query, after, limit);
            rows.extend(self.term_rows(&query)?);
        }
        rows.sort_by_cached_key(|row| (row.name.to_ascii_lowercase(), row.tid));
        rows.truncate(limit);
        Ok(rows)
    }

    /// Whether there is a term for the viewer.
    pub(super) fn has_term(&self, tid: i64, viewer: &Viewer) -> Result<bool, DbError> {
        let mut query = Query::with(
            "SELECT count(*) FROM taxonomy_term t WHERE t.id = ? AND t.deleted IS NULL",
            &[tid],
        );
        query.and(&visible("t", viewer.terms));
        Ok(self.number(&query)? > 0)
    }

    pub(super) fn term_rows(&self, query: &Query) -> Result<Vec<TermRow>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let rows = statement.query_map(rusqlite::params_from_iter(&query.values), |row| {
            Ok(TermRow {
                tid: row.get(0)?,
                uuid: row.get(1)?,
                name: row.get(2)?,
                vocabulary: row.get(3)?,
                uri: None,
                uses: 0,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn add_facts(&self, rows: &mut [TermRow], viewer: &Viewer) -> Result<(), DbError> {
        for row in rows {
            row.uri = self.external_uri(row.tid)?;
            row.uses = self.uses_of_term(row.tid, viewer)?;
        }
        Ok(())
    }

    fn term_total(&self, terms: &TermFilter, viewer: &Viewer) -> Result<Total, DbError> {
        let mut total = Total::exact(0);
        for vocabulary in &terms.vocabularies {
            for half in halves(terms, None) {
                if let Some(query) = half_query(half, vocabulary, &terms.text, viewer) {
                    total.count += self.count_up_to(&query, MOST_COUNTED + 1)?;
                }
            }
        }
        total.is_exact = total.count <= MOST_COUNTED;
        total.count = total.count.min(MOST_COUNTED);
        Ok(total)
    }
}

impl Read<'_> {
    /// All terms of a vocabulary that the viewer may view, by name. For vocabularies that a form shows completely.
    pub fn whole_vocabulary(
        &self,
        vocabulary: &str,
        viewer: &Viewer,
    ) -> Result<Vec<super::TermName>, DbError> {
        let mut query = Query::new(
            "SELECT t.id, t.label FROM taxonomy_term t INDEXED BY term_label WHERE t.bundle = ? AND t.deleted IS NULL",
        );
        query.bind(vocabulary.to_owned());
        query.and(&visible("t", viewer.terms));
        query.push("ORDER BY t.label COLLATE NOCASE, t.id");
        self.term_names(&query)
    }
}

fn halves(terms: &TermFilter, after: Option<&Cursor>) -> Vec<Half> {
    if terms.text.trim().is_empty() {
        vec![Half::Beginning]
    } else if after.is_some_and(|cursor| cursor.order == Half::Within.order()) {
        vec![Half::Within]
    } else {
        vec![Half::Beginning, Half::Within]
    }
}

fn terms_in(vocabulary: &str) -> Query {
    let mut query = Query::new(
        "SELECT t.id, t.uuid, t.label, t.bundle FROM taxonomy_term t INDEXED BY term_label
         WHERE t.bundle = ? AND t.deleted IS NULL",
    );
    query.bind(vocabulary.to_owned());
    query
}

/// The terms of a vocabulary that the viewer may view.
pub(super) fn vocabulary_query(vocabulary: &str, viewer: &Viewer) -> Query {
    let mut query = terms_in(vocabulary);
    query.and(&visible("t", viewer.terms));
    query
}

/// The terms of one vocabulary in one half of the list, `None` when there can be none.
fn half_query(half: Half, vocabulary: &str, typed: &str, viewer: &Viewer) -> Option<Query> {
    let typed = typed.trim();
    let begins = "t.label >= ? COLLATE NOCASE AND t.label < ? COLLATE NOCASE";
    let mut query = Query::default();
    match half {
        Half::Beginning => {
            query = terms_in(vocabulary);
            if !typed.is_empty() {
                query.push("AND").push(begins);
            }
        }
        Half::Within => {
            query.push("SELECT t.id, t.uuid, t.label, t.bundle FROM (SELECT f.rowid AS id FROM term_text f WHERE f.term_text MATCH ?) c
                 CROSS JOIN taxonomy_term t ON t.id = c.id WHERE t.bundle = ? AND t.deleted IS NULL");
            query.bind(words_of(typed)?).bind(vocabulary.to_owned());
            query.push(&format!("AND NOT ({begins})"));
        }
    }
    if !typed.is_empty() {
        query.bind(typed.to_owned()).bind(format!("{typed}{LAST}"));
    }
    query.and(&visible("t", viewer.terms));
    Some(query)
}

/// Cuts a page out of a list of terms by name.
pub(super) fn page(query: &mut Query, after: Option<&Cursor>, limit: usize) {
    if let Some(cursor) = after {
        query
            .push("AND (t.label COLLATE NOCASE, t.id) > (?, ?)")
            .bind(cursor.key.clone())
            .bind(cursor.id);
    }
    query.push("ORDER BY t.label COLLATE NOCASE, t.id LIMIT ?");
    query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
}
