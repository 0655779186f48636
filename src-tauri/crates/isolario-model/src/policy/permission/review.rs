//! Who looks the items through that are in review.

use std::sync::Arc;

use super::change::may_publish;
use super::{InCollection, ItemVisibility, Visibility};
use crate::policy::Actor;

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
