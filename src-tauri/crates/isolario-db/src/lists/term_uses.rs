//! Counts what refers to a term: of each kind, and of each field by which it does, along the index of references.

use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::{Viewer, visible, visible_item, visible_media};
use crate::DbError;
use isolario_model::content::EntityKind;
use isolario_model::policy::Visibility;

const USING: [EntityKind; 3] = [EntityKind::Node, EntityKind::Media, EntityKind::Term];

impl Lists<'_> {
    /// The number of nodes, media and terms that refer to a term and that the viewer may see, each once.
    pub(super) fn uses_of_term(&self, tid: i64, viewer: &Viewer) -> Result<i64, DbError> {
        let mut uses = 0;
        for kind in USING {
            let mut fields: Vec<String> = Vec::new();
            while let Some(field) = self.next_field(tid, kind, fields.last())? {
                uses += self.number(&uses_query(tid, kind, &field, &fields, viewer))?;
                fields.push(field);
            }
        }
        Ok(uses)
    }

    /// The nodes, then the media, then the terms that refer to one of some terms and that the viewer may see, each once,
    /// after one of them; at most `limit`.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn uses_of_terms(
        &self,
        terms: &[i64],
        viewer: &Viewer,
        after: Option<(EntityKind, i64)>,
        limit: usize,
    ) -> Result<Vec<(EntityKind, i64)>, DbError> {
        let mut uses = Vec::new();
        let first = after.and_then(|(kind, _)| USING.iter().position(|one| *one == kind));
        for kind in USING.into_iter().skip(first.unwrap_or(0)) {
            let past = after.filter(|(last, _)| *last == kind);
            let past = past.map_or(0, |(_, id)| id);
            let query = using_query(terms, kind, past, limit - uses.len(), viewer);
            let mut statement = self.connection.prepare_cached(&query.sql)?;
            let ids =
                statement.query_map(rusqlite::params_from_iter(&query.values), |row| row.get(0))?;
            for id in ids {
                uses.push((kind, id?));
            }
        }
        Ok(uses)
    }

    /// The next field by which resources of a kind refer to a term. Only what is live has references.
    fn next_field(
        &self,
        tid: i64,
        kind: EntityKind,
        after: Option<&String>,
    ) -> Result<Option<String>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT min(field) FROM field_reference INDEXED BY field_reference_target
             WHERE target_id = ?1 AND target_kind = 'taxonomy_term' AND kind = ?2 AND field > ?3",
        )?;
        let after = after.map_or("", String::as_str);
        let asked = rusqlite::params![tid, kind.target_type(), after];
        Ok(statement.query_row(asked, |row| row.get(0))?)
    }
}

/// The resources of a kind that refer to one of some terms, by id.
fn using_query(terms: &[i64], kind: EntityKind, past: i64, limit: usize, viewer: &Viewer) -> Query {
    let mut query =
        Query::new("SELECT DISTINCT r.id FROM field_reference r INDEXED BY field_reference_target");
    let seen = visible_use(kind, viewer);
    if let Some((table, _)) = &seen {
        query.push("CROSS JOIN").push(table);
    }
    query.push("WHERE r.target_id IN (SELECT value FROM json_each(?))");
    query.bind(serde_json::json!(terms).to_string());
    query.push("AND r.target_kind = 'taxonomy_term' AND r.kind = ? AND r.id > ?");
    query.bind(kind.target_type().to_owned()).bind(past);
    if let Some((_, condition)) = &seen {
        query.and(condition);
    }
    query.push("ORDER BY r.id LIMIT ?");
    query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
    query
}

/// Counts the resources that refer to a term by a field and by none of the earlier ones.
fn uses_query(
    tid: i64,
    kind: EntityKind,
    field: &str,
    earlier: &[String],
    viewer: &Viewer,
) -> Query {
    let mut query = Query::new(
        "SELECT count(*) FROM (SELECT DISTINCT r.id FROM field_reference r INDEXED BY field_reference_target",
    );
    let seen = visible_use(kind, viewer);
    if let Some((table, _)) = &seen {
        query.push("CROSS JOIN").push(table);
    }
    query.push(
        "WHERE r.target_id = ? AND r.target_kind = 'taxonomy_term' AND r.kind = ? AND r.field = ?",
    );
    query
        .bind(tid)
        .bind(kind.target_type().to_owned())
        .bind(field.to_owned());
    for field in earlier {
        query.push(
            "AND NOT EXISTS (SELECT 1 FROM field_reference e WHERE e.kind = r.kind AND e.id = r.id
             AND e.field = ? AND e.target_kind = r.target_kind AND +e.target_id = r.target_id)",
        );
        query.bind(field.clone());
    }
    if let Some((_, condition)) = &seen {
        query.and(condition);
    }
    query.push(")");
    query
}

/// The narrowest rows that say whether somebody may see what refers, and the condition; `None` where all is seen.
fn visible_use(kind: EntityKind, viewer: &Viewer) -> Option<(&'static str, Query)> {
    match kind {
        EntityKind::Node if !viewer.nodes.is_everything() => Some((
            "listing x ON x.node = r.id AND x.list = 0 AND x.of = 0",
            visible_item("x", "x.node", &viewer.nodes),
        )),
        EntityKind::Media if !viewer.media.is_everything() => Some((
            "media x INDEXED BY media_live ON x.id = r.id AND x.deleted IS NULL",
            visible_media("x", &viewer.media),
        )),
        EntityKind::Term if viewer.terms != Visibility::Everything => {
            Some(("taxonomy_term x ON x.id = r.id", visible("x", viewer.terms)))
        }
        _ => None,
    }
}

/// The condition that nothing refers to the term `t` that the viewer may see.
pub(super) fn unused(viewer: &Viewer) -> Query {
    let mut query = Query::new("(1");
    for kind in USING {
        query.push(
            "AND NOT EXISTS (SELECT 1 FROM field_reference r INDEXED BY field_reference_target",
        );
        let seen = visible_use(kind, viewer);
        if let Some((table, _)) = &seen {
            query.push("CROSS JOIN").push(table);
        }
        query.push("WHERE r.target_id = t.id AND r.target_kind = 'taxonomy_term' AND r.kind = ?");
        query.bind(kind.target_type().to_owned());
        if let Some((_, condition)) = &seen {
            query.and(condition);
        }
        query.push(")");
    }
    query.push(")");
    query
}
