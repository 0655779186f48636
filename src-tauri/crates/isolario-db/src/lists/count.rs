//! Counts the nodes of lists, without reading their rows.

use super::list_id::ListId;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, in_collections, published_states, visible, visible_item};
use crate::{DbError, Read};
use isolario_model::policy::{ItemVisibility, Visibility};

/// How many items each view holds for a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewCounts {
    pub all: i64,
    pub unfiled: i64,
    pub unpublished: i64,
    pub without_original: i64,
    pub recent: i64,
    pub waiting: i64,
    pub collections: i64,
}

/// Which nodes of a list are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeSelection {
    All,
    Collections,
    Others,
}

impl NodeSelection {
    fn condition(self) -> &'static str {
        match self {
            NodeSelection::All => "1",
            NodeSelection::Collections => "is_collection = 1",
            NodeSelection::Others => "is_collection = 0",
        }
    }
}

impl Lists<'_> {
    /// The number of direct members of a node that the viewer may view.
    pub fn member_count(&self, nid: i64, viewer: &Viewer) -> Result<i64, DbError> {
        self.count_of_list(ListId::MembersOf(nid), &viewer.nodes, NodeSelection::All)
    }
}

impl Read<'_> {
    /// How many nodes of a list may be seen. By the rule that holds everywhere, kept numbers answer; what only roles in
    /// collections show is counted row by row.
    pub(super) fn count_of_list(
        &self,
        list: ListId,
        items: &ItemVisibility,
        counted: NodeSelection,
    ) -> Result<i64, DbError> {
        let seen = match items.everywhere {
            Visibility::Everything => return self.length_of_list(list, counted),
            Visibility::Published => self.published_in_list(list, counted)?,
            Visibility::PublishedOrOwnedBy(uid) => {
                self.published_in_list(list, counted)?
                    + self.own_count(list, uid, "published = 0", counted)?
            }
            Visibility::OwnedBy(uid) => {
                self.own_count(list, uid, "published IN (0, 1)", counted)?
            }
            Visibility::Nothing => 0,
        };
        match items.in_collections.is_empty() {
            true => Ok(seen),
            false => Ok(seen + self.count_in_collections(list, items, counted)?),
        }
    }

    /// How many nodes a list has.
    pub(super) fn length_of_list(
        &self,
        list: ListId,
        counted: NodeSelection,
    ) -> Result<i64, DbError> {
        self.summed(list, "1", counted)
    }

    /// How many nodes of a list are published.
    pub(super) fn published_in_list(
        &self,
        list: ListId,
        counted: NodeSelection,
    ) -> Result<i64, DbError> {
        self.summed(list, "published = 1", counted)
    }

    /// How many nodes of a list only roles in collections show. The way begins at the collections, or at the members of the
    /// node whose list it is.
    fn count_in_collections(
        &self,
        list: ListId,
        items: &ItemVisibility,
        counted: NodeSelection,
    ) -> Result<i64, DbError> {
        let [list_id, of] = list.columns();
        let mut query = Query::new("SELECT count(*) FROM");
        match list {
            ListId::MembersOf(_) => query.push(&format!(
                "listing l INDEXED BY listing_published WHERE l.list = ? AND l.of = ? AND l.published {}",
                published_states(items.everywhere)
            )),
            _ => query.push("(").append(&in_collections(items)).push(
                ") c CROSS JOIN listing l ON l.node = c.id WHERE l.list = ? AND l.of = ?",
            ),
        };
        query.bind(list_id).bind(of);
        query.push("AND").push(counted.condition());
        query
            .push("AND NOT")
            .append(&visible("l", items.everywhere))
            .and(&visible_item("l", "l.node", items));
        self.number(&query)
    }

    fn summed(
        &self,
        list: ListId,
        condition: &str,
        counted: NodeSelection,
    ) -> Result<i64, DbError> {
        let [list, of] = list.columns();
        self.number(&Query::with(
            &format!(
                "SELECT ifnull(sum(nodes), 0) FROM listing_count WHERE list = ? AND of = ? AND {condition} AND {}",
                counted.condition()
            ),
            &[list, of],
        ))
    }

    fn own_count(
        &self,
        list: ListId,
        uid: i64,
        condition: &str,
        counted: NodeSelection,
    ) -> Result<i64, DbError> {
        let [list, of] = list.columns();
        self.number(&Query::with(
            &format!(
                "SELECT count(*) FROM listing WHERE list = ? AND of = ? AND {condition} AND owner = ? AND {}",
                counted.condition()
            ),
            &[list, of, uid],
        ))
    }

    /// The number of rows of a SELECT, counted up to `most`.
    pub(super) fn count_up_to(&self, rows: &Query, most: i64) -> Result<i64, DbError> {
        let mut query = Query::new("SELECT count(*) FROM (SELECT 1 FROM (");
        query.append(rows).push(") LIMIT ?)").bind(most);
        self.number(&query)
    }

    pub(super) fn number(&self, query: &Query) -> Result<i64, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        Ok(statement.query_row(values, |row| row.get(0))?)
    }
}
