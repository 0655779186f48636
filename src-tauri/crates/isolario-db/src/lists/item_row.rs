//! `ItemRow`: the columns that lists show of one item. Also the ancestors of an item.

use rusqlite::{OptionalExtension, Row, params};

use super::count::NodeSelection;
use super::list_id::ListId;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, visible, visible_item};
use crate::{DbError, Read};
use isolario_model::content::entity::{ASSIGNEE, IN_REVIEW, MODERATION_STATE};
use isolario_model::content::{TermRole, field_roles, uri_of};

/// A term as an item shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TermName {
    pub tid: i64,
    pub name: String,
    pub uri: Option<String>,
}

/// A node as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    pub nid: i64,
    pub uuid: String,
    pub revision: i64,
    pub bundle: String,
    pub title: String,
    pub published: bool,
    /// Whether it is in review.
    pub in_review: bool,
    /// User id of who does the next step.
    pub assignee: Option<i64>,
    pub owner: i64,
    /// Unix seconds.
    pub created: i64,
    pub changed: i64,
    pub model: Option<TermName>,
    /// The first EDTF date of creation, of issue, or any.
    pub date: Option<String>,
    pub weight: Option<i64>,
    pub is_collection: bool,
    /// Direct members that the viewer may see.
    pub members: i64,
}

/// A node as the place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub title: String,
    pub is_collection: bool,
}

fn item_of(nid: i64) -> Query {
    let [first, second, third] = field_roles().listed_dates();
    let sql = format!(
        "SELECT n.id, n.uuid, n.revision, n.bundle, n.label, n.published, n.owner, n.created, n.changed,
         coalesce(n.document ->> '$.{first}[0].value', n.document ->> '$.{second}[0].value',
           n.document ->> '$.{third}[0].value'),
         l.weight, l.is_collection, n.document ->> '$.{MODERATION_STATE}[0].value' = '{IN_REVIEW}',
         n.document ->> '$.{ASSIGNEE}[0].target_id'
         FROM node n CROSS JOIN listing l ON l.node = n.id AND l.list = 0 AND l.of = 0
         WHERE n.deleted IS NULL AND n.id = ?"
    );
    Query::with(&sql, &[nid])
}

impl Lists<'_> {
    /// A live node, if the viewer may see it.
    pub fn item(&self, nid: i64, viewer: &Viewer) -> Result<Option<ItemRow>, DbError> {
        let mut query = item_of(nid);
        query.and(&visible_item("n", "n.id", &viewer.nodes));
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let row = statement
            .query_row(rusqlite::params_from_iter(&query.values), read_item)
            .optional()?;
        let Some(mut item) = row else {
            return Ok(None);
        };
        item.model = self.model_of(nid, viewer)?;
        item.members =
            self.count_of_list(ListId::MembersOf(nid), &viewer.nodes, NodeSelection::All)?;
        Ok(Some(item))
    }
}

impl Read<'_> {
    /// A live node as the place of others, if the viewer may see it.
    pub fn place(&self, nid: i64, viewer: &Viewer) -> Result<Option<Place>, DbError> {
        let visible = visible_item("n", "n.id", &viewer.nodes);
        let mut query = Query::with(
            "SELECT n.label FROM node n WHERE n.deleted IS NULL AND n.id = ?",
            &[nid],
        );
        query.and(&visible);
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let title = statement
            .query_row(rusqlite::params_from_iter(&query.values), |row| row.get(0))
            .optional()?;
        let Some(title) = title else {
            return Ok(None);
        };
        Ok(Some(Place {
            title,
            is_collection: self.is_collection(nid)?,
        }))
    }

    /// Whether a node has the model of collections.
    pub fn is_collection(&self, nid: i64) -> Result<bool, DbError> {
        let fields = field_roles();
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM node n CROSS JOIN json_each(n.document, ?4) m
             CROSS JOIN field_text u ON u.kind = 'taxonomy_term'
               AND u.id = m.value ->> '$.target_id' AND u.field = ?3 AND u.value = ?2
             WHERE n.id = ?1 AND n.deleted IS NULL",
        )?;
        let uri = uri_of(TermRole::Collection);
        let model = format!("$.\"{}\"", fields.model);
        Ok(statement.exists(params![nid, uri, fields.external_uri, model])?)
    }

    fn model_of(&self, nid: i64, viewer: &Viewer) -> Result<Option<TermName>, DbError> {
        let model = &field_roles().model;
        let mut query = Query::with(
            &format!(
                "SELECT t.id, t.label FROM field_reference r
                 CROSS JOIN taxonomy_term t ON t.id = r.target_id AND t.deleted IS NULL
                 WHERE r.kind = 'node' AND r.id = ? AND r.field = '{model}' AND r.delta = 0
                   AND r.target_kind = 'taxonomy_term'"
            ),
            &[nid],
        );
        query.and(&visible("t", viewer.terms));
        Ok(self.term_names(&query)?.pop())
    }

    /// Id and name from a query, each with its address.
    pub(super) fn term_names(&self, query: &Query) -> Result<Vec<TermName>, DbError> {
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let rows = statement.query_map(rusqlite::params_from_iter(&query.values), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        rows.map(|row| {
            let (tid, name) = row?;
            let uri = self.external_uri(tid)?;
            Ok(TermName { tid, name, uri })
        })
        .collect()
    }

    /// Nodes above a node, from the top down, as far as the viewer may see them. Where there are
    /// several parents, the way leads through the first.
    pub fn ancestors(&self, nid: i64, viewer: &Viewer) -> Result<Vec<(i64, String)>, DbError> {
        const DEEPEST: usize = 100;
        let mut path: Vec<(i64, String)> = Vec::new();
        let mut at = nid;
        while path.len() < DEEPEST
            && let Some((parent, title)) = self.first_parent(at, viewer)?
            && parent != nid
            && path.iter().all(|(id, _)| *id != parent)
        {
            path.push((parent, title));
            at = parent;
        }
        path.reverse();
        Ok(path)
    }

    fn first_parent(&self, nid: i64, viewer: &Viewer) -> Result<Option<(i64, String)>, DbError> {
        let member_of = &field_roles().member_of;
        let mut query = Query::with(
            &format!(
                "SELECT p.id, p.label FROM field_reference r
                 CROSS JOIN node p ON p.id = r.target_id AND p.deleted IS NULL
                 WHERE r.kind = 'node' AND r.id = ? AND r.field = '{member_of}' AND r.target_kind = 'node'"
            ),
            &[nid],
        );
        query.and(&visible_item("p", "p.id", &viewer.nodes));
        query.push("ORDER BY r.delta LIMIT 1");
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let parent = statement.query_row(rusqlite::params_from_iter(&query.values), |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
        Ok(parent.optional()?)
    }
}

fn read_item(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    Ok(ItemRow {
        nid: row.get(0)?,
        uuid: row.get(1)?,
        revision: row.get(2)?,
        bundle: row.get(3)?,
        title: row.get(4)?,
        published: row.get(5)?,
        in_review: row.get::<_, Option<bool>>(12)?.unwrap_or(false),
        assignee: row.get(13)?,
        owner: row.get(6)?,
        created: row.get(7)?,
        changed: row.get(8)?,
        model: None,
        date: row.get(9)?,
        weight: row.get(10)?,
        is_collection: row.get(11)?,
        members: 0,
    })
}
