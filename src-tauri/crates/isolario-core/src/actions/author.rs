//! The author of a change: user, origin, time and log message.

use isolario_db::NewEvent;
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// The author of a revision and of its event.
#[derive(Debug, Clone)]
pub struct Author {
    pub uid: i64,
    pub origin: Origin,
    /// Unix seconds.
    pub at: i64,
    /// The reason given, if any.
    pub log: Option<String>,
    /// The batch that the change is part of.
    pub batch: Option<i64>,
}

impl Author {
    /// The actor as author, at the current time and without a reason.
    pub fn new(actor: &Actor, origin: Origin) -> Author {
        Author {
            uid: actor.uid,
            origin,
            at: chrono::Utc::now().timestamp(),
            log: None,
            batch: None,
        }
    }

    /// The event of a change by them that makes no revision. `label` is that of the thing.
    pub fn event<'a>(
        &self,
        action: &'a str,
        (kind, entity_id): (EntityKind, i64),
        label: &'a str,
    ) -> NewEvent<'a> {
        NewEvent {
            at: self.at,
            actor: self.uid,
            origin: self.origin.name(),
            action,
            kind,
            entity_id,
            revision: None,
            label,
            parents: Vec::new(),
            batch: self.batch,
        }
    }
}
