//! Table `access_token`: the tokens by which services sign in. Only hashes of them are kept.

use rusqlite::{OptionalExtension, Row, params};

use super::permitted::require;
use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Operation, PermittedChange, Scope};

/// An access token, without the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessToken {
    pub id: i64,
    /// The account that it signs in to.
    pub uid: i64,
    /// Unique among those of the account.
    pub name: String,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds; at most a minute behind. `None`: never.
    pub last_used: Option<i64>,
    /// The address that the request came from which used it then.
    pub last_address: Option<String>,
    /// What its bearer may do of what the account may do.
    pub scope: Scope,
    /// Unix seconds; from then on it lets nobody in. `None`: never.
    pub expires: Option<i64>,
}

/// A new access token.
#[derive(Debug, Clone)]
pub struct NewAccessToken {
    pub uid: i64,
    pub name: String,
    /// SHA-256 of the token, in hexadecimal digits.
    pub hash: String,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub expires: Option<i64>,
    pub scope: Scope,
}

impl AccessToken {
    /// Whether its time is not over at `now` (Unix seconds).
    pub fn is_valid(&self, now: i64) -> bool {
        self.expires.is_none_or(|expires| now < expires)
    }
}

pub(super) const COLUMNS: &str = "id, uid, name, created, last_used, expires, scope, last_address";

pub(super) fn read_access_token(row: &Row<'_>) -> rusqlite::Result<AccessToken> {
    Ok(AccessToken {
        id: row.get(0)?,
        uid: row.get(1)?,
        name: row.get(2)?,
        created: row.get(3)?,
        last_used: row.get(4)?,
        expires: row.get(5)?,
        scope: Scope::from_text(row.get_ref(6)?.as_str()?),
        last_address: row.get(7)?,
    })
}

impl Read<'_> {
    /// An access token by its number.
    pub fn access_token(&self, id: i64) -> Result<Option<AccessToken>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM access_token WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], read_access_token).optional()?)
    }

    /// The access token with this hash.
    pub fn access_token_by_hash(&self, hash: &str) -> Result<Option<AccessToken>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM access_token WHERE hash = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([hash], read_access_token).optional()?)
    }

    /// How many accounts may sign in by a password, and how many access tokens let somebody in at `now` (Unix seconds).
    pub fn sign_in_counts(&self, now: i64) -> Result<(i64, i64), DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT (SELECT count(*) FROM user WHERE active = 1 AND password_hash IS NOT NULL),
               (SELECT count(*) FROM access_token t JOIN user u USING (uid)
                WHERE u.active = 1 AND (t.expires IS NULL OR t.expires > ?1))",
        )?;
        Ok(statement.query_row([now], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// How many access tokens an account has, and whether one of them has the name.
    pub fn access_tokens_of(&self, uid: i64, name: &str) -> Result<(i64, bool), DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*), count(*) FILTER (WHERE name = ?2) > 0 FROM access_token WHERE uid = ?1",
        )?;
        Ok(statement.query_row(params![uid, name], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }
}

impl<'t> Write<'t> {
    /// Adds an access token to an account and returns its number.
    pub fn insert_access_token(
        &mut self,
        permitted: &PermittedChange<'t>,
        token: &NewAccessToken,
    ) -> Result<i64, DbError> {
        require(permitted, Operation::Update, EntityKind::User, token.uid)?;
        self.connection
            .prepare_cached(
                "INSERT INTO access_token (uid, name, hash, created, expires, scope)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                token.uid,
                token.name,
                token.hash,
                token.created,
                token.expires,
                token.scope.to_text()
            ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Removes an access token of an account. From then on it lets nobody in.
    pub fn delete_access_token(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        id: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        self.connection
            .prepare_cached("DELETE FROM access_token WHERE uid = ?1 AND id = ?2")?
            .execute([uid, id])?;
        Ok(())
    }

    /// Stores the time of the last use of an access token, and the address that it came from.
    pub fn touch_access_token(&mut self, id: i64, at: i64, from: &str) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE access_token SET last_used = ?2, last_address = ?3 WHERE id = ?1",
            )?
            .execute(params![id, at, from])?;
        Ok(())
    }
}
