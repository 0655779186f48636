//! Finds the items that hold given bytes.

use rusqlite::{OptionalExtension, Row, params, params_from_iter};

use super::Viewer;
use super::sql_parts::Query;
use super::visible::{visible_item, visible_media_of_item};
use crate::{DbError, Read};
use isolario_model::content::field_roles;

/// An item that holds certain bytes as its current file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub nid: i64,
    pub title: String,
}

/// Live items with the live media and current files that they have, from a version on.
fn holders() -> String {
    let media_of = &field_roles().media_of;
    format!(
        "SELECT n.id, n.label FROM file_version v
     CROSS JOIN file f ON f.fid = v.fid AND f.version = v.version AND f.deleted IS NULL
     CROSS JOIN field_reference r ON r.target_kind = 'file' AND r.target_id = f.fid AND r.kind = 'media'
     CROSS JOIN media m ON m.id = r.id AND m.deleted IS NULL
     CROSS JOIN field_reference o ON o.kind = 'media' AND o.id = m.id AND o.field = '{media_of}'
     CROSS JOIN node n ON n.id = o.target_id AND n.deleted IS NULL"
    )
}

impl Read<'_> {
    /// A live item, other than `but`, that holds these bytes (hexadecimal SHA-512). Of several, the one with the oldest
    /// file.
    pub fn item_with_bytes(&self, sha512: &str, but: Option<i64>) -> Result<Option<i64>, DbError> {
        let holders = holders();
        let sql = format!("{holders} WHERE v.sha512 = ?1 AND n.id IS NOT ?2 LIMIT 1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_row(params![sha512, but], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// An item that the viewer may view and that holds these bytes (hexadecimal SHA-512). Of several, the one with the
    /// oldest file.
    pub fn holder_of(&self, sha512: &str, viewer: &Viewer) -> Result<Option<Holder>, DbError> {
        let mut query = Query::new(&holders());
        query.push("WHERE v.sha512 = ?").bind(sha512.to_owned());
        self.seen_holder(&mut query, viewer)
    }

    /// Whether an item that the viewer may view holds a file of so many bytes.
    pub fn holds_size(&self, size: i64, viewer: &Viewer) -> Result<bool, DbError> {
        let mut query = Query::new(&holders());
        query.push("WHERE v.size = ?").bind(size);
        Ok(self.seen_holder(&mut query, viewer)?.is_some())
    }

    fn seen_holder(&self, query: &mut Query, viewer: &Viewer) -> Result<Option<Holder>, DbError> {
        query.and(&visible_item("n", "n.id", &viewer.nodes));
        // The item is seen, so its media is seen through it.
        let media = visible_media_of_item("m", &viewer.media);
        query.and(&media).push("LIMIT 1");
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let found = statement.query_row(params_from_iter(&query.values), read_holder);
        Ok(found.optional()?)
    }
}

fn read_holder(row: &Row<'_>) -> rusqlite::Result<Holder> {
    Ok(Holder {
        nid: row.get(0)?,
        title: row.get(1)?,
    })
}
