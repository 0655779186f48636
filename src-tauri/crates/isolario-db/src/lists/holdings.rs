//! What a repository or a collection holds, as far as a viewer sees it: items, files, bytes, formats, filled fields, terms
//! and growth. Each question is one walk over the rows of the items, so a report costs as much as there is to report.

use std::cmp::Reverse;

use rusqlite::{Row, params_from_iter};

use super::descendants::nodes_below;
use super::list_id::ListId;
use super::node_set::NodeSet;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, visible, visible_item, visible_media_of_item};
use crate::DbError;
use isolario_model::content::field_roles;

/// What a viewer sees of a repository or collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Without collections.
    pub items: i64,
    /// Those of the items that are published.
    pub published: i64,
    /// Without the one that the report is of.
    pub collections: i64,
    /// The months in which something was added, the first one first.
    pub months: Vec<MonthHoldings>,
    /// The most bytes first.
    pub formats: Vec<FormatHoldings>,
    /// The most bytes first.
    pub media_uses: Vec<MediaUseHoldings>,
    /// How many items, without collections, have a value of a field, by its name.
    pub filled: Vec<(String, i64)>,
    /// How many items, without collections, refer to a term in a field; the most first.
    pub terms: Vec<TermHoldings>,
}

/// What was added in a month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MonthHoldings {
    /// `YYYY-MM`, in UTC.
    pub month: String,
    pub items: i64,
    pub files: i64,
    pub bytes: i64,
}

/// The files of one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatHoldings {
    /// Number in the PRONOM registry, where the format was found.
    pub puid: Option<String>,
    /// Name of the format, where it was found.
    pub name: Option<String>,
    /// MIME type, where no format was found.
    pub mime: Option<String>,
    pub files: i64,
    pub bytes: i64,
}

/// The files of one media use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaUseHoldings {
    /// Term id; `None` for files without a media use.
    pub term: Option<i64>,
    pub files: i64,
    pub bytes: i64,
}

/// The items of one term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermHoldings {
    /// Name of the field.
    pub field: String,
    pub term: i64,
    pub items: i64,
}

/// The value tables of nodes.
const VALUES: [&str; 4] = [
    "field_text",
    "field_number",
    "field_date",
    "field_reference",
];

