//! What is below a node: its members, their members, and so on, each once, as far as the viewer may see the way there.
//! The way leads along the branches (`listing.is_branch`) alone, so a count costs as much as there are branches.

use std::collections::HashSet;

use super::filter::{Filter, SizeEstimate};
use super::id_set::IdSet;
use super::item_filter::ItemFilter;
use super::list_id::ListId;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, published_states, visible_item};
use crate::{DbError, Read};
use isolario_model::content::field_roles;
use isolario_model::policy::{ItemVisibility, Visibility};

/// How many nodes are below a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountsBelow {
    /// Those that are no collections.
    pub items: i64,
    pub collections: i64,
}

impl Lists<'_> {
    /// How many nodes somebody sees below a node that they may see.
    pub fn counts_below(&self, nid: i64, viewer: &Viewer) -> Result<CountsBelow, DbError> {
        if viewer.nodes.is_nothing() {
            return Ok(CountsBelow::default());
        }
        let query = count_query(nid, &viewer.nodes);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let (nodes, collections): (i64, i64) =
            statement.query_row(values, |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(CountsBelow {
            items: nodes - collections,
            collections,
        })
    }

    /// A node that somebody sees, with all that have members below it, as far as they see the way there.
    pub fn branches_below(&self, nid: i64, viewer: &Viewer) -> Result<IdSet, DbError> {
        let mut query = branches(nid, &viewer.nodes);
        query
            .push("SELECT node FROM below UNION SELECT ?")
            .bind(nid);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let ids =
            statement.query_map(rusqlite::params_from_iter(&query.values), |row| row.get(0))?;
        Ok(IdSet::new(&ids.collect::<Result<Vec<_>, _>>()?))
    }

    /// The filter of a list by what is below its collection.
    pub(super) fn by_place_below(
        &self,
        nid: i64,
        items: &ItemFilter,
        viewer: &Viewer,
    ) -> Result<Option<Filter>, DbError> {
        if !items.below {
            return Ok(None);
        }
        let counts = self.counts_below(nid, viewer)?;
        let mut condition = Query::new(
            "EXISTS (SELECT 1 FROM listing m WHERE m.node = l.node AND m.list = 1 AND +m.of IN (",
        );
        condition
            .append(&branches(nid, &viewer.nodes))
            .push("SELECT node FROM below)) AND l.node <> ?")
            .bind(nid);
        let mut candidates = branches(nid, &viewer.nodes);
        candidates.push(
            "SELECT m.node AS id FROM below CROSS JOIN listing m INDEXED BY listing_published
             ON m.list = 1 AND m.of = below.node WHERE",
        );
        candidates
            .append(&visible_item("m", "m.node", &viewer.nodes))
            .push("AND m.node <> ?")
            .bind(nid);
        Ok(Some(Filter {
            condition,
            candidates,
            size: SizeEstimate::Known(counts.items + counts.collections),
        }))
    }
}

