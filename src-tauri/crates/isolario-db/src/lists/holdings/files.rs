//! The files in a report of what is held: the current ones of the media of items. Each table is walked once, along its
//! own order, because a join of all of them for each file takes three times as long.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

use rusqlite::Row;

use super::{FormatHoldings, MediaUseHoldings, day_of};
use crate::DbError;
use crate::lists::id_set::IdSet;
use crate::lists::snapshot::Lists;
use crate::lists::sql_parts::Query;
use crate::lists::visible::{Viewer, visible_media_of_item};
use isolario_model::content::field_roles;

/// How many files there are of each kind.
#[derive(Debug, Default)]
pub(super) struct FileTotals {
    /// By the day on which they were added, in days since 1970.
    days: HashMap<i64, FileTotal>,
    formats: HashMap<Format, FileTotal>,
    /// By term id.
    media_uses: HashMap<Option<i64>, FileTotal>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileTotal {
    pub(super) files: i64,
    pub(super) bytes: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Format {
    puid: Option<String>,
    name: Option<String>,
    mime: Option<String>,
}

/// A file of a media that belongs to a node.
struct FileOfMedia {
    mid: i64,
    fid: i64,
    media_use: Option<i64>,
}

impl Lists<'_> {
    /// The files of the media of nodes that a viewer sees. A file that several media or nodes have counts once, with one
    /// of its media uses.
    pub(super) fn file_totals(
        &self,
        nodes: &IdSet,
        viewer: &Viewer,
    ) -> Result<FileTotals, DbError> {
        let of_media = self.files_of_media(nodes)?;
        let media: Vec<i64> = of_media.iter().map(|file| file.mid).collect();
        let media = self.live_media(&IdSet::new(&media), viewer)?;
        let mut media_uses: HashMap<i64, Option<i64>> = HashMap::new();
        for file in of_media.iter().filter(|file| media.contains(file.mid)) {
            let media_use = media_uses.entry(file.fid).or_default();
            *media_use = media_use.iter().copied().chain(file.media_use).min();
        }
        let files: Vec<i64> = media_uses.keys().copied().collect();
        let mut totals = FileTotals::default();
        self.each_row(&live_files(&IdSet::new(&files)), |row| {
            let fid: i64 = row.get(0)?;
            totals.add(row, media_uses.get(&fid).copied().flatten())
        })?;
        Ok(totals)
    }

    fn files_of_media(&self, nodes: &IdSet) -> Result<Vec<FileOfMedia>, DbError> {
        let mut files: Vec<FileOfMedia> = Vec::new();
        let mut media = MediaReferences::default();
        self.each_row(&references_of_media(), |row| {
            let mid: i64 = row.get(0)?;
            if media.mid != mid {
                files.extend(std::mem::take(&mut media).into_files());
                media.mid = mid;
            }
            let target: i64 = row.get(2)?;
            match row.get(1)? {
                Some(MEDIA_OF) => media.is_of_nodes |= nodes.contains(target),
                Some(FILE) => media.files.push(target),
                Some(MEDIA_USE) => media.media_use = Some(target),
                _ => (),
            }
            Ok(())
        })?;
        files.extend(media.into_files());
        Ok(files)
    }

    fn live_media(&self, among: &IdSet, viewer: &Viewer) -> Result<IdSet, DbError> {
        let mut query =
            Query::new("SELECT m.id FROM media m INDEXED BY media_live WHERE m.deleted IS NULL");
        query
            .and(&among.has("m.id"))
            .and(&visible_media_of_item("m", &viewer.media));
        Ok(IdSet::new(&self.rows(&query, |row| row.get(0))?))
    }
}

/// The references of one media.
#[derive(Default)]
struct MediaReferences {
    mid: i64,
    is_of_nodes: bool,
    files: Vec<i64>,
    media_use: Option<i64>,
}

impl MediaReferences {
    fn into_files(self) -> impl Iterator<Item = FileOfMedia> {
        let files = if self.is_of_nodes {
            self.files
        } else {
            Vec::new()
        };
        files.into_iter().map(move |fid| FileOfMedia {
            mid: self.mid,
            fid,
            media_use: self.media_use,
        })
    }
}

const MEDIA_OF: i64 = 0;
const FILE: i64 = 1;
const MEDIA_USE: i64 = 2;

/// In the order of the table: those of a media stand together.
fn references_of_media() -> Query {
    let roles = field_roles();
    Query::new(&format!(
        "SELECT r.id, CASE WHEN r.field = '{}' AND r.target_kind = 'node' THEN {MEDIA_OF}
           WHEN r.target_kind = 'file' AND r.delta = 0 THEN {FILE}
           WHEN r.field = '{}' AND r.delta = 0 THEN {MEDIA_USE} END, r.target_id
         FROM field_reference r WHERE r.kind = 'media' ORDER BY r.id",
        roles.media_of, roles.media_use,
    ))
}

fn live_files(among: &IdSet) -> Query {
    let mut query = Query::new(
        "SELECT f.fid, f.created, x.facts ->> '$.puid', x.facts ->> '$.format', v.mime,
           v.size
         FROM file f CROSS JOIN file_version v ON v.fid = f.fid AND v.version = f.version
         LEFT JOIN file_facts x ON x.fid = f.fid AND x.version = f.version WHERE f.deleted IS NULL",
    );
    query.and(&among.has("f.fid"));
    query
}

impl FileTotals {
    /// Adds a row of `live_files`.
    fn add(&mut self, row: &Row<'_>, media_use: Option<i64>) -> rusqlite::Result<()> {
        let name: Option<String> = row.get(3)?;
        let mime = match name {
            Some(_) => None,
            None => row.get(4)?,
        };
        let format = Format {
            puid: row.get(2)?,
            name,
            mime,
        };
        let bytes = row.get(5)?;
        let day = day_of(row.get(1)?);
        self.days.entry(day).or_default().add(bytes);
        self.formats.entry(format).or_default().add(bytes);
        self.media_uses.entry(media_use).or_default().add(bytes);
        Ok(())
    }

    /// By the day on which they were added, in days since 1970.
    pub(super) fn days(&mut self) -> HashMap<i64, FileTotal> {
        std::mem::take(&mut self.days)
    }

    /// The most bytes first.
    pub(super) fn formats(&mut self) -> Vec<FormatHoldings> {
        let formats = most_bytes_first(&mut self.formats).map(|(format, total)| FormatHoldings {
            puid: format.puid,
            name: format.name,
            mime: format.mime,
            files: total.files,
            bytes: total.bytes,
        });
        formats.collect()
    }

    /// The most bytes first.
    pub(super) fn media_uses(&mut self) -> Vec<MediaUseHoldings> {
        let uses = most_bytes_first(&mut self.media_uses).map(|(term, total)| MediaUseHoldings {
            term,
            files: total.files,
            bytes: total.bytes,
        });
        uses.collect()
    }
}

impl FileTotal {
    fn add(&mut self, bytes: i64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

fn most_bytes_first<K: Ord + Hash>(
    totals: &mut HashMap<K, FileTotal>,
) -> impl Iterator<Item = (K, FileTotal)> + use<K> {
    let mut totals: Vec<_> = totals.drain().collect();
    totals.sort_by(|(one, of_one), (other, of_other)| {
        (Reverse(of_one.bytes), one).cmp(&(Reverse(of_other.bytes), other))
    });
    totals.into_iter()
}
