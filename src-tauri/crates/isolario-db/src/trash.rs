//! Table `trash`: the resources and files that are deleted and can be restored.

use rusqlite::{OptionalExtension, Row, params};

use super::entity::table;
use super::permitted::require;
use super::{DbError, Read, Write};
use isolario_model::content::record::Trashing;
use isolario_model::content::{Entity, EntityKind, FileRecord, field_roles};
use isolario_model::policy::{Operation, PermittedChange};

/// Who deleted something, and when.
#[derive(Debug, Clone)]
pub struct Deletion<'a> {
    /// Unix seconds.
    pub at: i64,
    /// User id.
    pub actor: i64,
    pub origin: &'a str,
}

/// An entry of the trash.
#[derive(Debug, Clone, PartialEq)]
pub struct TrashRow {
    /// Counts deletions.
    pub number: i64,
    pub kind: EntityKind,
    pub id: i64,
    /// Unix seconds.
    pub at: i64,
    /// User id of who deleted it.
    pub actor: i64,
    pub origin: String,
    /// The item with which it was deleted, and with which it is restored.
    pub item: Option<i64>,
}

/// A resource or file in the trash, in its last state.
#[derive(Debug, Clone, PartialEq)]
pub enum TrashContent {
    Entity(Entity),
    File(FileRecord),
}

impl TrashContent {
    /// The label that people saw.
    pub fn label(&self) -> &str {
        match self {
            TrashContent::Entity(entity) => entity.label(),
            TrashContent::File(file) => &file.filename,
        }
    }

    /// Its kind and id.
    pub fn target(&self) -> (EntityKind, i64) {
        match self {
            TrashContent::Entity(entity) => (entity.kind, entity.id),
            TrashContent::File(file) => (EntityKind::File, file.fid),
        }
    }

    /// The revision of a resource, or the version of a file.
    pub fn revision(&self) -> i64 {
        match self {
            TrashContent::Entity(entity) => entity.revision,
            TrashContent::File(file) => file.version,
        }
    }
}

const COLUMNS: &str = "id, kind, entity_id, at, actor, origin, item";