impl Read<'_> {
    /// A node, those with members below it, whoever may see them, and those above it as far as the viewer sees the way. It
    /// costs as much as there are branches below the node.
    pub fn places_around(&self, nid: i64, viewer: &Viewer) -> Result<HashSet<i64>, DbError> {
        let member_of = &field_roles().member_of;
        let mut query = branches(nid, &ItemVisibility::everywhere(Visibility::Everything));
        query.push(
            "SELECT node FROM below UNION SELECT * FROM (
               WITH RECURSIVE way (id) AS (
                 SELECT p.id FROM node p WHERE p.id = ? AND",
        );
        query.bind(nid);
        query.append(&visible_item("p", "p.id", &viewer.nodes));
        query.push(&format!(
            "UNION SELECT p.id FROM way CROSS JOIN field_reference w
               ON w.kind = 'node' AND w.id = way.id AND w.field = '{member_of}' AND w.target_kind = 'node'
             CROSS JOIN node p ON p.id = w.target_id AND p.deleted IS NULL WHERE"
        ));
        query.append(&visible_item("p", "p.id", &viewer.nodes));
        query.push(") SELECT id FROM way)");
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let ids =
            statement.query_map(rusqlite::params_from_iter(&query.values), |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}

/// A SELECT of `node`, `is_collection` and `published` of the nodes below a node, each once.
pub(super) fn nodes_below(nid: i64, items: &ItemVisibility) -> Query {
    let mut query = branches(nid, items);
    query.push(
        "SELECT DISTINCT m.node, m.is_collection, m.published FROM below
         CROSS JOIN listing m INDEXED BY listing_published ON m.list = 1 AND m.of = below.node WHERE",
    );
    query
        .append(&visible_item("m", "m.node", items))
        .push("AND m.node <> ?")
        .bind(nid);
    query
}

/// The table expression `below`: a node and the branches below it that a viewer sees, each once.
fn branches(nid: i64, items: &ItemVisibility) -> Query {
    let mut query = Query::new(
        "WITH RECURSIVE below (node, is_collection) AS (
           SELECT node, is_collection FROM listing WHERE node = ? AND list = ? AND of = ?
           UNION
           SELECT b.node, b.is_collection FROM below CROSS JOIN",
    );
    let [list, of] = ListId::All.columns();
    query.bind(nid).bind(list).bind(of);
    query.append(&branches_in_below(items)).push(")");
    query
}

fn branches_in_below(items: &ItemVisibility) -> Query {
    let mut query = Query::new(
        "listing b INDEXED BY listing_branch ON b.list = 1 AND b.is_branch = 1 AND b.of = below.node WHERE",
    );
    query.append(&visible_item("b", "b.node", items));
    query
}

/// Counts the branches, and in each node the members that are none: all without the branches.
fn count_query(nid: i64, items: &ItemVisibility) -> Query {
    let mut query = branches(nid, items);
    query.push(
        "SELECT ifnull(sum(nodes), 0), ifnull(sum(collections), 0) FROM (
           SELECT 1 AS nodes, is_collection AS collections FROM below WHERE node <> ?",
    );
    query.bind(nid);
    let kept = match items.everywhere {
        Visibility::Everything => Some("1"),
        Visibility::Published | Visibility::PublishedOrOwnedBy(_) => Some("c.published = 1"),
        Visibility::OwnedBy(_) | Visibility::Nothing => None,
    };
    if let Some(condition) = kept {
        query.push(&format!(
            "UNION ALL SELECT c.nodes, c.nodes * c.is_collection FROM below
             CROSS JOIN listing_count c ON c.list = 1 AND c.of = below.node WHERE {condition}"
        ));
    }
    match items.everywhere {
        Visibility::Everything => {}
        _ if !items.in_collections.is_empty() => {
            push_rows(&mut query, items, &visible_item("l", "l.node", items));
        }
        Visibility::PublishedOrOwnedBy(uid) | Visibility::OwnedBy(uid) => {
            push_rows(&mut query, items, &Query::with("l.owner = ?", &[uid]));
        }
        Visibility::Published | Visibility::Nothing => {}
    }
    query.push("UNION ALL SELECT -1, -b.is_collection FROM below CROSS JOIN");
    query.append(&branches_in_below(items)).push(")");
    query
}

/// Counts the members that the kept numbers do not tell, row by row.
fn push_rows(query: &mut Query, items: &ItemVisibility, seen: &Query) {
    let states = published_states(items.everywhere);
    let rows = [
        ("1, 0", "listing_published", "1"),
        (
            "0, 1",
            "listing_collection_published",
            "l.is_collection = 1",
        ),
    ];
    for (numbers, index, condition) in rows {
        query.push(&format!(
            "UNION ALL SELECT {numbers} FROM below CROSS JOIN listing l INDEXED BY {index}
             ON l.list = 1 AND l.of = below.node WHERE l.published {states} AND {condition}"
        ));
        query.and(seen);
    }
}
