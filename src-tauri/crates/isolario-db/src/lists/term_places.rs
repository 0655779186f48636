//! Terms as a tree: the table `term_place` has each live term below each live term above it, or at the top, in the order
//! of weight and name.

use rusqlite::params;

use super::cursor::{Cursor, Key, Page, Total};
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::terms::{MOST_COUNTED, TermRow};
use super::visible::{Viewer, visible};
use crate::{DbError, Write};

/// The order of terms below another one, as a cursor names it.
pub const PLACE_ORDER: &str = "term place";

/// The terms directly below a term.
#[derive(Debug, Clone)]
pub struct TermsBelow {
    pub vocabulary: String,
    /// 0 for the terms at the top.
    pub parent: i64,
}

/// A term of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedTerm {
    pub term: TermRow,
    pub weight: i64,
    /// Whether there are terms below it that the viewer may view.
    pub has_below: bool,
}

impl Lists<'_> {
    /// One page of the terms directly below a term, by weight and name.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn terms_below(
        &self,
        below: &TermsBelow,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<PlacedTerm>, DbError> {
        let mut query = Query::new(
            "SELECT t.id, t.uuid, t.label, t.bundle, x.weight FROM term_place x CROSS JOIN taxonomy_term t ON t.id = x.id
             WHERE x.vocabulary = ? AND x.parent = ?",
        );
        query.bind(below.vocabulary.clone()).bind(below.parent);
        query.and(&visible("t", viewer.terms));
        if let Some(Cursor {
            key: Key::Name(name, weight),
            id,
            ..
        }) = after
        {
            query.push("AND (x.weight, x.name, x.id) > (?, ?, ?)");
            query.bind(*weight).bind(name.clone()).bind(*id);
        }
        query.push("ORDER BY x.weight, x.name, x.id LIMIT ?");
        query.bind(i64::try_from(limit + 1).unwrap_or(i64::MAX));
        let mut placed = self.placed(&query)?;
        let more = placed.len() > limit;
        placed.truncate(limit);
        let next = placed.last().filter(|_| more).map(|last| Cursor {
            order: PLACE_ORDER.into(),
            key: Key::Name(last.term.name.clone(), last.weight),
            id: last.term.tid,
        });
        for place in &mut placed {
            self.add_facts(std::slice::from_mut(&mut place.term), viewer)?;
            place.has_below = self.has_below(&below.vocabulary, place.term.tid, viewer)?;
        }
        let total = self.count_below(below, viewer)?;
        Ok(Page {
            rows: placed,
            next,
            total,
        })
    }

    fn placed(&self, query: &Query) -> Result<Vec<PlacedTerm>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let rows = statement.query_map(rusqlite::params_from_iter(&query.values), |row| {
            Ok(PlacedTerm {
                term: TermRow {
                    tid: row.get(0)?,
                    uuid: row.get(1)?,
                    name: row.get(2)?,
                    vocabulary: row.get(3)?,
                    uri: None,
                    uses: 0,
                },
                weight: row.get(4)?,
                has_below: false,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn has_below(&self, vocabulary: &str, tid: i64, viewer: &Viewer) -> Result<bool, DbError> {
        let mut query = Query::new(
            "SELECT EXISTS (SELECT 1 FROM term_place x CROSS JOIN taxonomy_term t ON t.id = x.id
             WHERE x.vocabulary = ? AND x.parent = ?",
        );
        query.bind(vocabulary.to_owned()).bind(tid);
        query.and(&visible("t", viewer.terms));
        query.push(")");
        Ok(self.number(&query)? > 0)
    }

    fn count_below(&self, below: &TermsBelow, viewer: &Viewer) -> Result<Total, DbError> {
        let mut query = Query::new(
            "SELECT t.id FROM term_place x CROSS JOIN taxonomy_term t ON t.id = x.id
             WHERE x.vocabulary = ? AND x.parent = ?",
        );
        query.bind(below.vocabulary.clone()).bind(below.parent);
        query.and(&visible("t", viewer.terms));
        let count = self.count_up_to(&query, MOST_COUNTED + 1)?;
        Ok(Total {
            count: count.min(MOST_COUNTED),
            is_exact: count <= MOST_COUNTED,
        })
    }
}

impl Write<'_> {
    /// Replaces the places of a term. When it has come or gone, what is below it changes its place too.
    pub(super) fn place_term(&mut self, tid: i64) -> Result<(), DbError> {
        let (stood, stands) = self.replace_places(tid)?;
        if stood == stands {
            return Ok(());
        }
        let below = self.ids(
            "SELECT id FROM field_reference WHERE target_id = ?1 AND target_kind = 'taxonomy_term'
             AND kind = 'taxonomy_term' AND field = 'parent'",
            tid,
        )?;
        for other in below {
            self.replace_places(other)?;
        }
        Ok(())
    }

    /// Returns whether the term had places, and has some now.
    fn replace_places(&mut self, tid: i64) -> Result<(bool, bool), DbError> {
        let mut delete = self
            .connection
            .prepare_cached("DELETE FROM term_place WHERE id = ?1")?;
        let stood = delete.execute([tid])? > 0;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO term_place
             SELECT DISTINCT t.bundle, coalesce(p.id, 0),
               coalesce(CAST(t.document ->> '$.weight[0].value' AS INTEGER), 0), t.label, t.id
             FROM taxonomy_term t
             LEFT JOIN field_reference r ON r.kind = 'taxonomy_term' AND r.id = t.id AND r.field = 'parent'
               AND EXISTS (SELECT 1 FROM taxonomy_term a WHERE a.id = r.target_id AND a.deleted IS NULL)
             LEFT JOIN taxonomy_term p ON p.id = r.target_id AND p.deleted IS NULL
             WHERE t.id = ?1 AND t.deleted IS NULL",
        )?;
        Ok((stood, insert.execute(params![tid])? > 0))
    }
}
