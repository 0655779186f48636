//! Items of batches that are not known before they are changed: what an import brings. The items that were tried last.

use rusqlite::params;

use super::{BatchItem, BatchItemState, DbError, Read, Write};
use isolario_model::content::EntityKind;

impl Write<'_> {
    /// Appends what became of a resource. Only nodes are among those that the batch has counted beforehand.
    pub fn add_batch_outcome(
        &mut self,
        batch: i64,
        kind: EntityKind,
        id: i64,
        item: &BatchItem,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO batch_item (batch, position, kind, entity_id, state, before, after, parts, message)
                 SELECT ?1, ifnull(max(position), -1) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
                 FROM batch_item WHERE batch = ?1",
            )?
            .execute(params![
                batch,
                kind.target_type(),
                id,
                item.state.name(),
                item.revisions.map(|(before, _)| before),
                item.revisions.map(|(_, after)| after),
                item.parts,
                item.message,
            ])?;
        let is_further = kind != EntityKind::Node;
        self.connection
            .prepare_cached(
                "UPDATE batch SET total = max(total + ?2, done + 1), done = done + 1, changed = changed + ?3,
                   refused = refused + ?4 WHERE id = ?1",
            )?
            .execute(params![
                batch,
                is_further,
                item.state == BatchItemState::Changed,
                item.state == BatchItemState::Refused,
            ])?;
        Ok(())
    }

    /// Notes the newer revision of a resource that the batch has made or changed before. Returns whether it has.
    pub fn renew_batch_outcome(
        &mut self,
        batch: i64,
        kind: EntityKind,
        id: i64,
        revision: i64,
    ) -> Result<bool, DbError> {
        let renewed = self
            .connection
            .prepare_cached(
                "UPDATE batch_item SET after = ?4
                 WHERE batch = ?1 AND entity_id = ?3 AND kind = ?2 AND state = 'changed'",
            )?
            .execute(params![batch, kind.target_type(), id, revision])?;
        Ok(renewed > 0)
    }

    /// Whether a batch has made a resource.
    pub fn is_made_in_batch(&self, batch: i64, kind: EntityKind, id: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM batch_item
             WHERE batch = ?1 AND entity_id = ?2 AND kind = ?3 AND state = 'changed' AND parts IS NOT NULL",
        )?;
        Ok(statement.exists(params![batch, id, kind.target_type()])?)
    }

    /// Forgets what stayed or was refused, before a batch that broke off looks at everything again; `nodes` is how many
    /// it has counted.
    pub fn begin_batch_again(&mut self, batch: i64, nodes: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM batch_item WHERE batch = ?1 AND state <> 'changed'")?
            .execute([batch])?;
        self.connection
            .prepare_cached(
                "UPDATE batch SET refused = 0, changed = kept.all_kinds, done = kept.all_kinds,
                   total = ?2 + kept.further
                 FROM (SELECT count(*) AS all_kinds, count(*) FILTER (WHERE kind <> 'node') AS further
                   FROM batch_item WHERE batch = ?1) AS kept
                 WHERE id = ?1",
            )?
            .execute([batch, nodes])?;
        Ok(())
    }

    /// Ends a batch of which nothing is left, however many items were expected.
    pub fn complete_batch(&mut self, batch: i64, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE batch SET total = done, state = 'done', ended = ?2 WHERE id = ?1 AND ended IS NULL",
            )?
            .execute([batch, at])?;
        Ok(())
    }
}

impl Read<'_> {
    /// Items of a batch before a position, the last one first, at most `limit`.
    pub fn batch_items_before(
        &self,
        batch: i64,
        before: i64,
        limit: usize,
    ) -> Result<Vec<BatchItem>, DbError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.items_where(
            "position < ?2 ORDER BY position DESC LIMIT ?3",
            &[&batch, &before, &limit],
        )
    }
}
