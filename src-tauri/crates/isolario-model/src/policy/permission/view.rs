//! Who may see what. `visibility` and `media_visibility` are the rules for one thing and for whole lists.

use super::{Denial, Subject};
use crate::content::EntityKind;
use crate::policy::Actor;

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

/// What decides about who may see an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemFacts {
    pub published: bool,
    /// User id.
    pub owner: i64,
}

/// Which media somebody may see: a media is not more visible than the items that it belongs to. Who may see none of these
/// does not see it, whatever they may do with media; one that belongs to no item is judged by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaVisibility {
    /// The rule for a media by itself.
    pub itself: Visibility,
    /// The rule for its items, of which one is enough.
    pub items: Visibility,
}

impl MediaVisibility {
    /// Whether the rule lets a media of these items be seen.
    pub fn allows(self, published: bool, owner: i64, items: &[ItemFacts]) -> bool {
        let seen = |item: &ItemFacts| self.items.allows(item.published, item.owner);
        self.itself.allows(published, owner) && (items.is_empty() || items.iter().any(seen))
    }
}

/// Which media the actor may see.
pub fn media_visibility(actor: &Actor) -> MediaVisibility {
    MediaVisibility {
        itself: visibility(actor, EntityKind::Media),
        items: visibility(actor, EntityKind::Node),
    }
}

/// Which things of a kind the actor may see. Of media, what is said of them by themselves (see `media_visibility`). Of
/// files, those that no media uses: the others are seen by whoever may see a media that uses them (`actions::view_entity`).
pub fn visibility(actor: &Actor, kind: EntityKind) -> Visibility {
    match kind {
        EntityKind::Node if actor.can("bypass node access") => Visibility::Everything,
        EntityKind::Node => published_with(
            actor,
            "access content",
            Some("view any unpublished content"),
            Some("view own unpublished content"),
        ),
        EntityKind::Media if actor.can("administer media") => Visibility::Everything,
        EntityKind::Media => published_with(
            actor,
            "view media",
            None,
            Some("view own unpublished media"),
        ),
        EntityKind::Term if actor.can("administer taxonomy") => Visibility::Everything,
        EntityKind::Term => published_with(actor, "access content", None, None),
        EntityKind::File if actor.can("administer media") => Visibility::Everything,
        EntityKind::User if actor.can_any(["access user profiles", "administer users"]) => {
            Visibility::Everything
        }
        EntityKind::File | EntityKind::User if actor.is_anonymous() => Visibility::Nothing,
        EntityKind::File | EntityKind::User => Visibility::OwnedBy(actor.uid),
    }
}

/// What is published, and what is not by the permissions of `any` and `own`.
fn published_with(actor: &Actor, view: &str, any: Option<&str>, own: Option<&str>) -> Visibility {
    if !actor.can(view) {
        Visibility::Nothing
    } else if any.is_some_and(|any| actor.can(any)) {
        Visibility::Everything
    } else if !actor.is_anonymous() && own.is_some_and(|own| actor.can(own)) {
        Visibility::PublishedOrOwnedBy(actor.uid)
    } else {
        Visibility::Published
    }
}

/// Whether records of items are harvested, which is as somebody who has not signed in.
///
/// # Errors
/// The words of the refusal, where such an actor may view no item.
pub fn may_be_harvested(anonymous: &Actor) -> Result<(), Denial> {
    match visibility(anonymous, EntityKind::Node) {
        Visibility::Nothing => Err(unseen(anonymous, EntityKind::Node)),
        _ => Ok(()),
    }
}

/// Whether the actor may see the thing. `items` are those that a media belongs to, deleted ones as they were at last; other
/// things belong to none.
///
/// # Errors
/// The words of the refusal.
pub fn may_view(actor: &Actor, subject: &Subject<'_>, items: &[ItemFacts]) -> Result<(), Denial> {
    let &Subject {
        kind,
        published,
        owner,
        ..
    } = subject;
    if !visibility(actor, kind).allows(published, owner) {
        return Err(unseen(actor, kind));
    }
    match kind == EntityKind::Media && !media_visibility(actor).allows(published, owner, items) {
        true => Err(Denial::new(
            "A media may be viewed by those who may view an item that it belongs to.",
        )),
        false => Ok(()),
    }
}

fn unseen(actor: &Actor, kind: EntityKind) -> Denial {
    match kind {
        EntityKind::Node if actor.can("access content") => Denial::new(
            "The content is not published. The 'view own unpublished content' permission, for its owner, or one of 'view any unpublished content' and 'bypass node access' is required.",
        ),
        EntityKind::Media if actor.can("view media") => Denial::new(
            "The user must be the owner and the 'view own unpublished media' permission is required when the media item is unpublished.",
        ),
        EntityKind::Media => Denial::missing("view media"),
        EntityKind::User => Denial::new(PROFILE),
        EntityKind::File => Denial::unseen_file(),
        EntityKind::Node | EntityKind::Term => Denial::missing("access content"),
    }
}

/// Whether the actor may see the page of an account. That of a disabled one is for those who administer accounts;
/// as author of something, it keeps its name for everybody who may see accounts.
///
/// # Errors
/// The words of the refusal.
pub fn may_view_account(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    may_view(actor, subject, &[])?;
    if subject.published || actor.can("administer users") {
        return Ok(());
    }
    Err(Denial::new(PROFILE))
}
