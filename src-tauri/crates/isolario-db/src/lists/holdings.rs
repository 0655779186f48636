//! What a repository or a collection holds, as far as a viewer sees it: items, files, bytes, formats, filled fields, terms
//! and growth. Each question walks along a table once.

mod files;
mod references;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Row, params_from_iter};

use self::files::FileTotal;
use self::references::ReferenceField;
use super::descendants::nodes_below;
use super::id_set::IdSet;
use super::list_id::ListId;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, visible_item};
use crate::DbError;

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

/// The tables of the values of nodes that are no references.
const VALUES: [&str; 3] = ["field_text", "field_number", "field_date"];

impl Lists<'_> {
    /// What somebody sees in a collection that they may see, with everything below it; without one, in the repository.
    pub fn holdings(&self, collection: Option<i64>, viewer: &Viewer) -> Result<Holdings, DbError> {
        let all = self.nodes_of_report(collection, viewer)?;
        let count = |keeps: fn(&ReportedNode) -> bool| {
            i64::try_from(all.iter().filter(|node| keeps(node)).count()).unwrap_or(i64::MAX)
        };
        let ids = |keeps: fn(&ReportedNode) -> bool| {
            let kept = all.iter().filter(|node| keeps(node));
            IdSet::new(&kept.map(|node| node.id).collect::<Vec<_>>())
        };
        let items = ids(|node| !node.is_collection);
        let mut files = self.file_totals(&ids(|_| true), viewer)?;
        let references = self.reference_fields(&items, viewer)?;
        let mut filled = self.filled_fields(&items)?;
        filled.extend(
            references
                .iter()
                .map(|field| (field.name.clone(), field.items())),
        );
        Ok(Holdings {
            items: count(|node| !node.is_collection),
            published: count(|node| !node.is_collection && node.is_published),
            collections: count(|node| node.is_collection),
            months: self.months(self.days_of_items(&items)?, files.days())?,
            formats: files.formats(),
            media_uses: files.media_uses(),
            filled,
            terms: references
                .into_iter()
                .flat_map(ReferenceField::into_terms)
                .collect(),
        })
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

    /// How many items were added on a day, in days since 1970.
    fn days_of_items(&self, items: &IdSet) -> Result<HashMap<i64, i64>, DbError> {
        let [list, of] = ListId::All.columns();
        let mut query = Query::with(
            "SELECT l.created FROM listing l WHERE l.list = ? AND l.of = ?",
            &[list, of],
        );
        query.and(&items.has("l.node"));
        let mut days = HashMap::new();
        self.each_row(&query, |row| {
            *days.entry(day_of(row.get(0)?)).or_default() += 1;
            Ok(())
        })?;
        Ok(days)
    }

    /// What was added on days, by months. A month is named once for each day, because that takes long.
    fn months(
        &self,
        items: HashMap<i64, i64>,
        files: HashMap<i64, FileTotal>,
    ) -> Result<Vec<MonthHoldings>, DbError> {
        let mut months: BTreeMap<String, MonthHoldings> = BTreeMap::new();
        let days: BTreeSet<i64> = items.keys().chain(files.keys()).copied().collect();
        let mut named = self
            .connection
            .prepare_cached("SELECT strftime('%Y-%m', ? * 86400, 'unixepoch')")?;
        for day in days {
            let month: String = named.query_row([day], |row| row.get(0))?;
            let held = months
                .entry(month)
                .or_insert_with_key(|month| MonthHoldings {
                    month: month.clone(),
                    ..MonthHoldings::default()
                });
            held.items += items.get(&day).copied().unwrap_or_default();
            let total = files.get(&day).copied().unwrap_or_default();
            held.files += total.files;
            held.bytes += total.bytes;
        }
        Ok(months.into_values().collect())
    }

    fn filled_fields(&self, items: &IdSet) -> Result<Vec<(String, i64)>, DbError> {
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
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, DbError> {
        let mut found = Vec::new();
        self.each_row(query, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    fn each_row(
        &self,
        query: &Query,
        mut take: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let mut rows = statement.query(params_from_iter(&query.values))?;
        while let Some(row) = rows.next()? {
            take(row)?;
        }
        Ok(())
    }
}

struct ReportedNode {
    id: i64,
    is_collection: bool,
    is_published: bool,
}

/// The day of a time in Unix seconds, in days since 1970 (UTC).
fn day_of(seconds: i64) -> i64 {
    seconds.div_euclid(24 * 60 * 60)
}
