//! Table `openid_identity`: which account belongs to a person of another service.

use rusqlite::{OptionalExtension, params};

use super::permitted::require;
use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Operation, PermittedChange};

impl Read<'_> {
    /// The account (user id) of a person of another service.
    pub fn openid_account(&self, issuer: &str, subject: &str) -> Result<Option<i64>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT uid FROM openid_identity WHERE issuer = ?1 AND subject = ?2")?;
        let found = statement.query_row(params![issuer, subject], |row| row.get(0));
        Ok(found.optional()?)
    }
}

impl<'t> Write<'t> {
    /// Notes that an account which was just made belongs to a person of another service.
    pub fn insert_openid_identity(
        &mut self,
        permitted: &PermittedChange<'t>,
        (issuer, subject): (&str, &str),
        uid: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Create, EntityKind::User, 0)?;
        self.connection
            .prepare_cached(
                "INSERT INTO openid_identity (issuer, subject, uid) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![issuer, subject, uid])?;
        Ok(())
    }
}
