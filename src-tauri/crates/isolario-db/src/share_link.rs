//! Table `share_link`: links by which people without an account see one item. Only hashes of their keys are kept.

use rusqlite::{OptionalExtension, Row, params};

use super::permitted::require;
use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Operation, PermittedChange};

/// A share link, without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareLink {
    pub id: i64,
    /// The item that it shows, with everything below it (node id).
    pub nid: i64,
    /// Whom or what it is for; unique among those of the item.
    pub name: String,
    /// Who made it.
    pub uid: i64,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds; from then on it shows nothing.
    pub expires: i64,
    /// Unix seconds; at most a minute behind. `None`: never.
    pub last_used: Option<i64>,
}

/// A new share link.
#[derive(Debug, Clone)]
pub struct NewShareLink {
    pub nid: i64,
    pub name: String,
    pub uid: i64,
    /// SHA-256 of the key, in hexadecimal digits.
    pub hash: String,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub expires: i64,
}

pub(super) const COLUMNS: &str = "id, nid, name, uid, created, expires, last_used";

pub(super) fn read_share_link(row: &Row<'_>) -> rusqlite::Result<ShareLink> {
    Ok(ShareLink {
        id: row.get(0)?,
        nid: row.get(1)?,
        name: row.get(2)?,
        uid: row.get(3)?,
        created: row.get(4)?,
        expires: row.get(5)?,
        last_used: row.get(6)?,
    })
}

impl Read<'_> {
    /// A share link by its number.
    pub fn share_link(&self, id: i64) -> Result<Option<ShareLink>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM share_link WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], read_share_link).optional()?)
    }

    /// The share link whose key has this hash.
    pub fn share_link_by_hash(&self, hash: &str) -> Result<Option<ShareLink>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM share_link WHERE hash = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([hash], read_share_link).optional()?)
    }

    /// How many share links an item has, and whether one of them has the name.
    pub fn share_links_of(&self, nid: i64, name: &str) -> Result<(i64, bool), DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*), count(*) FILTER (WHERE name = ?2) > 0 FROM share_link WHERE nid = ?1",
        )?;
        Ok(statement.query_row(params![nid, name], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }
}

impl<'t> Write<'t> {
    /// Adds a share link to an item and returns its number.
    pub fn insert_share_link(
        &mut self,
        permitted: &PermittedChange<'t>,
        link: &NewShareLink,
    ) -> Result<i64, DbError> {
        require(permitted, Operation::Share, EntityKind::Node, link.nid)?;
        self.connection
            .prepare_cached(
                "INSERT INTO share_link (nid, name, uid, hash, created, expires)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                link.nid,
                link.name,
                link.uid,
                link.hash,
                link.created,
                link.expires
            ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Removes a share link, as a change of its item or of the account that made it. From then on it shows nothing.
    pub fn delete_share_link(
        &mut self,
        permitted: &PermittedChange<'t>,
        link: &ShareLink,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Share, EntityKind::Node, link.nid)
            .or_else(|_| require(permitted, Operation::Update, EntityKind::User, link.uid))?;
        self.connection
            .prepare_cached("DELETE FROM share_link WHERE id = ?1 AND nid = ?2 AND uid = ?3")?
            .execute([link.id, link.nid, link.uid])?;
        Ok(())
    }

    /// Stores the time of the last use of a share link.
    pub fn touch_share_link(&mut self, id: i64, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE share_link SET last_used = ?2 WHERE id = ?1")?
            .execute([id, at])?;
        Ok(())
    }
}
