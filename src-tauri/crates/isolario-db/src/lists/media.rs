//! Media as lists show them: of one node, or all.

use rusqlite::types::Value;
use rusqlite::{Row, params};

use super::cursor::{Cursor, Key, Page, Total};
use super::item_row::TermName;
use super::sql_parts::Query;
use super::visible::{Viewer, visible, visible_item, visible_media, visible_media_of_item};
use crate::{DbError, Read};
use isolario_model::content::page_of::PAGE_OF;
use isolario_model::content::{
    ContentModel, EntityKind, FileUri, Item, MimeType, PictureAdjustment, TermRole, field_roles,
    uri_of,
};

/// The file behind a media.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaFile {
    pub fid: i64,
    pub filename: String,
    pub uri: FileUri,
    pub mime: MimeType,
    /// Bytes.
    pub size: i64,
    /// Pixels.
    pub width: Option<i64>,
    pub height: Option<i64>,
    pub sha512: String,
    /// Counts replacements of the bytes.
    pub version: i64,
}

/// A media as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaRow {
    pub mid: i64,
    pub revision: i64,
    pub bundle: String,
    pub name: String,
    pub published: bool,
    pub owner: i64,
    /// Unix seconds.
    pub changed: i64,
    pub uses: Vec<TermName>,
    /// The nodes it belongs to, deleted ones and such that the viewer may not see among them.
    pub nodes: Vec<i64>,
    /// `None` where the media type keeps no file, or it is gone.
    pub file: Option<MediaFile>,
    /// How the picture in the file is adjusted.
    pub adjustment: Option<PictureAdjustment>,
}

impl MediaRow {
    /// Whether it has the use with a role.
    pub fn has_use(&self, role: TermRole) -> bool {
        let uri = uri_of(role);
        self.uses
            .iter()
            .any(|term| term.uri.as_deref() == Some(uri))
    }
}

const COLUMNS: &str = "m.id, m.revision, m.bundle, m.label, m.published, m.owner, m.changed,
  m.document -> '$.\"@picture_adjustment\"'";
/// The only order of the list of all media: the newest first.
pub const MEDIA_ORDER: &str = "media desc";

