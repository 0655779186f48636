//! What an account may look like, and who may change what of it.

use super::Refusal;
use super::users::AccountChange;
use crate::auth::password::LONGEST_PASSWORD;
use crate::auth::{Actor, Denial, Operation, Subject, may};
use crate::content::UserRecord;
use crate::content::user::{ADMINISTRATOR_ROLE, ANONYMOUS_ROLE, AUTHENTICATED_ROLE};
use crate::db::{Read, RoleRecord};
use crate::fields::Violation;

/// Longest name of an account or role, in characters.
const LONGEST_NAME: usize = 60;

/// Whether the actor may make an account with these roles.
///
/// # Errors
/// `Refusal::Denied`.
pub fn may_add(actor: &Actor, roles: &[String]) -> Result<(), Refusal> {
    may(actor, Operation::Create, &Subject::of_account(0, true))?;
    keep_off_administrators(actor, gives_everything(roles))
}

/// Whether the actor may change that of an account. Their own password everybody may change, who
/// has signed in; the rest is for those who administer accounts, and nobody disables themselves.
///
/// # Errors
/// `Refusal::Denied`, `Refusal::Forbidden` for single fields, `Refusal::Broken`.
pub fn may_change(actor: &Actor, user: &UserRecord, change: &AccountChange) -> Result<(), Refusal> {
    may(
        actor,
        Operation::Update,
        &Subject::of_account(user.uid, user.active),
    )?;
    if !actor.can("administer users")
        && let Some(field) = administrators_field(change)
    {
        return Err(Refusal::Forbidden(format!(
            "Access denied on updating field '{field}'."
        )));
    }
    let gives = change.roles.as_deref().is_some_and(gives_everything);
    keep_off_administrators(actor, gives || user.is_administrator())?;
    if change.active == Some(false) && user.uid == actor.uid {
        return refuse("active", "You cannot disable your own account.");
    }
    Ok(())
}

/// Whether the actor may look at what is kept of an account beside its name.
///
/// # Errors
/// The words of the refusal.
pub fn may_administer(actor: &Actor, uid: i64) -> Result<(), Denial> {
    may(actor, Operation::Update, &Subject::of_account(uid, true))
}

fn administrators_field(change: &AccountChange) -> Option<&'static str> {
    let sent = [
        ("name", change.name.is_some()),
        ("roles", change.roles.is_some()),
        ("active", change.active.is_some()),
    ];
    sent.into_iter()
        .find(|(_, sent)| *sent)
        .map(|(name, _)| name)
}

fn gives_everything(roles: &[String]) -> bool {
    roles.iter().any(|role| role == ADMINISTRATOR_ROLE)
}

/// Who may administer accounts, but not everything, must not become one who may.
fn keep_off_administrators(actor: &Actor, concerns: bool) -> Result<(), Refusal> {
    if !concerns || actor.is_administrator() {
        return Ok(());
    }
    Err(Refusal::Denied(Denial::new(
        "Only an administrator may make one, or change the account of one.",
    )))
}

/// Refuses what cannot be a name. Basic credentials part name and password at a colon.
///
/// # Errors
/// `Refusal::Broken`.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    let wrong = if name.trim().is_empty() {
        "A name may not be empty."
    } else if name.trim() != name {
        "A name may not begin or end with a space."
    } else if name.chars().any(|c| c.is_control() || c == ':') {
        "A name may hold neither colons nor control characters."
    } else if name.chars().count() > LONGEST_NAME {
        "A name may not be longer than 60 characters."
    } else {
        return Ok(());
    };
    refuse("name", wrong)
}

/// Refuses what cannot be a password.
///
/// # Errors
/// `Refusal::Broken`.
pub fn check_password(password: &str) -> Result<(), Refusal> {
    if password.is_empty() {
        return refuse("password", "A password may not be empty.");
    }
    if password.len() > LONGEST_PASSWORD {
        return refuse("password", "A password may not be longer than 1024 bytes.");
    }
    Ok(())
}

/// Refuses roles that nobody can be given.
///
/// # Errors
/// `Refusal::Broken`, naming those there are.
pub fn check_roles(read: &Read<'_>, roles: &[String]) -> Result<(), Refusal> {
    let known = read.roles()?;
    let known: Vec<String> = known
        .into_iter()
        .filter(can_be_given)
        .map(|role| role.name)
        .collect();
    match roles.iter().find(|role| !known.contains(role)) {
        None => Ok(()),
        Some(role) => refuse(
            "roles",
            format!("There is no role {role}. There are: {}.", known.join(", ")),
        ),
    }
}

/// Everybody has one of the other two by themselves.
pub fn can_be_given(role: &RoleRecord) -> bool {
    role.name != ANONYMOUS_ROLE && role.name != AUTHENTICATED_ROLE
}

/// The refusal for one field.
///
/// # Errors
/// Always: `Refusal::Broken`.
pub fn refuse<T>(field: &str, words: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Broken(Violation {
        path: field.to_owned(),
        text: words.into(),
    }))
}
