//! Who may see what. `visibility` is the rule for one thing and for whole lists.

use super::{Denial, Subject};
use crate::auth::Actor;
use crate::content::EntityKind;

const PROFILE: &str =
    "The 'access user profiles' permission is required and the user must be active.";

/// Which things of a kind somebody may see: the rule behind `may(View)` and behind every list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    Everything,
    Published,
    /// What is published, and what this user owns.
    PublishedOrOwnedBy(i64),
    /// Only what this user owns (for users: themselves).
    OwnedBy(i64),
    Nothing,
}

impl Visibility {
    /// Whether the rule lets a thing be seen.
    pub fn allows(self, published: bool, owner: i64) -> bool {
        match self {
            Visibility::Everything => true,
            Visibility::Published => published,
            Visibility::PublishedOrOwnedBy(uid) => published || owner == uid,
            Visibility::OwnedBy(uid) => owner == uid,
            Visibility::Nothing => false,
        }
    }
}

/// Which things of a kind the actor may see. Of files, those that no media uses: the others are seen by whoever
/// may see a media that uses them (`actions::view_file`).
pub fn visibility(actor: &Actor, kind: EntityKind) -> Visibility {
    match kind {
        EntityKind::Node => published_unless(
            actor,
            "bypass node access",
            "access content",
            Some("view own unpublished content"),
        ),
        EntityKind::Media => published_unless(
            actor,
            "administer media",
            "view media",
            Some("view own unpublished media"),
        ),
        EntityKind::Term => published_unless(actor, "administer taxonomy", "access content", None),
        EntityKind::File if actor.can("administer media") => Visibility::Everything,
        EntityKind::User if actor.can_any(["access user profiles", "administer users"]) => {
            Visibility::Everything
        }
        EntityKind::File | EntityKind::User if actor.is_anonymous() => Visibility::Nothing,
        EntityKind::File | EntityKind::User => Visibility::OwnedBy(actor.uid),
    }
}

fn published_unless(actor: &Actor, everything: &str, view: &str, own: Option<&str>) -> Visibility {
    if actor.can(everything) {
        Visibility::Everything
    } else if !actor.can(view) {
        Visibility::Nothing
    } else if !actor.is_anonymous() && own.is_some_and(|own| actor.can(own)) {
        Visibility::PublishedOrOwnedBy(actor.uid)
    } else {
        Visibility::Published
    }
}

/// Whether the actor may see the thing.
///
/// # Errors
/// The words of the refusal.
pub(super) fn may_view(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    if visibility(actor, subject.kind).allows(subject.published, subject.owner) {
        return Ok(());
    }
    Err(match subject.kind {
        EntityKind::Node if actor.can("access content") => Denial::new(
            "The content is not published. The 'view own unpublished content' permission, for its owner, or the 'bypass node access' permission is required.",
        ),
        EntityKind::Media if actor.can("view media") => Denial::new(
            "The user must be the owner and the 'view own unpublished media' permission is required when the media item is unpublished.",
        ),
        EntityKind::Media => Denial::missing("view media"),
        EntityKind::User => Denial::new(PROFILE),
        EntityKind::File => Denial::unseen_file(),
        EntityKind::Node | EntityKind::Term => Denial::missing("access content"),
    })
}

/// Whether the actor may see the page of an account. That of a disabled one is for those who administer accounts;
/// as author of something, it keeps its name for everybody who may see accounts.
///
/// # Errors
/// The words of the refusal.
pub fn may_view_account(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    may_view(actor, subject)?;
    if subject.published || actor.can("administer users") {
        return Ok(());
    }
    Err(Denial::new(PROFILE))
}
