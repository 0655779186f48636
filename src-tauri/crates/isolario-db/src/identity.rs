//! Table `identity`: the name and the picture of the repository.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusqlite::{OptionalExtension, params};

use super::{DbError, Read, Write};
use isolario_model::content::record::Identity;
use isolario_model::policy::PermittedServerChange;

/// What people see of the repository before they see anything else, without the bytes of the picture.
#[derive(Debug, Clone, Default)]
pub struct IdentitySummary {
    /// `None`: as config.toml says.
    pub name: Option<String>,
    pub has_picture: bool,
    /// Of the latest change, Unix milliseconds.
    pub changed: i64,
}

impl Read<'_> {
    /// The name of the repository, and whether it has a picture.
    pub fn identity(&self) -> Result<IdentitySummary, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT name, picture IS NOT NULL, changed FROM identity WHERE id = 1",
        )?;
        let found = statement.query_row([], |row| {
            Ok(IdentitySummary {
                name: row.get(0)?,
                has_picture: row.get(1)?,
                changed: row.get(2)?,
            })
        });
        Ok(found.optional()?.unwrap_or_default())
    }

    /// The bytes of the picture of the repository.
    pub fn identity_picture(&self) -> Result<Option<Vec<u8>>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT picture FROM identity WHERE id = 1")?;
        let found = statement.query_row([], |row| row.get(0)).optional()?;
        Ok(found.flatten())
    }

    /// The record of the name and the picture; `None` where nobody has changed them.
    pub fn identity_record(&self) -> Result<Option<Identity>, DbError> {
        let summary = self.identity()?;
        let picture = self.identity_picture()?;
        Ok((summary.changed > 0).then(|| Identity {
            name: summary.name,
            picture: picture.map(|bytes| STANDARD.encode(bytes)),
            changed: summary.changed,
        }))
    }
}

impl<'t> Write<'t> {
    /// Replaces the name and the picture of the repository.
    pub fn set_identity(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        name: Option<&str>,
        picture: Option<&[u8]>,
        changed: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO identity (id, name, changed, picture) VALUES (1, ?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET name = excluded.name, changed = excluded.changed,
                   picture = excluded.picture",
            )?
            .execute(params![name, changed, picture])?;
        Ok(())
    }

    /// Writes the name and the picture of a record. A picture that is not readable is left out.
    pub fn put_identity(
        &mut self,
        permitted: &PermittedServerChange<'t>,
        record: &Identity,
    ) -> Result<(), DbError> {
        let picture = record.picture.as_deref();
        let picture = picture.and_then(|text| STANDARD.decode(text).ok());
        self.set_identity(
            permitted,
            record.name.as_deref(),
            picture.as_deref(),
            record.changed,
        )
    }
}
