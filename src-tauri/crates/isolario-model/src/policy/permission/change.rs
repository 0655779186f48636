//! Who may create, change and delete what.

use super::{Denial, Operation, PermittedChange, Subject, may, may_create};
use crate::content::EntityKind;
use crate::content::entity::{ALIASES, PUBLISH_ON, UNPUBLISH_ON};
use crate::policy::Actor;

/// The permission to see items that are not published, and to publish them.
pub(super) const REVIEW_CONTENT: &str = "review content";

/// Whether the actor may create, change or delete the thing.
///
/// # Errors
/// The permission that is missing.
pub(super) fn may_change(
    actor: &Actor,
    operation: Operation,
    subject: &Subject<'_>,
) -> Result<(), Denial> {
    let own = actor.owns(subject.owner);
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
        Operation::Create => may_create_media(actor, bundle),
        Operation::ReplaceBytes if actor.can("update media") => Ok(()),
        Operation::ReplaceBytes => {
            may_update_media(actor, bundle, own).map_err(|_| Denial::missing("update media"))
        }
        Operation::Update => may_update_media(actor, bundle, own),
        _ => may_delete_media(actor, bundle, own),
    }
}

fn may_create_media(actor: &Actor, bundle: &str) -> Result<(), Denial> {
    let wanted = ["create media".into(), format!("create {bundle} media")];
    if has_any(actor, &wanted) {
        return Ok(());
    }
    Err(Denial::missing_any(&[
        "administer media".into(),
        "create media".into(),
        format!("create {bundle} media"),
    ]))
}

fn may_update_media(actor: &Actor, bundle: &str, own: bool) -> Result<(), Denial> {
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

fn may_delete_media(actor: &Actor, bundle: &str, own: bool) -> Result<(), Denial> {
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

/// What files hold is changed through the media that use them.
fn may_change_file(actor: &Actor, operation: Operation, own: bool) -> Result<(), Denial> {
    match operation {
        Operation::Delete if actor.can("delete any file") => Ok(()),
        Operation::Delete if own && actor.can("delete own files") => Ok(()),
        Operation::Delete => Err(Denial::missing("delete any file")),
        _ => Err(Denial::new(
            "A file is changed through a media that uses it.",
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

/// Permits bytes as the media that a node has for a use: `existing`, or one that is made.
///
/// # Errors
/// The words of the refusal for who may not change the node, or not create such media.
pub fn permit_upload<'t>(
    actor: &Actor,
    node: &Subject<'_>,
    bundle: &str,
    existing: Option<&Subject<'_>>,
) -> Result<PermittedChange<'t>, Denial> {
    may(actor, Operation::Update, node)?;
    may_create(actor, EntityKind::Media, bundle, &node.collections)?;
    let new = Subject::of_new(EntityKind::Media, bundle, actor.uid);
    Ok(match existing {
        Some(media) => PermittedChange::new(Operation::ReplaceBytes, media),
        None => PermittedChange::new(Operation::Create, &new),
    })
}

/// Permits other bytes of a file, given the permitted change of one media that uses it. Bytes that `users` show, too,
/// are changed by those who may change these media.
///
/// # Errors
/// The words of the refusal for the first media that they may not change.
pub fn permit_bytes<'t>(
    actor: &Actor,
    media: &PermittedChange<'t>,
    file: &Subject<'_>,
    users: &[Subject<'_>],
) -> Result<PermittedChange<'t>, Denial> {
    for user in users.iter().filter(|user| !media.gives_content_to(user)) {
        may(actor, Operation::ReplaceBytes, user)?;
    }
    Ok(PermittedChange::new(Operation::ReplaceBytes, file))
}

/// Whether the actor may set a field that only those who administer such things may set, of a thing in these collections.
///
/// # Errors
/// The permission that is missing.
pub fn may_set(
    actor: &Actor,
    kind: EntityKind,
    field: &str,
    collections: &[i64],
) -> Result<(), Denial> {
    actor.decide(collections, |actor| may_set_by_roles(actor, kind, field))
}

fn may_set_by_roles(actor: &Actor, kind: EntityKind, field: &str) -> Result<(), Denial> {
    if field == ALIASES {
        let names = ["create url aliases", "administer url aliases"];
        return needs_any(actor, &names.map(str::to_owned));
    }
    if kind == EntityKind::Node && ["status", PUBLISH_ON, UNPUBLISH_ON].contains(&field) {
        return may_publish(actor);
    }
    let (fields, permission): (&[&str], &str) = match kind {
        EntityKind::Node => (&["uid", "created", "promote", "sticky"], "administer nodes"),
        EntityKind::Media => (&["uid"], "administer media"),
        _ => return Ok(()),
    };
    if !fields.contains(&field) {
        return Ok(());
    }
    if actor.can(permission) {
        return Ok(());
    }
    Err(Denial::missing(permission))
}

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

/// The word for an operation in the names of permissions.
fn verb(operation: Operation) -> &'static str {
    match operation {
        Operation::Create => "create",
        Operation::Delete => "delete",
        _ => "edit",
    }
}

fn has_any(actor: &Actor, permissions: &[String]) -> bool {
    actor.can_any(permissions.iter().map(String::as_str))
}

/// Wants a permission.
///
/// # Errors
/// Its name.
pub(super) fn needs(actor: &Actor, permission: &str) -> Result<(), Denial> {
    match actor.can(permission) {
        true => Ok(()),
        false => Err(Denial::missing(permission)),
    }
}

/// Wants one of several permissions.
///
/// # Errors
/// Their names.
pub(super) fn needs_any(actor: &Actor, permissions: &[String]) -> Result<(), Denial> {
    if has_any(actor, permissions) {
        Ok(())
    } else {
        Err(Denial::missing_any(permissions))
    }
}
