//! The pages of files that are items.

use rusqlite::params;

use super::list_id::ListId;
use super::snapshot::Lists;
use crate::DbError;
use isolario_model::content::page_of::{PAGE_OF, PageOf};

/// The weights of the members of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberWeights {
    pub highest: Option<i64>,
    /// Whether some member has none.
    pub has_gaps: bool,
}

impl Lists<'_> {
    /// The live items that are pages of a version of a file, as pairs of page number and node id, by page number.
    pub fn pages_of_file(&self, fid: i64, version: i64) -> Result<Vec<(i64, i64)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT value, id FROM field_text
             WHERE kind = 'node' AND field = ?1 AND value COLLATE NOCASE >= ?2 AND value COLLATE NOCASE < ?3",
        )?;
        let key = PageOf::key_of(fid, version);
        // The character after a slash.
        let end = format!("{}0", key.trim_end_matches('/'));
        let rows = statement.query_map(params![PAGE_OF, key, end], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?))
        })?;
        let mut pages = Vec::new();
        for row in rows {
            let (found, nid) = row?;
            let number = found.rsplit('/').next().and_then(|text| text.parse().ok());
            pages.extend(number.map(|number| (number, nid)));
        }
        pages.sort_unstable();
        Ok(pages)
    }

    /// The weights of the live members of a node.
    pub fn member_weights(&self, nid: i64) -> Result<MemberWeights, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT (SELECT max(weight) FROM listing WHERE list = ?1 AND of = ?2),
               EXISTS (SELECT 1 FROM listing WHERE list = ?1 AND of = ?2 AND weight IS NULL)",
        )?;
        let [list, of] = ListId::MembersOf(nid).columns();
        Ok(statement.query_row([list, of], |row| {
            Ok(MemberWeights {
                highest: row.get(0)?,
                has_gaps: row.get(1)?,
            })
        })?)
    }
}
