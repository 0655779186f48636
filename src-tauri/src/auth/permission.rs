//! The policy. `may` answers for one thing; `visibility` gives the same answer for whole lists, as
//! a rule that `db` writes into its queries. Names and messages: interface, Authentication, and the
//! permission names of the reference.

use super::Actor;
use crate::content::{Entity, EntityKind};

/// What somebody wants to do with a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    View,
    Create,
    Update,
    Delete,
    /// Looking at its history. A former state must be one that they may view, too.
    ViewRevisions,
    /// Making a former state the current one.
    Revert,
    /// Bringing it back from the trash.
    Restore,
    /// Removing it from the trash for good.
    Purge,
}

/// The facts of a thing that the policy looks at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub kind: EntityKind,
    /// Node type, media type or vocabulary; empty for files and users.
    pub bundle: &'a str,
    /// User id of the owner; for a user, that user.
    pub owner: i64,
    pub published: bool,
}

impl<'a> Subject<'a> {
    /// The facts of a node, media or term, as it is or was.
    pub fn of(entity: &'a Entity) -> Subject<'a> {
        Subject {
            kind: entity.kind,
            bundle: &entity.bundle,
            owner: entity.owner(),
            published: entity.is_published(),
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

/// Whether the actor may see and change how the server runs: what listens, who asked for what.
///
/// # Errors
/// For everybody but administrators.
pub fn may_run_server(actor: &Actor) -> Result<(), Denial> {
    match actor.is_administrator() {
        true => Ok(()),
        false => Err(Denial::new("The server is for administrators.")),
    }
}

/// Which things of a kind the actor may see.
pub fn visibility(actor: &Actor, kind: EntityKind) -> Visibility {
    match kind {
        EntityKind::Node => published_unless(
            actor,
            "bypass node access",
            "access content",
            "view own unpublished content",
        ),
        EntityKind::Media => published_unless(
            actor,
            "administer media",
            "view media",
            "view own unpublished media",
        ),
        EntityKind::Term => published_unless(
            actor,
            "administer taxonomy",
            "access content",
            "administer taxonomy",
        ),
        EntityKind::File if actor.can("access content") => Visibility::Published,
        EntityKind::User if actor.can_any(["access user profiles", "administer users"]) => {
            Visibility::Everything
        }
        EntityKind::User if !actor.is_anonymous() => Visibility::OwnedBy(actor.uid),
        EntityKind::File | EntityKind::User => Visibility::Nothing,
    }
}

fn published_unless(actor: &Actor, everything: &str, view: &str, own: &str) -> Visibility {
    if actor.can(everything) {
        Visibility::Everything
    } else if !actor.can(view) {
        Visibility::Nothing
    } else if !actor.is_anonymous() && actor.can(own) {
        Visibility::PublishedOrOwnedBy(actor.uid)
    } else {
        Visibility::Published
    }
}

/// Whether the actor may do that to the thing.
///
/// # Errors
/// The words of the refusal; an anonymous actor should be asked to sign in instead.
pub fn may(actor: &Actor, operation: Operation, subject: &Subject<'_>) -> Result<(), Denial> {
    match operation {
        Operation::View => may_view(actor, subject),
        Operation::ViewRevisions => may_view_revisions(actor, subject),
        Operation::Revert => may_revert(actor, subject),
        // Who may throw it away may take it out again.
        Operation::Restore => may_change(actor, Operation::Delete, subject),
        Operation::Purge => may_purge(actor, subject.kind),
        _ => may_change(actor, operation, subject),
    }
}

fn may_view(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
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
        EntityKind::User => Denial::new(
            "The 'access user profiles' permission is required and the user must be active.",
        ),
        _ => Denial::missing("access content"),
    })
}

fn may_view_revisions(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    const PERMISSION: &str = "view all revisions";
    if actor.can(PERMISSION) || may(actor, Operation::Update, subject).is_ok() {
        return Ok(());
    }
    Err(Denial::missing(PERMISSION))
}

/// A revert is an update; for content, the reference wants a permission more.
fn may_revert(actor: &Actor, subject: &Subject<'_>) -> Result<(), Denial> {
    may(actor, Operation::Update, subject)?;
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

fn may_change(actor: &Actor, operation: Operation, subject: &Subject<'_>) -> Result<(), Denial> {
    let own = !actor.is_anonymous() && actor.uid == subject.owner;
    match subject.kind {
        EntityKind::Node => may_change_node(actor, operation, subject.bundle, own),
        EntityKind::Media => may_change_media(actor, operation, subject.bundle, own),
        EntityKind::Term => may_change_term(actor, operation, subject.bundle),
        EntityKind::File => may_change_file(actor, operation, own),
        EntityKind::User => may_change_user(actor, operation, own),
    }
}

fn may_change_node(
    actor: &Actor,
    operation: Operation,
    bundle: &str,
    own: bool,
) -> Result<(), Denial> {
    if actor.can("bypass node access") {
        return Ok(());
    }
    if operation == Operation::Create {
        return if actor.can(&format!("create {bundle} content")) {
            Ok(())
        } else {
            Err(Denial::new(format!(
                "You are not authorized to create this node entity of bundle {bundle}."
            )))
        };
    }
    let verb = verb(operation);
    let any = format!("{verb} any {bundle} content");
    if actor.can(&any) || (own && actor.can(&format!("{verb} own {bundle} content"))) {
        Ok(())
    } else {
        Err(Denial::missing(&any))
    }
}

fn may_change_media(
    actor: &Actor,
    operation: Operation,
    bundle: &str,
    own: bool,
) -> Result<(), Denial> {
    if actor.can("administer media") {
        return Ok(());
    }
    match operation {
        Operation::Create => needs_any(
            actor,
            &[
                "administer media".into(),
                "create media".into(),
                format!("create {bundle} media"),
            ],
        ),
        Operation::Update => {
            let any = [
                "update any media".into(),
                format!("{bundle}: edit any media"),
                format!("edit any {bundle} media"),
            ];
            let mine = [
                "update media".into(),
                "update own media".into(),
                format!("{bundle}: edit own media"),
                format!("edit own {bundle} media"),
            ];
            if has_any(actor, &any) || (own && has_any(actor, &mine)) {
                return Ok(());
            }
            Err(Denial::missing_any(&[
                "update any media".into(),
                "update own media".into(),
                format!("{bundle}: edit any media"),
                format!("{bundle}: edit own media"),
            ]))
        }
        _ => {
            let any = [
                "delete any media".into(),
                format!("delete any {bundle} media"),
            ];
            let mine = ["delete media".into(), format!("delete own {bundle} media")];
            if has_any(actor, &any) || (own && has_any(actor, &mine)) {
                return Ok(());
            }
            Err(Denial::missing_any(&[
                "delete any media".into(),
                "delete media".into(),
                format!("delete any {bundle} media"),
                format!("delete own {bundle} media"),
            ]))
        }
    }
}

fn may_change_term(actor: &Actor, operation: Operation, vocabulary: &str) -> Result<(), Denial> {
    let verb = verb(operation);
    needs_any(
        actor,
        &[
            format!("{verb} terms in {vocabulary}"),
            "administer taxonomy".into(),
        ],
    )
}

fn may_change_file(actor: &Actor, operation: Operation, own: bool) -> Result<(), Denial> {
    match operation {
        Operation::Delete if actor.can("delete any file") => Ok(()),
        Operation::Delete if own && actor.can("delete own files") => Ok(()),
        Operation::Delete => Err(Denial::missing("delete any file")),
        _ if own => Ok(()),
        _ => Err(Denial::new(
            "Only the file owner can update the file entity.",
        )),
    }
}

/// Their own account everybody may change; which parts of it, the rules for accounts say.
fn may_change_user(actor: &Actor, operation: Operation, own: bool) -> Result<(), Denial> {
    if actor.can("administer users") || (own && operation == Operation::Update) {
        Ok(())
    } else {
        Err(Denial::missing("administer users"))
    }
}

/// Whether the actor may create any bundle of a kind at all, asked before a request's body is read.
pub fn may_create_some<'a>(
    actor: &Actor,
    kind: EntityKind,
    bundles: impl IntoIterator<Item = &'a str>,
) -> bool {
    bundles.into_iter().any(|bundle| {
        let subject = Subject {
            kind,
            bundle,
            owner: actor.uid,
            published: true,
        };
        may(actor, Operation::Create, &subject).is_ok()
    })
}

fn verb(operation: Operation) -> &'static str {
    match operation {
        Operation::View | Operation::ViewRevisions => "view",
        Operation::Create => "create",
        Operation::Update | Operation::Revert => "edit",
        Operation::Delete | Operation::Restore | Operation::Purge => "delete",
    }
}

fn has_any(actor: &Actor, permissions: &[String]) -> bool {
    actor.can_any(permissions.iter().map(String::as_str))
}

fn needs_any(actor: &Actor, permissions: &[String]) -> Result<(), Denial> {
    if has_any(actor, permissions) {
        Ok(())
    } else {
        Err(Denial::missing_any(permissions))
    }
}
