//! Who publishes items, and so looks those through that are in review.

use std::sync::Arc;

use super::change::needs;
use super::{Denial, InCollection, ItemVisibility, Visibility};
use crate::policy::Actor;

/// The permission to see items that are not published, and to publish them.
pub(super) const REVIEW_CONTENT: &str = "review content";

/// Whether the actor may publish and unpublish items, at once or at a time.
///
/// # Errors
/// The permission that the reference wants.
pub(super) fn may_publish(actor: &Actor) -> Result<(), Denial> {
    match actor.can(REVIEW_CONTENT) {
        true => Ok(()),
        false => needs(actor, "administer nodes"),
    }
}

/// Which items in review the actor is to look through, where nobody is assigned: those that they may publish.
pub fn review_duty(actor: &Actor) -> ItemVisibility {
    let duty = |actor: &Actor| match may_publish(actor) {
        Ok(()) => Visibility::Everything,
        Err(_) => Visibility::Nothing,
    };
    let there = actor.in_collections.iter().map(|one| InCollection {
        collection: one.collection,
        items: duty(&one.actor),
        media: Visibility::Nothing,
    });
    ItemVisibility {
        everywhere: duty(actor),
        in_collections: there
            .filter(|one| one.items == Visibility::Everything)
            .collect::<Arc<_>>(),
    }
}