impl Read<'_> {
    /// Live media of a node that the viewer may see, by id.
    pub fn item_media(
        &self,
        model: &ContentModel,
        nid: i64,
        viewer: &Viewer,
    ) -> Result<Vec<MediaRow>, DbError> {
        let media_of = &field_roles().media_of;
        let mut query = Query::with(
            &format!(
                "SELECT {COLUMNS} FROM field_reference r CROSS JOIN media m ON m.id = r.id AND m.deleted IS NULL
                 WHERE r.target_kind = 'node' AND r.target_id = ? AND r.kind = 'media' AND r.field = '{media_of}'"
            ),
            &[nid],
        );
        query.and(&visible_media_of_item("m", &viewer.media));
        // They are seen through this very node.
        query
            .push("AND EXISTS (SELECT 1 FROM node n WHERE n.id = ?")
            .bind(nid);
        query
            .and(&visible_item("n", "n.id", &viewer.nodes))
            .push(")");
        query.push("ORDER BY m.id");
        self.media_rows(model, &query, viewer)
    }

    /// One live media, if the viewer may see it.
    pub fn one_media(
        &self,
        model: &ContentModel,
        mid: i64,
        viewer: &Viewer,
    ) -> Result<Option<MediaRow>, DbError> {
        let mut query = Query::with(
            &format!("SELECT {COLUMNS} FROM media m WHERE m.id = ? AND m.deleted IS NULL"),
            &[mid],
        );
        query.and(&visible_media("m", &viewer.media));
        Ok(self.media_rows(model, &query, viewer)?.pop())
    }

    /// Live media that hold the file of a URI and that the viewer may see, by id.
    pub fn media_of_file(
        &self,
        model: &ContentModel,
        uri: &FileUri,
        viewer: &Viewer,
    ) -> Result<Vec<MediaRow>, DbError> {
        let Some(file) = self.file_by_uri(uri)? else {
            return Ok(Vec::new());
        };
        let media = self.media_using_file(file.fid)?;
        let rows = media
            .into_iter()
            .map(|target| self.one_media(model, target.id, viewer));
        rows.filter_map(Result::transpose).collect()
    }

    /// One page of all media, the newest first.
    pub fn media_page(
        &self,
        model: &ContentModel,
        viewer: &Viewer,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<MediaRow>, DbError> {
        if viewer.media.is_nothing() {
            return Ok(Page::empty());
        }
        let query = media_page_query(viewer, after, limit + 1);
        let mut rows = self.media_rows(model, &query, viewer)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| Cursor {
            order: MEDIA_ORDER.into(),
            key: Key::None,
            id: row.mid,
        });
        let total = self.media_total(viewer)?;
        Ok(Page { rows, next, total })
    }

    fn media_total(&self, viewer: &Viewer) -> Result<Total, DbError> {
        const MOST: i64 = 10_000;
        let mut rows =
            Query::new("SELECT 1 FROM media m INDEXED BY media_live WHERE m.deleted IS NULL");
        rows.and(&visible_media("m", &viewer.media));
        let count = self.count_up_to(&rows, MOST + 1)?;
        Ok(Total {
            count: count.min(MOST),
            is_exact: count <= MOST,
        })
    }

    fn media_rows(
        &self,
        model: &ContentModel,
        query: &Query,
        viewer: &Viewer,
    ) -> Result<Vec<MediaRow>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let rows = statement.query_map(values, |row| Ok((read_media(row)?, row.get(7)?)))?;
        rows.map(|row| {
            let (mut media, adjustment): (MediaRow, Option<String>) = row?;
            media.uses = self.uses_of(media.mid, viewer)?;
            media.nodes = self.nodes_of_media(media.mid)?;
            media.file = self.source_of(model, &media)?;
            if let (Some(text), Some(file)) = (adjustment, &media.file) {
                let items: Vec<Item> = serde_json::from_str(&text)?;
                media.adjustment = PictureAdjustment::kept(&items, &file.sha512);
            }
            Ok(media)
        })
        .collect()
    }

    fn uses_of(&self, mid: i64, viewer: &Viewer) -> Result<Vec<TermName>, DbError> {
        let media_use = &field_roles().media_use;
        let mut query = Query::with(
            &format!(
                "SELECT t.id, t.label FROM field_reference r
                 CROSS JOIN taxonomy_term t ON t.id = r.target_id AND t.deleted IS NULL
                 WHERE r.kind = 'media' AND r.id = ? AND r.field = '{media_use}' AND r.target_kind = 'taxonomy_term'"
            ),
            &[mid],
        );
        query
            .and(&visible("t", viewer.terms))
            .push("ORDER BY r.delta");
        self.term_names(&query)
    }

    /// Whether a live node has an original file, or is a page of the original file of another node, whoever may see it.
    pub(super) fn has_original(&self, nid: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM field_reference o
             CROSS JOIN field_reference u ON u.kind = 'media' AND u.id = o.id AND u.field = ?4
               AND u.target_kind = 'taxonomy_term'
             CROSS JOIN field_text t ON t.kind = 'taxonomy_term' AND t.id = u.target_id
               AND t.field = ?5 AND t.value = ?2
             WHERE o.target_kind = 'node' AND o.target_id = ?1 AND o.kind = 'media' AND o.field = ?3
             UNION ALL SELECT 1 FROM field_text WHERE kind = 'node' AND id = ?1 AND field = ?6",
        )?;
        let (uri, fields) = (uri_of(TermRole::OriginalFile), field_roles());
        let asked = params![
            nid,
            uri,
            fields.media_of,
            fields.media_use,
            fields.external_uri,
            PAGE_OF
        ];
        Ok(statement.exists(asked)?)
    }

    fn source_of(
        &self,
        model: &ContentModel,
        media: &MediaRow,
    ) -> Result<Option<MediaFile>, DbError> {
        let bundle = model.bundle(EntityKind::Media, &media.bundle);
        let Some(field) = bundle.and_then(|bundle| bundle.source_field.clone()) else {
            return Ok(None);
        };
        let mut statement = self.connection.prepare_cached(
            "SELECT f.fid, f.filename, f.uri, v.mime, v.size, v.width, v.height, v.sha512, f.version
             FROM field_reference r CROSS JOIN file f ON f.fid = r.target_id AND f.deleted IS NULL
             CROSS JOIN file_version v ON v.fid = f.fid AND v.version = f.version
             WHERE r.kind = 'media' AND r.id = ?1 AND r.field = ?2 AND r.delta = 0 AND r.target_kind = 'file'",
        )?;
        let mut rows = statement.query_map((media.mid, field), read_file)?;
        Ok(rows.next().transpose()?.flatten())
    }
}

pub(super) fn media_page_query(viewer: &Viewer, after: Option<&Cursor>, limit: usize) -> Query {
    let mut query = Query::new(&format!(
        "SELECT {COLUMNS} FROM (SELECT i.id FROM media i INDEXED BY media_live WHERE i.deleted IS NULL"
    ));
    query.and(&visible_media("i", &viewer.media));
    if let Some(cursor) = after {
        query.push("AND i.id < ?").bind(cursor.id);
    }
    let limit = Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX));
    query.push("ORDER BY i.id DESC LIMIT ?").bind(limit);
    query.push(") p CROSS JOIN media m ON m.id = p.id ORDER BY p.id DESC");
    query
}

fn read_media(row: &Row<'_>) -> rusqlite::Result<MediaRow> {
    Ok(MediaRow {
        mid: row.get(0)?,
        revision: row.get(1)?,
        bundle: row.get(2)?,
        name: row.get(3)?,
        published: row.get(4)?,
        owner: row.get(5)?,
        changed: row.get(6)?,
        uses: Vec::new(),
        nodes: Vec::new(),
        file: None,
        adjustment: None,
    })
}

fn read_file(row: &Row<'_>) -> rusqlite::Result<Option<MediaFile>> {
    let Some(uri) = FileUri::parse(&row.get::<_, String>(2)?) else {
        return Ok(None);
    };
    Ok(Some(MediaFile {
        fid: row.get(0)?,
        filename: row.get(1)?,
        uri,
        mime: MimeType::from(row.get::<_, String>(3)?),
        size: row.get(4)?,
        width: row.get(5)?,
        height: row.get(6)?,
        sha512: row.get(7)?,
        version: row.get(8)?,
    }))
}
