//! Access tokens, the newest first.

use super::cursor::{Cursor, Page};
use super::newest_first::NewestFirst;
use crate::access_token::{COLUMNS, read_access_token};
use crate::{AccessToken, DbError, Read};

/// The only order of the list of access tokens.
pub const ACCESS_TOKEN_ORDER: &str = "access token";

const LIST: NewestFirst<AccessToken> = NewestFirst {
    order: ACCESS_TOKEN_ORDER,
    table: "access_token",
    columns: COLUMNS,
    read: read_access_token,
    id: |token| token.id,
};

impl Read<'_> {
    /// One page of the access tokens of an account, or of all.
    pub fn access_token_page(
        &self,
        uid: Option<i64>,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<AccessToken>, DbError> {
        self.newest_first(&LIST, &[("uid", uid)], after, limit)
    }
}
