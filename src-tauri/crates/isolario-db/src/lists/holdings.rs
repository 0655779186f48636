//! What a repository or a collection holds, as far as a viewer sees it: items, files, bytes, formats, filled fields, terms
//! and growth. Each question is one walk over the rows of the items, so a report costs as much as there is to report.

use rusqlite::{Row, params_from_iter};

use super::descendants::nodes_below;
use super::list_id::ListId;
use super::node_set::NodeSet;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, visible};
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
    pub mime: String,
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
        let files = Files {
            rows: files_of(&ids(|_| true), viewer),
        };
        Ok(Holdings {
            items: count(|node| !node.is_collection),
            published: count(|node| !node.is_collection && node.is_published),
            collections: count(|node| node.is_collection),
            months: self.months(&items, &files)?,
            formats: self.rows(&files.by_format(), read_format)?,
            media_uses: self.rows(&files.by_media_use(), read_media_use)?,
            filled: self.filled_fields(&items)?,
            terms: self.rows(&terms_of(&items, viewer), read_term)?,
        })
    }

    fn nodes_of_report(
        &self,
        collection: Option<i64>,
        viewer: &Viewer,
    ) -> Result<Vec<ReportedNode>, DbError> {
        let query = match collection {
            Some(nid) => nodes_below(nid, viewer.nodes),
            None => {
                let [list, of] = ListId::All.columns();
                let mut query = Query::with(
                    "SELECT l.node, l.is_collection, l.published FROM listing l
                     WHERE l.list = ? AND l.of = ?",
                    &[list, of],
                );
                query.and(&visible("l", viewer.nodes));
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

    /// Items of a month and files of a month have their places in one list.
    fn months(&self, items: &NodeSet, files: &Files) -> Result<Vec<MonthHoldings>, DbError> {
        let [list, of] = ListId::All.columns();
        let mut query = Query::new(
            "SELECT month, sum(items), sum(files), sum(bytes) FROM (
               SELECT strftime('%Y-%m', l.created, 'unixepoch') AS month, count(*) AS items, 0 AS files, 0 AS bytes
               FROM listing l WHERE l.list = ? AND l.of = ?",
        );
        query.bind(list).bind(of);
        query.and(&items.has("l.node")).push("GROUP BY 1 UNION ALL");
        query.push("SELECT strftime('%Y-%m', created, 'unixepoch'), 0, count(*), sum(size) FROM (");
        query
            .append(&files.rows)
            .push(") GROUP BY 1) GROUP BY 1 ORDER BY 1");
        self.rows(&query, |row| {
            Ok(MonthHoldings {
                month: row.get(0)?,
                items: row.get(1)?,
                files: row.get(2)?,
                bytes: row.get(3)?,
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

/// The current files of the media of the reported nodes.
struct Files {
    /// A SELECT of `fid`, `version`, `mime`, `size`, `created` and `media_use`, each file once.
    rows: Query,
}

impl Files {
    fn by_format(&self) -> Query {
        let mut query = Query::new(
            "SELECT x.facts ->> '$.puid', x.facts ->> '$.format', f.mime, count(*), sum(f.size) FROM (",
        );
        query.append(&self.rows).push(
            ") f LEFT JOIN file_facts x ON x.fid = f.fid AND x.version = f.version
             GROUP BY 1, 2, 3 ORDER BY 5 DESC, 3, 1, 2",
        );
        query
    }

    fn by_media_use(&self) -> Query {
        let mut query = Query::new("SELECT media_use, count(*), sum(size) FROM (");
        query
            .append(&self.rows)
            .push(") GROUP BY 1 ORDER BY 3 DESC, 1");
        query
    }
}

/// A file that several media or nodes have counts once, with the first media use of the first of them.
fn files_of(nodes: &NodeSet, viewer: &Viewer) -> Query {
    let roles = field_roles();
    let mut query = Query::new(&format!(
        "SELECT f.fid, f.version, v.mime, v.size, f.created, min(u.target_id) AS media_use
         FROM field_reference o
         CROSS JOIN media m INDEXED BY media_live ON m.id = o.id AND m.deleted IS NULL
         CROSS JOIN field_reference b ON b.kind = 'media' AND b.id = m.id AND b.target_kind = 'file' AND b.delta = 0
         CROSS JOIN file f ON f.fid = b.target_id AND f.deleted IS NULL
         CROSS JOIN file_version v ON v.fid = f.fid AND v.version = f.version
         LEFT JOIN field_reference u ON u.kind = 'media' AND u.id = m.id AND u.field = '{}' AND u.delta = 0
         WHERE o.kind = 'media' AND o.field = '{}' AND o.target_kind = 'node'",
        roles.media_use, roles.media_of,
    ));
    query.and(&visible("m", viewer.media.itself));
    query.and(&nodes.has("o.target_id")).push("GROUP BY f.fid");
    query
}

/// Terms that the viewer sees.
fn terms_of(items: &NodeSet, viewer: &Viewer) -> Query {
    let mut query = Query::new(
        "SELECT r.field, r.target_id, r.items FROM (
           SELECT v.field, v.target_id, count(DISTINCT v.id) AS items FROM field_reference v
           WHERE v.kind = 'node' AND v.target_kind = 'taxonomy_term'",
    );
    query.and(&items.has("v.id")).push(
        "GROUP BY v.field, v.target_id) r
         CROSS JOIN taxonomy_term t ON t.id = r.target_id AND t.deleted IS NULL WHERE",
    );
    query
        .append(&visible("t", viewer.terms))
        .push("ORDER BY r.field, r.items DESC, r.target_id");
    query
}

fn read_format(row: &Row<'_>) -> rusqlite::Result<FormatHoldings> {
    Ok(FormatHoldings {
        puid: row.get(0)?,
        name: row.get(1)?,
        mime: row.get(2)?,
        files: row.get(3)?,
        bytes: row.get(4)?,
    })
}

fn read_media_use(row: &Row<'_>) -> rusqlite::Result<MediaUseHoldings> {
    Ok(MediaUseHoldings {
        term: row.get(0)?,
        files: row.get(1)?,
        bytes: row.get(2)?,
    })
}

fn read_term(row: &Row<'_>) -> rusqlite::Result<TermHoldings> {
    Ok(TermHoldings {
        field: row.get(0)?,
        term: row.get(1)?,
        items: row.get(2)?,
    })
}