impl Lists<'_> {
    /// What somebody sees in a collection that they may see, with everything below it; without one, in the repository.
    pub fn holdings(&self, collection: Option<i64>, viewer: &Viewer) -> Result<Holdings, DbError> {
        let all = self.nodes_of_report(collection, viewer)?;
        let count = |keeps: fn(&ReportedNode) -> bool| {
            i64::try_from(all.iter().filter(|node| keeps(node)).count()).unwrap_or(i64::MAX)
        };
        let ids = |keeps: fn(&ReportedNode) -> bool| {
            let kept = all.iter().filter(|node| keeps(node));
            NodeSet::new(&kept.map(|node| node.id).collect::<Vec<_>>())
        };
        let items = ids(|node| !node.is_collection);
        let mut held = Holdings {
            items: count(|node| !node.is_collection),
            published: count(|node| !node.is_collection && node.is_published),
            collections: count(|node| node.is_collection),
            months: self.months_of_items(&items)?,
            filled: self.filled_fields(&items)?,
            terms: self.rows(&terms_of(&items, viewer), read_term)?,
            ..Holdings::default()
        };
        let files = self.rows(&files_of(&ids(|_| true), viewer), read_files)?;
        files.into_iter().for_each(|group| held.add(group));
        held.months
            .sort_by(|one, other| one.month.cmp(&other.month));
        held.formats.sort_by_key(|format| Reverse(format.bytes));
        held.media_uses.sort_by_key(|used| Reverse(used.bytes));
        Ok(held)
    }

    fn nodes_of_report(
        &self,
        collection: Option<i64>,
        viewer: &Viewer,
    ) -> Result<Vec<ReportedNode>, DbError> {
        let query = match collection {
            Some(nid) => nodes_below(nid, &viewer.nodes),
            None => {
                let [list, of] = ListId::All.columns();
                let mut query = Query::with(
                    "SELECT l.node, l.is_collection, l.published FROM listing l
                     WHERE l.list = ? AND l.of = ?",
                    &[list, of],
                );
                query.and(&visible_item("l", "l.node", &viewer.nodes));
                query
            }
        };
        self.rows(&query, |row| {
            Ok(ReportedNode {
                id: row.get(0)?,
                is_collection: row.get(1)?,
                is_published: row.get(2)?,
            })
        })
    }

    fn months_of_items(&self, items: &NodeSet) -> Result<Vec<MonthHoldings>, DbError> {
        let [list, of] = ListId::All.columns();
        let mut query = Query::with(
            "SELECT strftime('%Y-%m', l.created, 'unixepoch'), count(*) FROM listing l WHERE l.list = ? AND l.of = ?",
            &[list, of],
        );
        query.and(&items.has("l.node")).push("GROUP BY 1");
        self.rows(&query, |row| {
            Ok(MonthHoldings {
                month: row.get(0)?,
                items: row.get(1)?,
                ..MonthHoldings::default()
            })
        })
    }

    fn filled_fields(&self, items: &NodeSet) -> Result<Vec<(String, i64)>, DbError> {
        let mut query = Query::new("SELECT field, sum(items) FROM (");
        for (at, table) in VALUES.into_iter().enumerate() {
            query.push(if at == 0 { "" } else { "UNION ALL" });
            // The values of a field are all in one table; the first is the one with the delta 0.
            query.push(&format!(
                "SELECT v.field, count(*) AS items FROM {table} v WHERE v.kind = 'node' AND v.delta = 0"
            ));
            query.and(&items.has("v.id")).push("GROUP BY v.field");
        }
        query.push(") GROUP BY field ORDER BY field");
        self.rows(&query, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn rows<T>(
        &self,
        query: &Query,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let rows = statement.query_map(params_from_iter(&query.values), read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

struct ReportedNode {
    id: i64,
    is_collection: bool,
    is_published: bool,
}

/// Files that have their month, format and media use in common.
struct FileGroup {
    month: String,
    format: FormatHoldings,
    media_use: Option<i64>,
}

impl Holdings {
    fn add(&mut self, group: FileGroup) {
        let (files, bytes) = (group.format.files, group.format.bytes);
        let found = self
            .months
            .iter_mut()
            .find(|known| known.month == group.month);
        match found {
            Some(month) => {
                month.files += files;
                month.bytes += bytes;
            }
            None => self.months.push(MonthHoldings {
                month: group.month,
                items: 0,
                files,
                bytes,
            }),
        }
        let term = group.media_use;
        match self.media_uses.iter_mut().find(|known| known.term == term) {
            Some(used) => {
                used.files += files;
                used.bytes += bytes;
            }
            None => self
                .media_uses
                .push(MediaUseHoldings { term, files, bytes }),
        }
        let of_format = |known: &&mut FormatHoldings| {
            let name = |format: &FormatHoldings| {
                (
                    format.puid.clone(),
                    format.name.clone(),
                    format.mime.clone(),
                )
            };
            name(known) == name(&group.format)
        };
        match self.formats.iter_mut().find(of_format) {
            Some(format) => {
                format.files += files;
                format.bytes += bytes;
            }
            None => self.formats.push(group.format),
        }
    }
}

/// The current files of the media of nodes, in groups. A file that several media or nodes have counts once, with one of
/// its media uses.
fn files_of(nodes: &NodeSet, viewer: &Viewer) -> Query {
    let roles = field_roles();
    let mut query = Query::new(&format!(
        "SELECT strftime('%Y-%m', f.created, 'unixepoch'), x.facts ->> '$.puid', x.facts ->> '$.format',
           CASE WHEN x.facts ->> '$.format' IS NULL THEN f.mime END, f.media_use, count(*), sum(f.size) FROM (
         SELECT f.fid, f.version, v.mime, v.size, f.created, min(u.target_id) AS media_use
         FROM field_reference o
         CROSS JOIN media m INDEXED BY media_live ON m.id = o.id AND m.deleted IS NULL
         CROSS JOIN field_reference b ON b.kind = 'media' AND b.id = m.id AND b.target_kind = 'file' AND b.delta = 0
         CROSS JOIN file f ON f.fid = b.target_id AND f.deleted IS NULL
         CROSS JOIN file_version v ON v.fid = f.fid AND v.version = f.version
         LEFT JOIN field_reference u ON u.kind = 'media' AND u.id = m.id AND u.field = '{}' AND u.delta = 0
         WHERE o.kind = 'media' AND o.field = '{}' AND o.target_kind = 'node'",
        roles.media_use, roles.media_of,
    ));
    query.and(&visible_media_of_item("m", &viewer.media));
    query.and(&nodes.has("o.target_id")).push(
        "GROUP BY f.fid) f
         LEFT JOIN file_facts x ON x.fid = f.fid AND x.version = f.version GROUP BY 1, 2, 3, 4, 5",
    );
    query
}

/// Terms that the viewer sees. The walk begins with the terms: what refers to one stands together.
fn terms_of(items: &NodeSet, viewer: &Viewer) -> Query {
    let mut query = Query::new(
        "SELECT v.field, t.id, count(DISTINCT v.id) AS items FROM taxonomy_term t
         CROSS JOIN field_reference v INDEXED BY field_reference_target
           ON v.target_id = t.id AND v.target_kind = 'taxonomy_term' AND v.kind = 'node'
         WHERE t.deleted IS NULL",
    );
    query
        .and(&visible("t", viewer.terms))
        .and(&items.has("v.id"));
    query.push("GROUP BY t.id, v.field ORDER BY v.field, items DESC, t.id");
    query
}

fn read_files(row: &Row<'_>) -> rusqlite::Result<FileGroup> {
    Ok(FileGroup {
        month: row.get(0)?,
        format: FormatHoldings {
            puid: row.get(1)?,
            name: row.get(2)?,
            mime: row.get(3)?,
            files: row.get(5)?,
            bytes: row.get(6)?,
        },
        media_use: row.get(4)?,
    })
}

fn read_term(row: &Row<'_>) -> rusqlite::Result<TermHoldings> {
    Ok(TermHoldings {
        field: row.get(0)?,
        term: row.get(1)?,
        items: row.get(2)?,
    })
}
