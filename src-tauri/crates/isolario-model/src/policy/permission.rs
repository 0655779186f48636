//! The policy. `may_view` and `may` answer for one thing; `visibility` and `media_visibility` give the answer of `may_view` for
//! whole lists, as rules that `db` writes into its queries. Names and messages: interface, Authentication, and the
//! permission names of the reference.

mod change;
mod configuration;
mod permitted_change;
mod redirect;
mod review;
mod role;
mod saved_search;
mod share;
mod view;

use super::{Actor, Scope};
use crate::content::{Entity, EntityKind, FileRecord, Target};

pub use change::{may_set, permit_bytes, permit_upload};
pub use configuration::{may_view_bundles, may_view_checksums, may_view_configuration};
pub use permitted_change::{PermittedChange, PermittedServerChange, permit, permit_server};
pub use redirect::{PermittedRedirect, permit_redirect};
pub use review::review_duty;
pub use role::{PermittedRoleChange, may_administer_roles, permit_roles};
pub use saved_search::{
    PermittedSavedSearch, SavedSearchFacts, may_change_saved_search, may_share_searches,
    may_view_saved_search, permit_saved_search, saved_search_visibility,
};

pub use view::{
    InCollection, ItemFacts, ItemVisibility, MediaVisibility, Visibility, item_visibility,
    may_be_harvested, may_view, may_view_account, media_visibility, visibility,
};

use change::{may_change, needs_any};
use share::may_share;

/// What somebody wants to do with a thing, other than see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Create,
    Update,
    /// Giving a media other bytes.
    ReplaceBytes,
    Delete,
    /// Looking at its history. A former state must be one that they may view, too.
    ViewRevisions,
    /// Making a former state the current one.
    Revert,
    /// Bringing it back from the trash.
    Restore,
    /// Removing it from the trash for good.
    Purge,
    /// Letting people without an account see it by a link, with everything below it.
    Share,
}

/// The facts of a thing that the policy looks at.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    pub kind: EntityKind,
    /// 0 before it is stored.
    pub id: i64,
    /// Node type, media type or vocabulary; empty for files and users.
    pub bundle: &'a str,
    /// User id of the owner; for a user, that user.
    pub owner: i64,
    pub published: bool,
    /// The collections that it is in, at any depth, itself included (node ids); those of a media are the ones of its
    /// items. Empty where nobody asks who was given roles in a collection.
    pub collections: Vec<i64>,
}

impl<'a> Subject<'a> {
    /// The same facts of a thing that is in these collections.
    pub fn in_collections(self, collections: Vec<i64>) -> Subject<'a> {
        Subject {
            collections,
            ..self
        }
    }

    /// The facts of a node, media or term, as it is or was.
    pub fn of(entity: &'a Entity) -> Subject<'a> {
        Subject {
            kind: entity.kind,
            id: entity.id,
            bundle: &entity.bundle,
            owner: entity.owner(),
            published: entity.is_published(),
            collections: Vec::new(),
        }
    }

    /// The facts of a resource that is not there yet.
    pub fn of_new(kind: EntityKind, bundle: &'a str, owner: i64) -> Subject<'a> {
        Subject {
            kind,
            id: 0,
            bundle,
            owner,
            published: true,
            collections: Vec::new(),
        }
    }

    /// The facts of what something refers to.
    pub fn of_target(target: &'a Target) -> Subject<'a> {
        Subject {
            kind: target.kind,
            id: target.id,
            bundle: &target.bundle,
            owner: target.owner,
            published: target.published,
            collections: Vec::new(),
        }
    }

    /// The facts of a file by itself, without the media that use it.
    pub fn of_file(file: &FileRecord) -> Subject<'static> {
        Subject {
            kind: EntityKind::File,
            id: file.fid,
            bundle: "",
            owner: file.uid,
            published: file.permanent,
            collections: Vec::new(),
        }
    }

    /// The facts of an account; of one that is not stored yet with the number 0.
    pub fn of_account(uid: i64, active: bool) -> Subject<'static> {
        Subject {
            kind: EntityKind::User,
            id: uid,
            bundle: "",
            owner: uid,
            published: active,
            collections: Vec::new(),
        }
    }
}

/// A refusal, with the words for the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    pub message: String,
}

impl Denial {
    /// A refusal with a sentence of its own.
    pub fn new(message: impl Into<String>) -> Denial {
        Denial {
            message: message.into(),
        }
    }

    /// The refusal of a file that is not for somebody.
    pub fn unseen_file() -> Denial {
        Denial::new(
            "The file may be seen by those who may see a media that uses it; if none does, by its owner or with the 'administer media' permission.",
        )
    }

    /// A refusal for want of one permission.
    pub fn missing(permission: &str) -> Denial {
        Denial::new(format!("The '{permission}' permission is required."))
    }

    /// A refusal for want of any of several permissions.
    pub fn missing_any(permissions: &[String]) -> Denial {
        let quoted: Vec<String> = permissions.iter().map(|name| format!("'{name}'")).collect();
        Denial::new(format!(
            "The following permissions are required: {}.",
            quoted.join(" OR ")
        ))
    }
}

