//! Who makes a change, through which door, and when.

use crate::auth::Actor;
use crate::repository::Door;

/// Signs a revision and its event.
#[derive(Debug, Clone)]
pub struct Author {
    pub uid: i64,
    pub door: Door,
    /// Unix seconds.
    pub at: i64,
    /// The reason given, if any.
    pub log: Option<String>,
}

impl Author {
    /// The actor, now, without a reason.
    pub fn new(actor: &Actor, door: Door) -> Author {
        Author {
            uid: actor.uid,
            door,
            at: chrono::Utc::now().timestamp(),
            log: None,
        }
    }
}
