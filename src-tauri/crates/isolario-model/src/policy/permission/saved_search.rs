//! Who may see and change a saved search.

use std::marker::PhantomData;

use super::change::needs_any;
use super::permitted_change::Transaction;
use super::{Denial, Visibility, may_change_in};
use crate::content::model_roles;
use crate::policy::Actor;

/// The facts of a saved search that the policy looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedSearchFacts {
    /// User id.
    pub owner: i64,
    /// Whether it is for all.
    pub is_public: bool,
}

/// Which saved searches the actor may see: their own, and those for all. Private ones are for nobody else, whatever they
/// may do. None belongs to nobody.
pub fn saved_search_visibility(actor: &Actor) -> Visibility {
    match actor.can("access content") {
        true => Visibility::PublishedOrOwnedBy(actor.uid),
        false => Visibility::OwnedBy(actor.uid),
    }
}

/// Whether the actor may see a saved search.
pub fn may_view_saved_search(actor: &Actor, search: SavedSearchFacts) -> bool {
    saved_search_visibility(actor).allows(search.is_public, search.owner)
}

/// Whether the actor may have saved searches for all, and change those of others: who edits the items of all, or
/// administers them.
///
/// # Errors
/// The permissions, one of which is missing.
pub fn may_share_searches(actor: &Actor) -> Result<(), Denial> {
    let permissions = [
        "administer nodes".to_owned(),
        "bypass node access".to_owned(),
        format!("edit any {} content", model_roles().bundles.item),
    ];
    needs_any(actor, &permissions)
}

/// Whether the actor may make of one saved search another: `None` before it is there, and after it is deleted.
///
/// # Errors
/// The words of the refusal.
pub fn may_change_saved_search(
    actor: &Actor,
    before: Option<SavedSearchFacts>,
    after: Option<SavedSearchFacts>,
) -> Result<(), Denial> {
    if actor.is_anonymous() {
        return Err(Denial::new("Sign in to save searches."));
    }
    let is_of_others = |search: &SavedSearchFacts| !actor.owns(search.owner);
    let of_others = before.filter(is_of_others).or(after.filter(is_of_others));
    if of_others.is_some() {
        if [before, after]
            .into_iter()
            .flatten()
            .any(|search| !search.is_public)
        {
            return Err(Denial::new("A private search is its owner's."));
        }
        may_share_searches(actor)?;
    }
    match after {
        Some(search) if search.is_public => may_share_searches(actor),
        _ => Ok(()),
    }
}

/// A change of one saved search that the policy permits in one transaction.
///
/// Only the policy makes one:
/// ```compile_fail,E0451
/// use isolario_model::policy::PermittedSavedSearch;
/// let permitted = PermittedSavedSearch {
///     after: None,
///     transaction: std::marker::PhantomData,
/// };
/// ```
#[derive(Debug)]
pub struct PermittedSavedSearch<'t> {
    after: Option<SavedSearchFacts>,
    before: Option<SavedSearchFacts>,
    transaction: Transaction<'t>,
}

impl PermittedSavedSearch<'_> {
    /// Whether it is permitted to make of the one the other.
    pub fn is_for(
        &self,
        before: Option<SavedSearchFacts>,
        after: Option<SavedSearchFacts>,
    ) -> bool {
        (self.before, self.after) == (before, after)
    }
}

/// Decides as `may_change_saved_search`, and proves it.
///
/// # Errors
/// As `may_change_saved_search`.
pub fn permit_saved_search<'t>(
    actor: &Actor,
    before: Option<SavedSearchFacts>,
    after: Option<SavedSearchFacts>,
) -> Result<PermittedSavedSearch<'t>, Denial> {
    may_change_in(actor, &[])?;
    may_change_saved_search(actor, before, after)?;
    Ok(PermittedSavedSearch {
        after,
        before,
        transaction: PhantomData,
    })
}
