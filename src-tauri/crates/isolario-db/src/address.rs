//! Tables `path_alias` and `redirect`: addresses that people give.

use rusqlite::{OptionalExtension, params};

use super::{DbError, Read, Write};
use isolario_model::content::record::Redirect;
use isolario_model::content::{Entity, EntityKind, address};
use isolario_model::policy::{PermittedRedirect, PermittedServerChange};

/// An alias of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathAlias {
    pub id: i64,
    pub alias: String,
    pub kind: EntityKind,
    pub entity_id: i64,
}

/// Where an address leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A live resource, whose alias it is.
    Resource(EntityKind, i64),
    Elsewhere(Redirect),
}

const REDIRECT: &str = "SELECT id, source, target, status, uid, created FROM redirect";

impl Read<'_> {
    /// Where an address leads, by its `address::key`.
    pub fn destination(&self, key: &str) -> Result<Option<Destination>, DbError> {
        if let Some(alias) = self.alias("key = ?1", key)? {
            return Ok(Some(Destination::Resource(alias.kind, alias.entity_id)));
        }
        let found = self.redirect_by("key = ?1", key)?;
        Ok(found.map(Destination::Elsewhere))
    }

    /// An alias by its number.
    pub fn path_alias(&self, id: i64) -> Result<Option<PathAlias>, DbError> {
        self.alias("id = ?1", id)
    }

    /// The alias with this `address::key`.
    pub fn alias_by_key(&self, key: &str) -> Result<Option<PathAlias>, DbError> {
        self.alias("key = ?1", key)
    }

    fn alias(
        &self,
        condition: &str,
        value: impl rusqlite::ToSql,
    ) -> Result<Option<PathAlias>, DbError> {
        let sql = format!("SELECT id, alias, kind, entity_id FROM path_alias WHERE {condition}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_row([value], |row| {
            let kind: String = row.get(2)?;
            Ok(PathAlias {
                id: row.get(0)?,
                alias: row.get(1)?,
                kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
                entity_id: row.get(3)?,
            })
        });
        Ok(found.optional()?)
    }

    /// A redirect by its number.
    pub fn redirect(&self, id: i64) -> Result<Option<Redirect>, DbError> {
        self.redirect_by("id = ?1", id)
    }

    fn redirect_by(
        &self,
        condition: &str,
        value: impl rusqlite::ToSql,
    ) -> Result<Option<Redirect>, DbError> {
        let sql = format!("{REDIRECT} WHERE {condition}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_row([value], |row| {
            Ok(Redirect {
                id: row.get(0)?,
                source: row.get(1)?,
                target: row.get(2)?,
                status: row.get(3)?,
                uid: row.get(4)?,
                created: row.get(5)?,
            })
        });
        Ok(found.optional()?)
    }
}

impl<'t> Write<'t> {
    /// Gives a live resource the aliases in its document, and no others. One that another resource has stays there.
    pub fn set_aliases(&mut self, entity: &Entity) -> Result<(), DbError> {
        let kind = entity.kind.target_type();
        let aliases: Vec<&str> = entity.aliases().collect();
        let kept: Vec<(i64, String)> = self
            .connection
            .prepare_cached("SELECT id, alias FROM path_alias WHERE kind = ?1 AND entity_id = ?2")?
            .query_map(params![kind, entity.id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<Result<_, _>>()?;
        for (id, alias) in &kept {
            if !aliases.contains(&alias.as_str()) {
                self.connection
                    .prepare_cached("DELETE FROM path_alias WHERE id = ?1")?
                    .execute([id])?;
            }
        }
        let new = aliases
            .iter()
            .filter(|alias| !kept.iter().any(|(_, known)| known == *alias));
        for alias in new {
            self.connection
                .prepare_cached(
                    "INSERT OR IGNORE INTO path_alias (key, alias, kind, entity_id) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![address::key(alias), alias, kind, entity.id])?;
        }
        Ok(())
    }

    /// Frees the aliases of a resource that is deleted.
    pub fn free_aliases(&mut self, kind: EntityKind, id: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM path_alias WHERE kind = ?1 AND entity_id = ?2")?
            .execute(params![kind.target_type(), id])?;
        Ok(())
    }

    /// Adds a redirect, and returns its number.
    pub fn insert_redirect(
        &mut self,
        _permitted: &PermittedRedirect<'t>,
        redirect: &Redirect,
    ) -> Result<i64, DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO redirect (key, source, target, status, uid, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                address::key(&redirect.source),
                redirect.source,
                redirect.target,
                redirect.status,
                redirect.uid,
                redirect.created
            ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Removes a redirect.
    pub fn delete_redirect(
        &mut self,
        _permitted: &PermittedRedirect<'t>,
        id: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM redirect WHERE id = ?1")?
            .execute([id])?;
        Ok(())
    }

    /// Writes the redirect of a record with its number.
    pub fn put_redirect(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        redirect: &Redirect,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO redirect (id, key, source, target, status, uid, created)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                redirect.id,
                address::key(&redirect.source),
                redirect.source,
                redirect.target,
                redirect.status,
                redirect.uid,
                redirect.created
            ])?;
        Ok(())
    }
}
