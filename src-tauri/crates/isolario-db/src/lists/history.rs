//! The history of a resource, page by page, without the states that the viewer may not see.

use super::cursor::{Cursor, Key};
use super::sql_parts::Query;
use super::visible::{Viewer, visible_state};
use crate::entity::table;
use crate::revision::read_revision;
use crate::{DbError, Read, RevisionSummary};
use isolario_model::content::EntityKind;

/// The only order of histories: the newest first.
pub const HISTORY_ORDER: &str = "revision desc";

impl Read<'_> {
    /// One page of a resource's history, newest first, and where the next one starts.
    pub fn history_page(
        &self,
        kind: EntityKind,
        id: i64,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<RevisionSummary>, Option<Cursor>), DbError> {
        let before = after.map_or(i64::MAX, |cursor| cursor.id);
        let mut rows = self.revisions_before(kind, id, viewer, before, limit + 1)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| Cursor {
            order: HISTORY_ORDER.into(),
            key: Key::None,
            id: row.revision,
        });
        Ok((rows, next))
    }

    /// The states of a resource before a revision, newest first, at most `limit`.
    pub fn revisions_before(
        &self,
        kind: EntityKind,
        id: i64,
        viewer: &Viewer,
        before: i64,
        limit: usize,
    ) -> Result<Vec<RevisionSummary>, DbError> {
        let mut query = Query::with(
            &format!(
                "SELECT revision, made, author, origin, log, batch FROM (
                   SELECT id, revision, made, author, origin, log, batch,
                     document ->> '$.status[0].value' AS published,
                     document ->> '$.uid[0].target_id' AS owner, document
                   FROM {}_revision WHERE id = ? AND revision < ?) y WHERE 1",
                table(kind)
            ),
            &[id, before],
        );
        query.and(&visible_state("y", kind, viewer));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        query.push("ORDER BY revision DESC LIMIT ?").bind(limit);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let rows = statement.query_map(rusqlite::params_from_iter(&query.values), read_revision)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
