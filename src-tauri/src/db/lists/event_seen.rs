//! Whether somebody may hear of a change.

use super::query::Query;
use super::visible::{Viewer, visible};
use crate::content::EntityKind;
use crate::db::{DbError, Event, Read};

impl Read<'_> {
    /// Whether the viewer may see the thing that an event is about: as it is now, and as the event
    /// left it, whose label it tells. What has been deleted is judged by its last state, so that a
    /// list can drop it. Files are judged elsewhere, by the
    /// media that use them.
    pub fn event_is_visible(&self, event: &Event, viewer: &Viewer) -> Result<bool, DbError> {
        let (table, visibility) = match event.kind {
            EntityKind::Node => ("node", viewer.nodes),
            EntityKind::Media => ("media", viewer.media),
            EntityKind::Term => ("taxonomy_term", viewer.terms),
            EntityKind::User => return Ok(viewer.users.allows(true, event.entity_id)),
            EntityKind::File => return Ok(false),
        };
        let mut query = Query::with(
            &format!(
                "SELECT count(*) FROM {table} x JOIN (
                   SELECT document ->> '$.status[0].value' AS published, document ->> '$.uid[0].target_id' AS owner
                   FROM {table}_revision WHERE revision = ?) y WHERE x.id = ?"
            ),
            &[event.revision.unwrap_or_default(), event.entity_id],
        );
        query
            .and(&visible("x", visibility))
            .and(&visible("y", visibility));
        Ok(self.number(&query)? > 0)
    }

    /// Which of these nodes, deleted or not, the viewer may see.
    pub fn visible_nodes(&self, nodes: &[i64], viewer: &Viewer) -> Result<Vec<i64>, DbError> {
        let mut seen = Vec::with_capacity(nodes.len());
        for nid in nodes {
            let mut query = Query::with("SELECT count(*) FROM node x WHERE x.id = ?", &[*nid]);
            query.and(&visible("x", viewer.nodes));
            if self.number(&query)? > 0 {
                seen.push(*nid);
            }
        }
        Ok(seen)
    }
}
