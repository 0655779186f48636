//! Checks the integrity of the database.

use super::{DbError, Read, migrations};
use isolario_model::content::EntityKind;

/// A reference to a resource that never existed, or that was purged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DanglingReference {
    pub kind: EntityKind,
    pub id: i64,
    pub field: String,
    /// `target_type` as it is stored.
    pub target_kind: String,
    pub target_id: i64,
}

impl Read<'_> {
    /// Whether the next start leaves the schema as it is.
    pub fn schema_is_up_to_date(&self) -> Result<bool, DbError> {
        migrations::is_up_to_date(self.connection)
    }

    /// The errors that SQLite finds in the file and its indexes, at most `limit`.
    pub fn integrity(&self, limit: u32) -> Result<Vec<String>, DbError> {
        let mut statement = self
            .connection
            .prepare(&format!("PRAGMA integrity_check({limit})"))?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        let findings = rows.collect::<Result<Vec<_>, _>>()?;
        Ok(match findings.as_slice() {
            [only] if only == "ok" => Vec::new(),
            _ => findings,
        })
    }

    /// Rows whose foreign keys lead nowhere, as sentences, at most `limit`.
    pub fn foreign_keys(&self, limit: usize) -> Result<Vec<String>, DbError> {
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
        let rows = statement.query_map([], |row| {
            let (table, row_id): (String, Option<i64>) = (row.get(0)?, row.get(1)?);
            let parent: String = row.get(2)?;
            let row_id = row_id.map_or_else(String::new, |id| format!(" {id}"));
            Ok(format!(
                "Row{row_id} of {table} refers to a row of {parent} that is not there."
            ))
        })?;
        Ok(rows.take(limit).collect::<Result<_, _>>()?)
    }

    /// The references of live resources to resources that never existed, at most `limit`.
    pub fn dangling_references(&self, limit: u32) -> Result<Vec<DanglingReference>, DbError> {
        let mut statement = self.connection.prepare(
            "SELECT kind, id, field, target_kind, target_id FROM field_reference WHERE CASE target_kind
               WHEN 'node' THEN target_id NOT IN (SELECT id FROM node)
               WHEN 'media' THEN target_id NOT IN (SELECT id FROM media)
               WHEN 'taxonomy_term' THEN target_id NOT IN (SELECT id FROM taxonomy_term)
               WHEN 'file' THEN target_id NOT IN (SELECT fid FROM file)
               WHEN 'user' THEN target_id NOT IN (SELECT uid FROM user)
               ELSE 0 END
             LIMIT ?1",
        )?;
        let rows = statement.query_map([limit], |row| {
            let kind: String = row.get(0)?;
            Ok(DanglingReference {
                kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
                id: row.get(1)?,
                field: row.get(2)?,
                target_kind: row.get(3)?,
                target_id: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
