//! Who may share an item by a link with people without an account.

use super::change::needs;
use super::view::visibility;
use super::{Denial, Visibility};
use crate::content::EntityKind;
use crate::policy::Actor;

/// Whether the actor may share such a thing. They see themselves all that the link shows (`Actor::with_share_link`).
///
/// # Errors
/// The permission that is missing.
pub(super) fn may_share(actor: &Actor, kind: EntityKind) -> Result<(), Denial> {
    if kind != EntityKind::Node {
        return Err(Denial::new("Items are shared by links, and nothing else."));
    }
    needs(actor, "share content")?;
    if visibility(actor, EntityKind::Node) != Visibility::Everything {
        return Err(Denial::missing("view any unpublished content"));
    }
    match visibility(actor, EntityKind::Media) {
        Visibility::Nothing => Err(Denial::missing("view media")),
        _ => Ok(()),
    }
}
