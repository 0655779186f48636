//! Accounts by name.

use super::cursor::{Cursor, Key, Page, Total};
use super::sql_parts::Query;
use crate::user::{COLUMNS, read_credentials};
use crate::{DbError, Read};
use isolario_model::content::UserRecord;

/// Selects the accounts of a list.
#[derive(Debug, Clone, Default)]
pub struct UserFilter {
    /// A part of the name; empty for all.
    pub text: String,
    /// Only those that may sign in, or only those that may not.
    pub active: Option<bool>,
}

/// The only order of the list of accounts.
pub const USER_ORDER: &str = "user name";

impl Read<'_> {
    /// One page of accounts, by name.
    pub fn user_page(
        &self,
        users: &UserFilter,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<UserRecord>, DbError> {
        let query = page_query(users, after, limit + 1);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let found = statement.query_map(values, |row| Ok(read_credentials(row)?.user))?;
        let mut rows: Vec<UserRecord> = found.collect::<Result<_, _>>()?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|user| Cursor {
            order: USER_ORDER.into(),
            key: Key::Text(user.name.clone()),
            id: user.uid,
        });
        let mut all = Query::new("SELECT count(*) FROM user WHERE 1");
        all.append(&condition(users));
        let total = Total::exact(self.number(&all)?);
        Ok(Page { rows, next, total })
    }
}

fn page_query(users: &UserFilter, after: Option<&Cursor>, limit: usize) -> Query {
    let mut query = Query::new(&format!("SELECT {COLUMNS} FROM user WHERE 1"));
    query.append(&condition(users));
    // Names are unique whatever their case, so the name alone says where a page ended.
    if let Some(cursor) = after {
        query.push("AND name > ?").bind(cursor.key.clone());
    }
    query.push("ORDER BY name LIMIT ?");
    query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
    query
}

fn condition(users: &UserFilter) -> Query {
    let mut query = Query::default();
    let text = users.text.trim();
    if !text.is_empty() {
        // SQLite's lower() knows only ASCII: other letters are found as they are written.
        query.push("AND instr(lower(name), lower(?)) > 0");
        query.bind(text.to_owned());
    }
    if let Some(active) = users.active {
        query.push("AND active = ?").bind(active);
    }
    query
}
