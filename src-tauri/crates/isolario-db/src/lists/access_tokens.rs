//! Access tokens, the newest first.

use super::cursor::{Cursor, Key, Page, Total};
use super::sql_parts::Query;
use crate::access_token::{COLUMNS, read_access_token};
use crate::{AccessToken, DbError, Read};

/// The only order of the list of access tokens.
pub const ACCESS_TOKEN_ORDER: &str = "access token";

impl Read<'_> {
    /// One page of the access tokens of an account, or of all.
    pub fn access_token_page(
        &self,
        uid: Option<i64>,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<AccessToken>, DbError> {
        let query = page_query(uid, after, limit + 1);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let found = statement.query_map(values, read_access_token)?;
        let mut rows: Vec<AccessToken> = found.collect::<Result<_, _>>()?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|token| Cursor {
            order: ACCESS_TOKEN_ORDER.into(),
            key: Key::None,
            id: token.id,
        });
        let mut all = Query::new("SELECT count(*) FROM access_token WHERE 1");
        all.append(&condition(uid));
        let total = Total::exact(self.number(&all)?);
        Ok(Page { rows, next, total })
    }
}

fn page_query(uid: Option<i64>, after: Option<&Cursor>, limit: usize) -> Query {
    let mut query = Query::new(&format!("SELECT {COLUMNS} FROM access_token WHERE 1"));
    query.append(&condition(uid));
    if let Some(cursor) = after {
        query.push("AND id < ?").bind(cursor.id);
    }
    query.push("ORDER BY id DESC LIMIT ?");
    query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
    query
}

fn condition(uid: Option<i64>) -> Query {
    let mut query = Query::default();
    if let Some(uid) = uid {
        query.push("AND uid = ?").bind(uid);
    }
    query
}
