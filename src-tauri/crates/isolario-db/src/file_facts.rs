//! Table `file_facts`: the facts that were read out of the bytes of a version.

use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value};

use super::{DbError, Read, Write};

impl Read<'_> {
    /// The facts of a version by name, if they were extracted.
    pub fn file_facts(
        &self,
        fid: i64,
        version: i64,
    ) -> Result<Option<Map<String, Value>>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT facts FROM file_facts WHERE fid = ?1 AND version = ?2")?;
        let facts: Option<String> = statement
            .query_row([fid, version], |row| row.get(0))
            .optional()?;
        Ok(facts.map(|text| serde_json::from_str(&text)).transpose()?)
    }
}

impl Write<'_> {
    /// Stores the facts of a version; `at` is in Unix seconds.
    pub fn set_file_facts(
        &mut self,
        (fid, version): (i64, i64),
        facts: &Map<String, Value>,
        at: i64,
    ) -> Result<(), DbError> {
        let text = serde_json::to_string(facts)?;
        self.connection
            .prepare_cached(
                "INSERT INTO file_facts (fid, version, facts, made) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET facts = excluded.facts, made = excluded.made",
            )?
            .execute(params![fid, version, text, at])?;
        Ok(())
    }
}
