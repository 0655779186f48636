//! Tables `*_revision`: every state a resource has had.

use rusqlite::{OptionalExtension, params};

use super::entity::table;
use super::{DbError, Read, Write};
use crate::content::{Entity, EntityKind, Values};

/// Who made a state of a resource, and why.
#[derive(Debug, Clone)]
pub struct NewRevision<'a> {
    /// Unix seconds.
    pub made: i64,
    /// User id.
    pub author: i64,
    pub door: &'a str,
    pub log: Option<&'a str>,
}

/// One line of a resource's history.
#[derive(Debug, Clone, PartialEq)]
pub struct RevisionSummary {
    pub revision: i64,
    /// Unix seconds.
    pub made: i64,
    /// User id.
    pub author: i64,
    pub door: String,
    pub log: Option<String>,
}

impl Write<'_> {
    /// Keeps the state of a resource under the next revision number, which is returned.
    pub fn add_revision(
        &mut self,
        entity: &Entity,
        revision: &NewRevision<'_>,
    ) -> Result<i64, DbError> {
        let sql = format!(
            "INSERT INTO {}_revision (id, made, author, door, log, document) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            table(entity.kind)
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            entity.id,
            revision.made,
            revision.author,
            revision.door,
            revision.log,
            serde_json::to_string(&entity.values)?
        ])?;
        Ok(self.connection.last_insert_rowid())
    }
}

impl Read<'_> {
    /// The history of a resource, newest first.
    pub fn revisions_of(&self, kind: EntityKind, id: i64) -> Result<Vec<RevisionSummary>, DbError> {
        let sql = format!(
            "SELECT revision, made, author, door, log FROM {}_revision WHERE id = ?1 ORDER BY revision DESC",
            table(kind)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([id], |row| {
            Ok(RevisionSummary {
                revision: row.get(0)?,
                made: row.get(1)?,
                author: row.get(2)?,
                door: row.get(3)?,
                log: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The values a resource had at one of its revisions.
    pub fn revision_values(
        &self,
        kind: EntityKind,
        id: i64,
        revision: i64,
    ) -> Result<Option<Values>, DbError> {
        let sql = format!(
            "SELECT document FROM {}_revision WHERE id = ?1 AND revision = ?2",
            table(kind)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let document: Option<String> = statement
            .query_row([id, revision], |row| row.get(0))
            .optional()?;
        Ok(document
            .map(|text| serde_json::from_str(&text))
            .transpose()?)
    }
}