impl Read<'_> {
    /// The entries before the one of that number, the newest first, at most `limit`.
    pub fn trash_before(
        &self,
        number: i64,
        kind: Option<EntityKind>,
        limit: usize,
    ) -> Result<Vec<TrashRow>, DbError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM trash WHERE id < ?1 AND (?2 IS NULL OR kind = ?2)
             ORDER BY id DESC LIMIT ?3"
        ))?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let kind = kind.map(EntityKind::target_type);
        let rows = statement.query_map(params![number, kind, limit], read_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One entry of the trash.
    pub fn trash_row(&self, kind: EntityKind, id: i64) -> Result<Option<TrashRow>, DbError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM trash WHERE kind = ?1 AND entity_id = ?2"
        ))?;
        Ok(statement
            .query_row(params![kind.target_type(), id], read_row)
            .optional()?)
    }

    /// The trash entry of a resource or file for its record, if it is in the trash.
    pub(super) fn trashing(&self, kind: EntityKind, id: i64) -> Result<Option<Trashing>, DbError> {
        Ok(self.trash_row(kind, id)?.map(|row| Trashing {
            number: row.number,
            at: row.at,
            actor: row.actor,
            origin: row.origin,
            item: row.item,
        }))
    }

    /// The entries that were deleted with an item, in the order of deletion.
    pub fn trashed_with(&self, nid: i64) -> Result<Vec<TrashRow>, DbError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM trash WHERE item = ?1 ORDER BY id"
        ))?;
        let rows = statement.query_map([nid], read_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The resource or file of an entry, in its last state.
    pub fn trashed(&self, row: &TrashRow) -> Result<Option<TrashContent>, DbError> {
        Ok(match row.kind {
            EntityKind::File => self.deleted_file(row.id)?.map(TrashContent::File),
            kind => self.deleted_entity(kind, row.id)?.map(TrashContent::Entity),
        })
    }
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<TrashRow> {
    let kind: String = row.get(1)?;
    Ok(TrashRow {
        number: row.get(0)?,
        kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
        id: row.get(2)?,
        at: row.get(3)?,
        actor: row.get(4)?,
        origin: row.get(5)?,
        item: row.get(6)?,
    })
}

impl<'t> Write<'t> {
    /// Deletes a node, media or term: it goes to the trash and keeps its revisions.
    pub fn mark_deleted(
        &mut self,
        permitted: &PermittedChange<'t>,
        kind: EntityKind,
        id: i64,
        deletion: &Deletion<'_>,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Delete, kind, id)?;
        let sql = format!("UPDATE {} SET deleted = ?2 WHERE id = ?1", table(kind));
        self.connection
            .prepare_cached(&sql)?
            .execute(params![id, deletion.at])?;
        self.put_into_trash(kind, id, deletion)
    }

    pub(super) fn put_into_trash(
        &mut self,
        kind: EntityKind,
        id: i64,
        deletion: &Deletion<'_>,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO trash (kind, entity_id, at, actor, origin) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                kind.target_type(),
                id,
                deletion.at,
                deletion.actor,
                deletion.origin
            ])?;
        Ok(())
    }

    /// Writes a row of the trash under its own number; where that is none or taken, below all others
    /// until `number_trash`.
    pub(super) fn put_trash(
        &mut self,
        kind: EntityKind,
        id: i64,
        trashing: &Trashing,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO trash (id, kind, entity_id, at, actor, origin, item) VALUES (
                   CASE WHEN ?1 > 0 AND NOT EXISTS (SELECT 1 FROM trash WHERE id = ?1) THEN ?1
                     ELSE min(0, ifnull((SELECT min(id) FROM trash), 0)) - 1 END,
                   ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                trashing.number,
                kind.target_type(),
                id,
                trashing.at,
                trashing.actor,
                trashing.origin,
                trashing.item
            ])?;
        Ok(())
    }

    /// Numbers the entries anew by time, unless each has its own number.
    pub fn number_trash(&mut self) -> Result<(), DbError> {
        // Aside first: no number is taken while another is given.
        self.connection.execute_batch(
            "UPDATE trash SET id = ranked.place - (SELECT max(abs(id)) + count(*) + 1 FROM trash)
             FROM (SELECT id, row_number() OVER (ORDER BY at, id) AS place FROM trash) AS ranked
             WHERE trash.id = ranked.id AND EXISTS (SELECT 1 FROM trash WHERE id <= 0);
             UPDATE trash SET id = ranked.place
             FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM trash) AS ranked
             WHERE trash.id = ranked.id AND trash.id <= 0;",
        )?;
        Ok(())
    }

    /// Detaches the entries that were deleted with an item and stay in the trash when it leaves.
    pub(super) fn take_out_of_trash(&mut self, kind: EntityKind, id: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM trash WHERE kind = ?1 AND entity_id = ?2")?
            .execute(params![kind.target_type(), id])?;
        if kind == EntityKind::Node {
            self.connection
                .prepare_cached("UPDATE trash SET item = NULL WHERE item = ?1")?
                .execute([id])?;
        }
        Ok(())
    }

    /// Attaches an entry to the item with which it was deleted, so that both are restored together.
    pub fn went_with_item(
        &mut self,
        permitted: &PermittedChange<'t>,
        kind: EntityKind,
        id: i64,
        nid: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Delete, kind, id)?;
        self.connection
            .prepare_cached("UPDATE trash SET item = ?3 WHERE kind = ?1 AND entity_id = ?2")?
            .execute(params![kind.target_type(), id, nid])?;
        Ok(())
    }

    /// Restores a deleted node, media or term. The caller writes its index rows next.
    pub fn unmark_deleted(
        &mut self,
        permitted: &PermittedChange<'t>,
        kind: EntityKind,
        id: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Restore, kind, id)?;
        let sql = format!("UPDATE {} SET deleted = NULL WHERE id = ?1", table(kind));
        self.connection.prepare_cached(&sql)?.execute([id])?;
        self.take_out_of_trash(kind, id)
    }

    /// Purges a deleted node, media or term. Its id, UUID and bundle stay. Of every revision stay its author, its time,
    /// whether it was published, and the items of a media. The visibility of events depends on these.
    pub fn purge_entity(
        &mut self,
        permitted: &PermittedChange<'t>,
        kind: EntityKind,
        id: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Purge, kind, id)?;
        let media_of = &field_roles().media_of;
        let policy = format!(
            "json_object('status', json(ifnull(document -> '$.status', '[]')),
             'uid', json(ifnull(document -> '$.uid', '[]')),
             '{media_of}', json(ifnull(document -> '$.{media_of}', '[]')))"
        );
        let table = table(kind);
        let rows = [
            format!("UPDATE {table} SET label = '', document = {policy} WHERE id = ?1"),
            format!("UPDATE {table}_revision SET log = NULL, document = {policy} WHERE id = ?1"),
        ];
        for sql in rows {
            self.connection.prepare_cached(&sql)?.execute([id])?;
        }
        if kind == EntityKind::Media {
            self.connection
                .prepare_cached(
                    "DELETE FROM media_revision_file
                     WHERE revision IN (SELECT revision FROM media_revision WHERE id = ?1)",
                )?
                .execute([id])?;
        }
        self.take_out_of_trash(kind, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Db;

    fn deleted_by(actor: i64, number: i64, at: i64) -> Trashing {
        Trashing {
            number,
            at,
            actor,
            origin: "rest".into(),
            item: None,
        }
    }

    async fn numbered(rows: Vec<Trashing>) -> Vec<(i64, i64)> {
        let disk = tempfile::tempdir().unwrap();
        let db = Db::open(&disk.path().join("isolario.db")).unwrap();
        db.write(move |write| -> Result<_, DbError> {
            for (id, row) in (1..).zip(&rows) {
                write.put_trash(EntityKind::Node, id, row)?;
            }
            write.number_trash()?;
            let rows = write.trash_before(i64::MAX, None, 100)?;
            Ok(rows
                .into_iter()
                .map(|row| (row.number, row.actor))
                .collect())
        })
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn deletions_keep_their_numbers() {
        let rows = vec![deleted_by(1, 7, 500), deleted_by(2, 3, 900)];
        assert_eq!(numbered(rows).await, [(7, 1), (3, 2)]);
    }

    #[tokio::test]
    async fn where_numbers_are_missing_or_given_twice_all_are_counted_by_time() {
        let rows = vec![
            deleted_by(1, 7, 500),
            deleted_by(2, 0, 600),
            deleted_by(3, 7, 300),
            deleted_by(4, 0, 400),
            deleted_by(5, 9, 900),
        ];
        let by_time = [(5, 5), (4, 2), (3, 1), (2, 4), (1, 3)];
        assert_eq!(numbered(rows).await, by_time);
    }
}
