//! Table `event`: the committed changes, with their actor and origin.

use rusqlite::{Row, params};
use serde::Serialize;

use super::{DbError, IdSet, Read};
use isolario_model::content::EntityKind;

/// A committed change, as event streams and the activity list report it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    pub id: i64,
    /// Unix seconds.
    pub at: i64,
    /// User id; 0 for nobody.
    pub actor: i64,
    pub origin: String,
    /// What happened, such as `create`, `update` or `issue_token`.
    pub action: String,
    pub kind: EntityKind,
    pub entity_id: i64,
    pub revision: Option<i64>,
    /// Label of the resource at that time; of a token its name.
    pub label: String,
    /// The nodes whose lists show the resource.
    pub parents: Vec<i64>,
    /// The batch that the change is part of.
    pub batch: Option<i64>,
}

/// An event without its id.
#[derive(Debug, Clone)]
pub struct NewEvent<'a> {
    pub at: i64,
    pub actor: i64,
    pub origin: &'a str,
    pub action: &'a str,
    pub kind: EntityKind,
    pub entity_id: i64,
    pub revision: Option<i64>,
    pub label: &'a str,
    pub parents: Vec<i64>,
    /// The batch that the change is part of.
    pub batch: Option<i64>,
}

/// Selects the events of a page.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    /// User id.
    pub actor: Option<i64>,
    pub origin: Option<String>,
    pub action: Option<String>,
    pub kind: Option<EntityKind>,
    /// Unix seconds, the first included, the second not.
    pub since: Option<i64>,
    pub until: Option<i64>,
    /// Only what happened to these nodes, to their members, and to the media of either.
    pub within: Option<IdSet>,
    /// None of these batches.
    pub without_batches: Vec<i64>,
}

impl Read<'_> {
    /// Events after a number, oldest first, at most `limit`.
    pub fn events_after(&self, after: i64, limit: u32) -> Result<Vec<Event>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, at, actor, origin, action, kind, entity_id, revision, label, parents, batch
             FROM event WHERE id > ?1 ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, limit], read_event)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Events of one resource after a number that made no revision, such as a deletion, oldest first, at most `limit`.
    pub fn events_without_revision(
        &self,
        (kind, id): (EntityKind, i64),
        after: i64,
        limit: u32,
    ) -> Result<Vec<Event>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, at, actor, origin, action, kind, entity_id, revision, label, parents, batch
             FROM event WHERE kind = ?1 AND entity_id = ?2 AND id > ?3
               AND (revision IS NULL OR action NOT IN ('create', 'update'))
             ORDER BY id LIMIT ?4",
        )?;
        let asked = params![kind.target_type(), id, after, limit];
        let rows = statement.query_map(asked, read_event)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Events between two numbers (the first included, the second not) that fit, newest first, at most `limit`.
    pub fn events_between(
        &self,
        filter: &EventFilter,
        from: i64,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Event>, DbError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT id, at, actor, origin, action, kind, entity_id, revision, label, parents, batch
             FROM event WHERE id >= ?1 AND id < ?2
               AND (?3 IS NULL OR actor = ?3) AND (?4 IS NULL OR origin = ?4)
               AND (?5 IS NULL OR action = ?5) AND (?6 IS NULL OR kind = ?6)
               AND (?7 IS NULL OR at >= ?7) AND (?8 IS NULL OR at < ?8)
               AND (batch IS NULL OR batch NOT IN (SELECT value FROM json_each(?9)))
               AND {}
             ORDER BY id DESC LIMIT ?10",
            is_within("?11")
        ))?;
        let rows = statement.query_map(
            params![
                from,
                before,
                filter.actor,
                filter.origin,
                filter.action,
                filter.kind.map(EntityKind::target_type),
                filter.since,
                filter.until,
                serde_json::to_string(&filter.without_batches)?,
                i64::try_from(limit).unwrap_or(i64::MAX),
                filter.within.as_ref().map(IdSet::bits),
            ],
            read_event,
        )?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// As `events_between`, of one batch only.
    pub fn batch_events_from(
        &self,
        batch: i64,
        filter: &EventFilter,
        from: i64,
        limit: usize,
    ) -> Result<Vec<Event>, DbError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT id, at, actor, origin, action, kind, entity_id, revision, label, parents, batch
             FROM event WHERE batch = ?1 AND id >= ?2
               AND (?3 IS NULL OR action = ?3) AND (?4 IS NULL OR kind = ?4)
               AND (?5 IS NULL OR at >= ?5) AND (?6 IS NULL OR at < ?6)
               AND {}
             ORDER BY id LIMIT ?7",
            is_within("?8")
        ))?;
        let rows = statement.query_map(
            params![
                batch,
                from,
                filter.action,
                filter.kind.map(EntityKind::target_type),
                filter.since,
                filter.until,
                i64::try_from(limit).unwrap_or(i64::MAX),
                filter.within.as_ref().map(IdSet::bits),
            ],
            read_event,
        )?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Number of the newest event; 0 when nothing has happened yet.
    pub fn last_event(&self) -> Result<i64, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT ifnull(max(id), 0) FROM event")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }
}

/// The condition that an event is of the nodes of a set (`EventFilter::within`), which a parameter has; of all where it is
/// NULL.
fn is_within(parameter: &str) -> String {
    format!(
        "({parameter} IS NULL OR (kind = 'node' AND has_id({parameter}, entity_id))
           OR EXISTS (SELECT 1 FROM json_each(parents) p WHERE has_id({parameter}, p.value)
             OR EXISTS (SELECT 1 FROM listing m
               WHERE m.node = p.value AND m.list = 1 AND has_id({parameter}, m.of))))"
    )
}

fn read_event(row: &Row<'_>) -> rusqlite::Result<Event> {
    let kind: String = row.get(5)?;
    let parents: String = row.get(9)?;
    Ok(Event {
        id: row.get(0)?,
        at: row.get(1)?,
        actor: row.get(2)?,
        origin: row.get(3)?,
        action: row.get(4)?,
        kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
        entity_id: row.get(6)?,
        revision: row.get(7)?,
        label: row.get(8)?,
        parents: serde_json::from_str(&parents).unwrap_or_default(),
        batch: row.get(10)?,
    })
}
