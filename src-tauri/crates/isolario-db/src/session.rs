//! Table `session`: browsers that have signed in. Only hashes of their cookies are kept.

use rusqlite::{OptionalExtension, params};

use super::{DbError, Read, Write};

/// A browser's sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    pub uid: i64,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds. It is updated only now and then.
    pub last_seen: i64,
}

impl Read<'_> {
    /// The session with this hash of a cookie.
    pub fn session(&self, token_hash: &str) -> Result<Option<SessionRecord>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT uid, created, last_seen FROM session WHERE token_hash = ?1")?;
        Ok(statement
            .query_row([token_hash], |row| {
                Ok(SessionRecord {
                    uid: row.get(0)?,
                    created: row.get(1)?,
                    last_seen: row.get(2)?,
                })
            })
            .optional()?)
    }
}

impl Write<'_> {
    /// Begins a session at a time (Unix seconds), and removes those not used since `oldest`.
    pub fn insert_session(
        &mut self,
        token_hash: &str,
        uid: i64,
        at: i64,
        oldest: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM session WHERE last_seen < ?1")?
            .execute([oldest])?;
        self.connection
            .prepare_cached(
                "INSERT INTO session (token_hash, uid, created, last_seen) VALUES (?1, ?2, ?3, ?3)",
            )?
            .execute(params![token_hash, uid, at])?;
        Ok(())
    }

    /// Stores the time of the last use of a session.
    pub fn touch_session(&mut self, token_hash: &str, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE session SET last_seen = ?2 WHERE token_hash = ?1")?
            .execute(params![token_hash, at])?;
        Ok(())
    }

    /// Ends a session.
    pub fn delete_session(&mut self, token_hash: &str) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM session WHERE token_hash = ?1")?
            .execute([token_hash])?;
        Ok(())
    }

    /// Ends every session of a user.
    pub(super) fn delete_sessions_of(&mut self, uid: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM session WHERE uid = ?1")?
            .execute([uid])?;
        Ok(())
    }
}
