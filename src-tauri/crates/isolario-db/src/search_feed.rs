//! What the index of searches is made of and follows: which items there are, and which a change of something else
//! concerns.

use rusqlite::{OptionalExtension, params};

use super::entity::table;
use super::{DbError, Read};
use isolario_model::content::{EntityKind, field_roles};

impl Read<'_> {
    /// Live nodes after an id, in order, at most `limit`.
    pub fn nodes_after(&self, id: i64, limit: usize) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM node WHERE id > ?1 AND deleted IS NULL ORDER BY id LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let ids = statement.query_map([id, limit], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Published live nodes after an id and up to `count` ids further, in order, with the time of their last change (Unix
    /// seconds).
    pub fn public_nodes(&self, after: i64, count: i64) -> Result<Vec<(i64, i64)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, changed FROM node WHERE id > ?1 AND id <= ?2 AND deleted IS NULL AND published ORDER BY id",
        )?;
        let nodes = statement.query_map([after, after.saturating_add(count)], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok(nodes.collect::<Result<_, _>>()?)
    }

    /// The number of the newest node, deleted or not.
    pub fn last_node(&self) -> Result<i64, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT ifnull(max(id), 0) FROM node")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Whether the table of events has an event.
    pub fn has_event(&self, id: i64) -> Result<bool, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM event WHERE id = ?1")?;
        Ok(statement.exists([id])?)
    }

    /// The live nodes that refer to a term, a node or a media, in any field.
    pub fn nodes_referring_to(&self, kind: EntityKind, id: i64) -> Result<Vec<i64>, DbError> {
        self.referring(EntityKind::Node, kind, id)
    }

    /// The nodes of the live media that refer to a term in any field.
    pub fn nodes_of_media_with_term(&self, tid: i64) -> Result<Vec<i64>, DbError> {
        let media = self.referring(EntityKind::Media, EntityKind::Term, tid)?;
        let nodes = media.into_iter().map(|mid| self.nodes_of_media(mid));
        Ok(nodes.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn referring(
        &self,
        kind: EntityKind,
        target_kind: EntityKind,
        target: i64,
    ) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT id FROM field_reference INDEXED BY field_reference_target
             WHERE target_id = ?1 AND target_kind = ?2 AND kind = ?3",
        )?;
        let asked = params![target, target_kind.target_type(), kind.target_type()];
        let ids = statement.query_map(asked, |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Everything below a node, whoever may see it, each once.
    pub fn nodes_below(&self, nid: i64) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "WITH RECURSIVE below (id) AS (
               SELECT id FROM field_reference INDEXED BY field_reference_target
               WHERE target_id = ?1 AND target_kind = 'node' AND kind = 'node' AND field = ?2
               UNION
               SELECT r.id FROM below CROSS JOIN field_reference r INDEXED BY field_reference_target
                 ON r.target_id = below.id AND r.target_kind = 'node' AND r.kind = 'node' AND r.field = ?2
             ) SELECT id FROM below",
        )?;
        let ids = statement.query_map(params![nid, field_roles().member_of], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The revision of a resource before one of its revisions.
    pub fn revision_before(
        &self,
        kind: EntityKind,
        id: i64,
        revision: i64,
    ) -> Result<Option<i64>, DbError> {
        let sql = format!(
            "SELECT revision FROM {}_revision WHERE id = ?1 AND revision < ?2 ORDER BY revision DESC LIMIT 1",
            table(kind)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_row([id, revision], |row| row.get(0));
        Ok(found.optional()?)
    }
}
