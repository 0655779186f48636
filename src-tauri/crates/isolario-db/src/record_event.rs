//! Adds rows to the table `event`.

use rusqlite::params;

use super::{DbError, Event, NewEvent, Write};

impl Write<'_> {
    /// Adds the event of a change. Listeners get it when the change is committed.
    pub fn record_event(&mut self, event: &NewEvent<'_>) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO event (at, actor, origin, action, kind, entity_id, revision, label, parents, batch)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                event.at,
                event.actor,
                event.origin,
                event.action,
                event.kind.target_type(),
                event.entity_id,
                event.revision,
                event.label,
                serde_json::to_string(&event.parents)?,
                event.batch
            ])?;
        let id = self.connection.last_insert_rowid();
        self.events.push(Event {
            id,
            at: event.at,
            actor: event.actor,
            origin: event.origin.to_owned(),
            action: event.action.to_owned(),
            kind: event.kind,
            entity_id: event.entity_id,
            revision: event.revision,
            label: event.label.to_owned(),
            parents: event.parents.clone(),
            batch: event.batch,
        });
        Ok(())
    }
}
