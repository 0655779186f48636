//! The policy's SQL face: the one place where `Visibility` becomes a condition.

use super::query::Query;
use crate::auth::{Actor, Visibility, visibility};
use crate::content::EntityKind;

/// What somebody may see, kind by kind. Every list asks with one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    pub nodes: Visibility,
    pub media: Visibility,
    pub terms: Visibility,
    pub users: Visibility,
}

impl Viewer {
    /// What this actor may see.
    pub fn of(actor: &Actor) -> Viewer {
        Viewer {
            nodes: visibility(actor, EntityKind::Node),
            media: visibility(actor, EntityKind::Media),
            terms: visibility(actor, EntityKind::Term),
            users: visibility(actor, EntityKind::User),
        }
    }
}

/// The condition under which a row of the alias (with columns `published` and `owner`) may be seen.
pub(super) fn visible(alias: &str, visibility: Visibility) -> Query {
    match visibility {
        Visibility::Everything => Query::new("1"),
        Visibility::Published => Query::new(&format!("{alias}.published = 1")),
        Visibility::PublishedOrOwnedBy(uid) => Query::with(
            &format!("({alias}.published = 1 OR {alias}.owner = ?)"),
            &[uid],
        ),
        Visibility::OwnedBy(uid) => Query::with(&format!("{alias}.owner = ?"), &[uid]),
        // Not a plain 0: with that, SQLite finds no way to use the index it is told to use.
        Visibility::Nothing => Query::new(&format!("{alias}.published < 0")),
    }
}

/// The condition under which a row of the alias exists but not for this viewer.
pub(super) fn hidden(alias: &str, visibility: Visibility) -> Query {
    match visibility {
        Visibility::Everything => Query::new("0"),
        Visibility::Published => Query::new(&format!("{alias}.published = 0")),
        Visibility::PublishedOrOwnedBy(uid) => Query::with(
            &format!("{alias}.published = 0 AND {alias}.owner <> ?"),
            &[uid],
        ),
        Visibility::OwnedBy(uid) => Query::with(&format!("{alias}.owner <> ?"), &[uid]),
        Visibility::Nothing => Query::new("1"),
    }
}
