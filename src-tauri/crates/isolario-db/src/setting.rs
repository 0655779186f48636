//! Tables `setting` and `content_model`: settings of the repository.

use rusqlite::{OptionalExtension, params};

use super::{DbError, Read, Write};
use isolario_model::content::ContentModel;
use isolario_model::policy::PermittedServerChange;

impl Read<'_> {
    /// The value of a setting.
    pub fn setting(&self, name: &str) -> Result<Option<String>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT value FROM setting WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    }

    /// The content model, `None` in a database that has not been seeded.
    pub fn content_model(&self) -> Result<Option<ContentModel>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT document FROM content_model WHERE id = 1")?;
        let document: Option<String> = statement.query_row([], |row| row.get(0)).optional()?;
        Ok(document
            .map(|text| serde_json::from_str(&text))
            .transpose()?)
    }
}

impl<'t> Write<'t> {
    /// Stores a setting.
    pub fn set_setting(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        name: &str,
        value: &str,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO setting (name, value) VALUES (?1, ?2)
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            )?
            .execute(params![name, value])?;
        Ok(())
    }

    /// Replaces the content model.
    pub fn set_content_model(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        model: &ContentModel,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO content_model (id, document) VALUES (1, ?1)
                 ON CONFLICT (id) DO UPDATE SET document = excluded.document",
            )?
            .execute([serde_json::to_string(model)?])?;
        Ok(())
    }
}
