//! Who may see what. `visibility` and `media_visibility` are the rules for one thing and for whole lists.

use super::change::REVIEW_CONTENT;
use super::{Denial, Subject};
use crate::content::EntityKind;
use crate::policy::Actor;
use std::sync::Arc;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemFacts {
    pub published: bool,
    /// User id.
    pub owner: i64,
    /// As in `Subject`.
    pub collections: Vec<i64>,
}

/// The rules for a collection and everything below it, for somebody who was given roles there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InCollection {
    /// Node id.
    pub collection: i64,
    pub items: Visibility,
    /// The rule for a media by itself.
    pub media: Visibility,
}

/// Which items somebody may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemVisibility {
    pub everywhere: Visibility,
    /// What they may see beside, in these collections.
    pub in_collections: Arc<[InCollection]>,
}

impl ItemVisibility {
    /// The same rule for all items.
    pub fn everywhere(everywhere: Visibility) -> ItemVisibility {
        ItemVisibility {
            everywhere,
            in_collections: Arc::default(),
        }
    }

    /// Whether no item is hidden.
    pub fn is_everything(&self) -> bool {
        self.everywhere == Visibility::Everything
    }

    /// Whether no item is seen.
    pub fn is_nothing(&self) -> bool {
        self.everywhere == Visibility::Nothing && self.in_collections.is_empty()
    }

    /// Whether the rule lets an item be seen.
    pub fn allows(&self, item: &ItemFacts) -> bool {
        self.everywhere.allows(item.published, item.owner)
            || self.in_collections.iter().any(|one| one.shows(item))
    }
}

impl InCollection {
    fn shows(&self, item: &ItemFacts) -> bool {
        item.collections.contains(&self.collection) && self.items.allows(item.published, item.owner)
    }
}

/// Which media somebody may see: a media is not more visible than the items that it belongs to. Who may see none of these
/// does not see it, whatever they may do with media; one that belongs to no item is judged by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaVisibility {
    /// The rule for a media by itself.
    pub itself: Visibility,
    /// The rule for its items, of which one is enough. In a collection, the rules that hold there decide about both.
    pub items: ItemVisibility,
}

impl MediaVisibility {
    /// Whether no media is hidden.
    pub fn is_everything(&self) -> bool {
        self.itself == Visibility::Everything && self.items.is_everything()
    }

    /// Whether no media is seen.
    pub fn is_nothing(&self) -> bool {
        self.itself == Visibility::Nothing && self.items.in_collections.is_empty()
    }

    /// Whether the rule lets a media of these items be seen.
    pub fn allows(&self, published: bool, owner: i64, items: &[ItemFacts]) -> bool {
        let everywhere =
            |item: &ItemFacts| self.items.everywhere.allows(item.published, item.owner);
        self.itself.allows(published, owner) && (items.is_empty() || items.iter().any(everywhere))
            || self.items.in_collections.iter().any(|one| {
                one.media.allows(published, owner) && items.iter().any(|item| one.shows(item))
            })
    }
}

/// Which items the actor may see.
pub fn item_visibility(actor: &Actor) -> ItemVisibility {
    let rules = actor.in_collections.iter().map(|one| InCollection {
        collection: one.collection,
        items: visibility(&one.actor, EntityKind::Node),
        media: visibility(&one.actor, EntityKind::Media),
    });
    let everywhere = visibility(actor, EntityKind::Node);
    if actor.in_collections.is_empty() {
        return ItemVisibility::everywhere(everywhere);
    }
    ItemVisibility {
        everywhere,
        in_collections: rules
            .filter(|one| one.items != Visibility::Nothing)
            .collect(),
    }
}

/// Which media the actor may see.
pub fn media_visibility(actor: &Actor) -> MediaVisibility {
    MediaVisibility {
        itself: visibility(actor, EntityKind::Media),
        items: item_visibility(actor),
    }
}

/// Which things of a kind the actor may see, without the roles that they were given in collections. Of media, what is said of them by themselves (see `media_visibility`). Of
/// files, those that no media uses: the others are seen by whoever may see a media that uses them (`actions::view_entity`).
pub fn visibility(actor: &Actor, kind: EntityKind) -> Visibility {
    match kind {
        EntityKind::Node if actor.can("bypass node access") => Visibility::Everything,
        EntityKind::Node => published_with(
            actor,
            "access content",
            &["view any unpublished content", REVIEW_CONTENT],
            Some("view own unpublished content"),
        ),
        EntityKind::Media if actor.can("administer media") => Visibility::Everything,
        EntityKind::Media => {
            published_with(actor, "view media", &[], Some("view own unpublished media"))
        }
        EntityKind::Term if actor.can("administer taxonomy") => Visibility::Everything,
        EntityKind::Term => published_with(actor, "access content", &[], None),
        EntityKind::File if actor.can("administer media") => Visibility::Everything,
        EntityKind::User if actor.can_any(["access user profiles", "administer users"]) => {
            Visibility::Everything
        }
        EntityKind::File | EntityKind::User if actor.is_anonymous() => Visibility::Nothing,
        EntityKind::File | EntityKind::User => Visibility::OwnedBy(actor.uid),
    }
}

/// What is published, and what is not by the permissions of `any` and `own`.
fn published_with(actor: &Actor, view: &str, any: &[&str], own: Option<&str>) -> Visibility {
    if !actor.can(view) {
        Visibility::Nothing
    } else if actor.can_any(any.iter().copied()) {
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
    let is_seen_alone = visibility(actor, kind).allows(published, owner);
    let is_seen = match kind {
        EntityKind::Node => {
            is_seen_alone
                || item_visibility(actor).allows(&ItemFacts {
                    published,
                    owner,
                    collections: subject.collections.clone(),
                })
        }
        EntityKind::Media => media_visibility(actor).allows(published, owner, items),
        _ => is_seen_alone,
    };
    match is_seen {
        true => Ok(()),
        false if is_seen_alone => Err(Denial::new(
            "A media may be viewed by those who may view an item that it belongs to.",
        )),
        false => Err(unseen(actor, kind)),
    }
}

fn unseen(actor: &Actor, kind: EntityKind) -> Denial {
    match kind {
        EntityKind::Node if actor.can("access content") => Denial::new(
            "The content is not published. The 'view own unpublished content' permission, for its owner, or one of 'view any unpublished content', 'review content' and 'bypass node access' is required.",
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