/// Whether the actor may see and change how the server runs: what listens, who asked for what.
///
/// # Errors
/// For everybody but administrators.
pub fn may_run_server(actor: &Actor) -> Result<(), Denial> {
    may_change_in(actor, &[])?;
    match actor.is_administrator() {
        true => Ok(()),
        false => Err(Denial::new("The server is for administrators.")),
    }
}

/// Whether the actor may send such a request at all. `is_safe` says that its method changes nothing (RFC 9110, 9.2.1).
///
/// # Errors
/// For whoever may only read.
pub fn may_send(actor: &Actor, is_safe: bool) -> Result<(), Denial> {
    match actor.scope == Scope::Read && !is_safe {
        true => Err(Denial::new(
            "This access token is for reading. It sends GET, HEAD and OPTIONS alone.",
        )),
        false => Ok(()),
    }
}

/// Whether the actor may do that to the thing.
///
/// # Errors
/// The words of the refusal; an anonymous actor should be asked to sign in instead.
pub fn may(actor: &Actor, operation: Operation, subject: &Subject<'_>) -> Result<(), Denial> {
    if operation != Operation::ViewRevisions {
        may_change_in(actor, &subject.collections)?;
    }
    actor.decide(&subject.collections, |actor| {
        may_by_roles(actor, operation, subject)
    })
}

/// Refuses changes outside of the collection that an access token is for. What is in no collection is outside of each.
///
/// # Errors
/// The words of the refusal.
fn may_change_in(actor: &Actor, collections: &[i64]) -> Result<(), Denial> {
    match actor.scope {
        Scope::Collection(nid) if !collections.contains(&nid) => Err(Denial::new(format!(
            "This access token changes what is in collection {nid}, and nothing else."
        ))),
        _ => Ok(()),
    }
}

fn may_by_roles(actor: &Actor, operation: Operation, subject: &Subject<'_>) -> Result<(), Denial> {
    match operation {
        Operation::ViewRevisions => may_view_revisions(actor, subject),
        Operation::Revert => may_revert(actor, subject),
        // Who may throw it away may take it out again.
        Operation::Restore => may_change(actor, Operation::Delete, subject),
        Operation::Purge => may_purge(actor, subject.kind),
        Operation::Share => may_share(actor, subject.kind),
        _ => may_change(actor, operation, subject),
    }
}

fn may_view_revisions(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    let permission = "view all revisions";
    if actor.can(permission) || may_change(actor, Operation::Update, subject).is_ok() {
        return Ok(());
    }
    Err(Denial::missing(permission))
}

/// A revert is an update; for content, the reference wants a permission more.
fn may_revert(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    may_change(actor, Operation::Update, subject)?;
    match subject.kind {
        EntityKind::Node => needs_any(
            actor,
            &["administer nodes".into(), "revert all revisions".into()],
        ),
        _ => Ok(()),
    }
}

/// The one change that nothing undoes is for those who administer that kind of thing.
fn may_purge(actor: &Actor, kind: EntityKind) -> Result<(), Denial> {
    let permission = match kind {
        EntityKind::Node => "administer nodes",
        EntityKind::Media | EntityKind::File => "administer media",
        EntityKind::Term => "administer taxonomy",
        EntityKind::User => "administer users",
    };
    match actor.can(permission) {
        true => Ok(()),
        false => Err(Denial::missing(permission)),
    }
}

/// Whether the actor may create any bundle of a kind at all, wherever, asked before a request's body is read.
pub fn may_create_some<'a>(
    actor: &Actor,
    kind: EntityKind,
    bundles: impl IntoIterator<Item = &'a str>,
) -> bool {
    bundles
        .into_iter()
        .any(|bundle| may_create_somewhere(actor, kind, bundle).is_ok())
}

/// Whether the actor may create a thing of that bundle, which will be theirs, everywhere or in some collection.
///
/// # Errors
/// The words of the refusal.
pub fn may_create_somewhere(actor: &Actor, kind: EntityKind, bundle: &str) -> Result<(), Denial> {
    let collections = match kind {
        EntityKind::Node | EntityKind::Media => actor.collections(),
        EntityKind::Term | EntityKind::File | EntityKind::User => Vec::new(),
    };
    may_create(actor, kind, bundle, &collections)
}

/// Decides as `may_create_somewhere`, and proves it: for what is not yet put into anything.
///
/// # Errors
/// As `may_create_somewhere`.
pub fn permit_creation_somewhere<'t>(
    actor: &Actor,
    kind: EntityKind,
    bundle: &str,
) -> Result<PermittedChange<'t>, Denial> {
    may_create_somewhere(actor, kind, bundle)?;
    let new = Subject::of_new(kind, bundle, actor.uid);
    Ok(PermittedChange::new(Operation::Create, &new))
}

/// Whether the actor may create a thing of that bundle, which will be theirs, in these collections.
///
/// # Errors
/// The words of the refusal.
pub fn may_create(
    actor: &Actor,
    kind: EntityKind,
    bundle: &str,
    collections: &[i64],
) -> Result<(), Denial> {
    let new = Subject::of_new(kind, bundle, actor.uid).in_collections(collections.to_vec());
    may(actor, Operation::Create, &new)
}
