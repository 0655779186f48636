//! Whether a viewer may view an event.

use super::sql_parts::Query;
use super::visible::{Viewer, visible_item, visible_state};
use crate::entity::table;
use crate::{DbError, Event, Read};
use isolario_model::content::EntityKind;

impl Read<'_> {
    /// Whether the viewer may view the resource of an event, both in its current state and in the state after the
    /// event, whose label the event has. A deleted resource has its last state, so that a list learns of the deletion.
    /// The visibility of files depends on their media and is decided elsewhere.
    pub fn event_is_visible(&self, event: &Event, viewer: &Viewer) -> Result<bool, DbError> {
        let kind = event.kind;
        match kind {
            EntityKind::Node | EntityKind::Media | EntityKind::Term => {}
            EntityKind::User => return Ok(viewer.users.allows(true, event.entity_id)),
            EntityKind::File => return Ok(false),
        }
        let table = table(kind);
        let mut query = Query::with(
            &format!(
                "SELECT count(*) FROM {table} x JOIN (
                   SELECT id, document ->> '$.status[0].value' AS published, document ->> '$.uid[0].target_id' AS owner,
                     document
                   FROM {table}_revision WHERE revision = ?) y WHERE x.id = ?"
            ),
            &[event.revision.unwrap_or_default(), event.entity_id],
        );
        query
            .and(&visible_state("x", kind, viewer))
            .and(&visible_state("y", kind, viewer));
        Ok(self.number(&query)? > 0)
    }

    /// Which of these nodes, deleted or not, the viewer may see.
    pub fn visible_nodes(&self, nodes: &[i64], viewer: &Viewer) -> Result<Vec<i64>, DbError> {
        let mut seen = Vec::with_capacity(nodes.len());
        for nid in nodes {
            let mut query = Query::with("SELECT count(*) FROM node x WHERE x.id = ?", &[*nid]);
            query.and(&visible_item("x", "x.id", &viewer.nodes));
            if self.number(&query)? > 0 {
                seen.push(*nid);
            }
        }
        Ok(seen)
    }
}
