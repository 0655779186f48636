//! Table `pushed`: what was sent to other sites.

use rusqlite::{OptionalExtension, params};

use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;

/// What was sent of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// Its id at the site.
    pub remote: i64,
    /// The revision that was sent.
    pub revision: i64,
    /// SHA-512 of the bytes of a media that were sent, hexadecimal.
    pub sha512: Option<String>,
}

impl Read<'_> {
    /// What was sent of a resource to a site.
    pub fn pushed(&self, site: &str, kind: EntityKind, id: i64) -> Result<Option<Pushed>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT remote, revision, sha512 FROM pushed WHERE site = ?1 AND kind = ?2 AND id = ?3",
        )?;
        let found = statement.query_row(params![site, kind.target_type(), id], |row| {
            Ok(Pushed {
                remote: row.get(0)?,
                revision: row.get(1)?,
                sha512: row.get(2)?,
            })
        });
        Ok(found.optional()?)
    }
}

impl Write<'_> {
    /// Notes what was sent of a resource to a site.
    pub fn note_pushed(
        &mut self,
        site: &str,
        kind: EntityKind,
        id: i64,
        pushed: &Pushed,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO pushed (site, kind, id, remote, revision, sha512) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO UPDATE SET
                   remote = excluded.remote, revision = excluded.revision, sha512 = excluded.sha512",
            )?
            .execute(params![
                site,
                kind.target_type(),
                id,
                pushed.remote,
                pushed.revision,
                pushed.sha512
            ])?;
        Ok(())
    }
}
