//! Share links, the newest first.

use super::cursor::{Cursor, Page};
use super::newest_first::NewestFirst;
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

const LIST: NewestFirst<ShareLink> = NewestFirst {
    order: SHARE_LINK_ORDER,
    table: "share_link",
    columns: COLUMNS,
    read: read_share_link,
    id: |link| link.id,
};

impl Read<'_> {
    /// One page of share links.
    pub fn share_link_page(
        &self,
        filter: ShareLinkFilter,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page<ShareLink>, DbError> {
        let columns = [("nid", filter.item), ("uid", filter.maker)];
        self.newest_first(&LIST, &columns, after, limit)
    }
}
