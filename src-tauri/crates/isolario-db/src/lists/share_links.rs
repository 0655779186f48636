//! Share links, the newest first.

use super::cursor::{Cursor, Key, Page, Total};
use super::sql_parts::Query;
use crate::share_link::{COLUMNS, read_share_link};
use crate::{DbError, Read, ShareLink};

/// The only order of the list of share links.
pub const SHARE_LINK_ORDER: &str = "share link";

/// Which share links: those of an item (node id), those that an account has made, or all.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShareLinkFilter {
    pub item: Option<i64>,
    /// User id.
    pub maker: Option<i64>,
}

impl Read<'_> {
    /// One page of share links.
    pub fn share_link_page(
        &self,
        filter: ShareLinkFilter,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<ShareLink>, DbError> {
        let query = page_query(filter, after, limit + 1);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let found = statement.query_map(values, read_share_link)?;
        let mut rows: Vec<ShareLink> = found.collect::<Result<_, _>>()?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|link| Cursor {
            order: SHARE_LINK_ORDER.into(),
            key: Key::None,
            id: link.id,
        });
        let mut all = Query::new("SELECT count(*) FROM share_link WHERE 1");
        all.append(&condition(filter));
        let total = Total::exact(self.number(&all)?);
        Ok(Page { rows, next, total })
    }
}

fn page_query(filter: ShareLinkFilter, after: Option<&Cursor>, limit: usize) -> Query {
    let mut query = Query::new(&format!("SELECT {COLUMNS} FROM share_link WHERE 1"));
    query.append(&condition(filter));
    if let Some(cursor) = after {
        query.push("AND id < ?").bind(cursor.id);
    }
    query.push("ORDER BY id DESC LIMIT ?");
    query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
    query
}

fn condition(filter: ShareLinkFilter) -> Query {
    let mut query = Query::default();
    if let Some(nid) = filter.item {
        query.push("AND nid = ?").bind(nid);
    }
    if let Some(uid) = filter.maker {
        query.push("AND uid = ?").bind(uid);
    }
    query
}
