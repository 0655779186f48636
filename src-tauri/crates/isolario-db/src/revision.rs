//! Tables `*_revision`: the revisions of resources.

use rusqlite::{OptionalExtension, Row, params};

use super::entity::table;
use super::permitted::require_state;
use super::{DbError, Read, Write};
use isolario_model::content::{Entity, EntityKind, Values};
use isolario_model::policy::PermittedChange;

/// The author of a revision, and the reason.
#[derive(Debug, Clone)]
pub struct NewRevision<'a> {
    /// Unix seconds.
    pub made: i64,
    /// User id.
    pub author: i64,
    pub origin: &'a str,
    pub log: Option<&'a str>,
    /// The batch that makes it.
    pub batch: Option<i64>,
}

/// An entry of the history of a resource.
#[derive(Debug, Clone, PartialEq)]
pub struct RevisionSummary {
    pub revision: i64,
    /// Unix seconds.
    pub made: i64,
    /// User id.
    pub author: i64,
    pub origin: String,
    pub log: Option<String>,
    /// The batch that made it.
    pub batch: Option<i64>,
}

impl<'t> Write<'t> {
    /// Stores the state of a resource as its next revision. Returns the number.
    pub fn add_revision(
        &mut self,
        permitted: &PermittedChange<'t>,
        entity: &Entity,
        revision: &NewRevision<'_>,
    ) -> Result<i64, DbError> {
        require_state(permitted, entity)?;
        let sql = format!(
            "INSERT INTO {}_revision (id, made, author, origin, log, document, batch) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            table(entity.kind)
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            entity.id,
            revision.made,
            revision.author,
            revision.origin,
            revision.log,
            serde_json::to_string(&entity.values)?,
            revision.batch
        ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Stores the current versions of the files of a media with its newest revision.
    pub fn note_files(&mut self, revision: i64, fids: &[i64]) -> Result<(), DbError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO media_revision_file (revision, fid, version)
             SELECT ?1, fid, version FROM file WHERE fid = ?2 AND deleted IS NULL",
        )?;
        for fid in fids {
            statement.execute([revision, *fid])?;
        }
        Ok(())
    }
}

impl Read<'_> {
    /// The newest revision of any node; 0 when there is none.
    pub fn newest_node_revision(&self) -> Result<i64, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT ifnull(max(revision), 0) FROM node_revision")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// The revision that a node had when another one was the newest of all.
    pub fn node_revision_then(&self, node: i64, newest: i64) -> Result<Option<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT max(revision) FROM node_revision WHERE id = ?1 AND revision <= ?2",
        )?;
        Ok(statement.query_row([node, newest], |row| row.get(0))?)
    }

    /// An entry of the history of a resource.
    pub fn revision_summary(
        &self,
        kind: EntityKind,
        revision: i64,
    ) -> Result<Option<RevisionSummary>, DbError> {
        let sql = format!(
            "SELECT revision, made, author, origin, log, batch FROM {}_revision WHERE revision = ?1",
            table(kind)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([revision], read_revision).optional()?)
    }

    /// The versions of its files that a media had at a revision, as pairs of file id and version.
    pub fn files_of_revision(&self, revision: i64) -> Result<Vec<(i64, i64)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT fid, version FROM media_revision_file WHERE revision = ?1 ORDER BY fid",
        )?;
        let rows = statement.query_map([revision], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The revisions of media that had a version of a file, newest first, as pairs of media id and revision.
    pub fn media_revisions_of_version(
        &self,
        fid: i64,
        version: i64,
    ) -> Result<Vec<(i64, i64)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.id, f.revision FROM media_revision_file f CROSS JOIN media_revision r ON r.revision = f.revision
             WHERE f.fid = ?1 AND f.version = ?2 ORDER BY f.revision DESC",
        )?;
        let rows = statement.query_map([fid, version], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The states of a resource that changes of an origin made, oldest first, each after the state before it.
    pub fn states_by_origin(
        &self,
        kind: EntityKind,
        id: i64,
        origin: &str,
    ) -> Result<Vec<(Values, Values)>, DbError> {
        let table = table(kind);
        let sql = format!(
            "SELECT r.document, (SELECT p.document FROM {table}_revision p
               WHERE p.id = r.id AND p.revision < r.revision ORDER BY p.revision DESC LIMIT 1)
             FROM {table}_revision r WHERE r.id = ?1 AND r.origin = ?2 ORDER BY r.revision"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![id, origin])?;
        let mut states = Vec::new();
        while let Some(row) = rows.next()? {
            let after: String = row.get(0)?;
            let before: Option<String> = row.get(1)?;
            let before = match before {
                Some(document) => serde_json::from_str(&document)?,
                None => Values::new(),
            };
            states.push((before, serde_json::from_str(&after)?));
        }
        Ok(states)
    }

    /// The state that a resource had at one of its revisions.
    pub fn at_revision(&self, current: &Entity, revision: i64) -> Result<Option<Entity>, DbError> {
        let (kind, id) = (current.kind, current.id);
        let sql = format!(
            "SELECT document FROM {}_revision WHERE id = ?1 AND revision = ?2",
            table(kind)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let document: Option<String> = statement
            .query_row([id, revision], |row| row.get(0))
            .optional()?;
        let Some(document) = document else {
            return Ok(None);
        };
        Ok(Some(Entity {
            kind,
            id,
            uuid: current.uuid.clone(),
            revision,
            bundle: current.bundle.clone(),
            values: serde_json::from_str::<Values>(&document)?,
        }))
    }
}

pub(super) fn read_revision(row: &Row<'_>) -> rusqlite::Result<RevisionSummary> {
    Ok(RevisionSummary {
        revision: row.get(0)?,
        made: row.get(1)?,
        author: row.get(2)?,
        origin: row.get(3)?,
        log: row.get(4)?,
        batch: row.get(5)?,
    })
}
