//! Tables `node`, `media` and `taxonomy_term`, which have the same columns.

use rusqlite::{OptionalExtension, Row, params};

use super::permitted::{require_new, require_update};
use super::{DbError, Read, Write};
use isolario_model::content::{Entity, EntityKind, Values, field_roles};
use isolario_model::policy::PermittedChange;

/// The table of a kind with revisions. Files and users have tables of their own.
pub(super) fn table(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Media => "media",
        EntityKind::Term => "taxonomy_term",
        _ => "node",
    }
}

/// The statement that reads a resource by its id, live or deleted.
fn select(kind: EntityKind, deleted: bool) -> &'static str {
    macro_rules! select {
        ($table:literal, $condition:literal) => {
            concat!(
                "SELECT id, uuid, revision, bundle, document FROM ",
                $table,
                " WHERE id = ?1 AND deleted ",
                $condition
            )
        };
    }
    match (kind, deleted) {
        (EntityKind::Media, false) => select!("media", "IS NULL"),
        (EntityKind::Media, true) => select!("media", "IS NOT NULL"),
        (EntityKind::Term, false) => select!("taxonomy_term", "IS NULL"),
        (EntityKind::Term, true) => select!("taxonomy_term", "IS NOT NULL"),
        (_, false) => select!("node", "IS NULL"),
        (_, true) => select!("node", "IS NOT NULL"),
    }
}

impl Read<'_> {
    /// A live node, media or term.
    pub fn entity(&self, kind: EntityKind, id: i64) -> Result<Option<Entity>, DbError> {
        self.entity_by(select(kind, false), kind, id)
    }

    /// A deleted node, media or term, in its last state.
    pub fn deleted_entity(&self, kind: EntityKind, id: i64) -> Result<Option<Entity>, DbError> {
        self.entity_by(select(kind, true), kind, id)
    }

    fn entity_by(&self, sql: &str, kind: EntityKind, id: i64) -> Result<Option<Entity>, DbError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let row = statement.query_row([id], |row| Ok(read_entity(row, kind)));
        row.optional()?.transpose()
    }

    /// Live media that belong to a node, in the order of their ids.
    pub fn media_of(&self, nid: i64) -> Result<Vec<Entity>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.id, m.uuid, m.revision, m.bundle, m.document FROM field_reference r
             JOIN media m ON m.id = r.id AND m.deleted IS NULL
             WHERE r.target_kind = 'node' AND r.target_id = ?1 AND r.kind = 'media' AND r.field = ?2
             ORDER BY r.id",
        )?;
        let item = params![nid, field_roles().media_of];
        let rows = statement.query_map(item, |row| Ok(read_entity(row, EntityKind::Media)))?;
        rows.map(|row| row?).collect()
    }

    /// The ids of live media that belong to a node.
    pub fn media_ids_of(&self, nid: i64) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.id FROM field_reference r JOIN media m ON m.id = r.id AND m.deleted IS NULL
             WHERE r.target_kind = 'node' AND r.target_id = ?1 AND r.kind = 'media' AND r.field = ?2
             ORDER BY r.id",
        )?;
        let ids = statement.query_map(params![nid, field_roles().media_of], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The first live media of a node with a media use. No others are read.
    pub fn media_with_use(&self, nid: i64, tid: i64) -> Result<Option<Entity>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.id, m.uuid, m.revision, m.bundle, m.document FROM field_reference r
             CROSS JOIN field_reference u ON u.kind = 'media' AND u.id = r.id AND u.field = ?3
               AND u.target_kind = 'taxonomy_term' AND u.target_id = ?4
             CROSS JOIN media m ON m.id = r.id AND m.deleted IS NULL
             WHERE r.target_kind = 'node' AND r.target_id = ?1 AND r.kind = 'media' AND r.field = ?2
             ORDER BY r.id LIMIT 1",
        )?;
        let roles = field_roles();
        let values = params![nid, roles.media_of, roles.media_use, tid];
        let row = statement.query_row(values, |row| Ok(read_entity(row, EntityKind::Media)));
        row.optional()?.transpose()
    }
}

/// Reads `id, uuid, revision, bundle, document`. The document is not copied.
fn read_entity(row: &Row<'_>, kind: EntityKind) -> Result<Entity, DbError> {
    let document = row.get_ref(4)?.as_str().map_err(rusqlite::Error::from)?;
    Ok(Entity {
        kind,
        id: row.get(0)?,
        uuid: row.get(1)?,
        revision: row.get(2)?,
        bundle: row.get(3)?,
        values: serde_json::from_str::<Values>(document)?,
    })
}

impl<'t> Write<'t> {
    /// Inserts a new resource and gives it an id. Its revision must be added next.
    pub fn insert_entity(
        &mut self,
        permitted: &PermittedChange<'t>,
        entity: &Entity,
    ) -> Result<i64, DbError> {
        require_new(permitted, entity)?;
        let sql = format!(
            "INSERT INTO {} (uuid, revision, bundle, label, published, owner, created, changed, document)
             VALUES (?1, 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            table(entity.kind)
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            entity.uuid,
            entity.bundle,
            entity.label(),
            entity.is_published(),
            entity.owner(),
            entity.created(),
            entity.changed(),
            serde_json::to_string(&entity.values)?,
        ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Writes the current state of a resource, its revision number included.
    pub fn update_entity(
        &mut self,
        permitted: &PermittedChange<'t>,
        entity: &Entity,
    ) -> Result<(), DbError> {
        require_update(permitted, entity)?;
        let sql = format!(
            "UPDATE {} SET revision = ?2, label = ?3, published = ?4, owner = ?5, created = ?6,
             changed = ?7, document = ?8 WHERE id = ?1",
            table(entity.kind)
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            entity.id,
            entity.revision,
            entity.label(),
            entity.is_published(),
            entity.owner(),
            entity.created(),
            entity.changed(),
            serde_json::to_string(&entity.values)?,
        ])?;
        Ok(())
    }

    /// Adds the first revision of a resource that was inserted.
    pub fn set_first_revision(&mut self, entity: &Entity) -> Result<(), DbError> {
        let sql = format!(
            "UPDATE {} SET revision = ?2 WHERE id = ?1 AND revision = 0",
            table(entity.kind)
        );
        self.connection
            .prepare_cached(&sql)?
            .execute(params![entity.id, entity.revision])?;
        Ok(())
    }
}
