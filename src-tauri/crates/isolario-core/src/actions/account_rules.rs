//! What an account may look like, and who may change what of it.

use super::Refusal;
use isolario_auth::password::LONGEST_PASSWORD;
use isolario_auth::{actor_of, bearer_of_link};
use isolario_db::{Read, RoleRecord};
use isolario_model::content::user::{ADMINISTRATOR_ROLE, ANONYMOUS_ROLE, AUTHENTICATED_ROLE};
use isolario_model::content::{CollectionRole, EntityKind, UserRecord};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::{
    Actor, Denial, Operation, PermittedChange, SignIn, Subject, may, permit,
};

/// Longest name of an account or role, in characters.
pub(super) const LONGEST_NAME: usize = 60;

/// An account that somebody asks for.
#[derive(Debug, Clone)]
pub struct Account {
    pub name: String,
    pub mail: Option<String>,
    /// Role names beside `authenticated`.
    pub roles: Vec<String>,
    pub collection_roles: Vec<CollectionRole>,
    pub password: String,
}

/// What changes of an account; what is `None` stays.
#[derive(Clone, Default)]
pub struct AccountChange {
    pub name: Option<String>,
    /// All role names beside `authenticated`.
    pub roles: Option<Vec<String>>,
    /// All roles in collections.
    pub collection_roles: Option<Vec<CollectionRole>>,
    pub password: Option<String>,
    /// False: may no longer sign in.
    pub active: Option<bool>,
    pub second_factor: Option<SecondFactorChange>,
}

/// What becomes of the second factor of an account.
#[derive(Clone)]
pub enum SecondFactorChange {
    /// This secret, in base 32, and a present code of it, which shows that an app has it.
    On {
        secret: String,
        code: String,
    },
    Off,
}

/// The actor as the account is in this snapshot, which may have changed since they signed in.
///
/// # Errors
/// `Refusal::Denied` when they are no longer signed in.
pub fn as_of_now(read: &Read<'_>, actor: &Actor) -> Result<Actor, Refusal> {
    match actor.sign_in {
        SignIn::Nobody | SignIn::Program | SignIn::Window => return Ok(actor.clone()),
        SignIn::Link(id) => return bearer_as_of_now(read, id),
        SignIn::Credentials(_) | SignIn::Session(_) | SignIn::Token(_) => {}
    }
    let found = isolario_auth::account_of(read, &actor.sign_in, actor.uid)?;
    let ended = || Denial::new("Your account has been changed meanwhile. Sign in again.");
    let user = found.ok_or_else(ended)?.user;
    let mut now = actor_of(read, &user, actor.sign_in.clone())?;
    now.scope = actor.scope;
    Ok(now)
}

fn bearer_as_of_now(read: &Read<'_>, id: i64) -> Result<Actor, Refusal> {
    let bearer = match read.share_link(id)? {
        Some(link) => bearer_of_link(read, &link)?,
        None => None,
    };
    Ok(bearer.ok_or_else(|| Denial::new("This link has ended."))?)
}

/// Permits an account with these roles.
///
/// # Errors
/// `Refusal::Denied`.
pub(super) fn permit_account<'t>(
    read: &Read<'t>,
    actor: &Actor,
    roles: &[String],
    collection_roles: &[CollectionRole],
) -> Result<PermittedChange<'t>, Refusal> {
    let permitted = permit(actor, Operation::Create, &Subject::of_account(0, true))?;
    keep_off_administrators(actor, gives_everything(roles))?;
    let in_collections = collection_roles.iter().map(|one| &one.role);
    refuse_more_than_own(read, actor, roles.iter().chain(in_collections))?;
    Ok(permitted)
}

/// Whether the actor may give the role to somebody, or take it away: nobody may get what they may not do
/// themselves by way of another account. Only administrators make administrators.
pub fn may_give(actor: &Actor, role: &RoleRecord) -> bool {
    let no_more = || {
        let mut permissions = role.permissions.iter();
        permissions.all(|permission| actor.can(permission))
    };
    actor.is_administrator()
        || role.name != ADMINISTRATOR_ROLE && (actor.can("administer permissions") || no_more())
}

/// Refuses when one of the roles is not for the actor to give. Roles that there are not, `check_roles` refuses.
fn refuse_more_than_own<'a>(
    read: &Read<'_>,
    actor: &Actor,
    mut roles: impl Iterator<Item = &'a String>,
) -> Result<(), Refusal> {
    let known = read.roles()?;
    let is_too_much = |name: &String| {
        let role = known.iter().find(|role| role.name == *name);
        role.is_some_and(|role| !may_give(actor, role))
    };
    match roles.any(is_too_much) {
        false => Ok(()),
        true => Err(Refusal::Denied(Denial::new(
            "A role that permits what you may not do yourself is given and taken away by those with the 'administer permissions' permission.",
        ))),
    }
}

/// Whether the actor may change that of an account, as `permit_change` decides.
///
/// # Errors
/// As `permit_change`.
pub fn may_change(
    read: &Read<'_>,
    actor: &Actor,
    user: &UserRecord,
    change: &AccountChange,
) -> Result<(), Refusal> {
    permit_change(read, actor, user, change).map(drop)
}

/// Permits a change of an account. Their own password everybody may change, who
/// has signed in; the rest is for those who administer accounts, and nobody disables themselves. Who
/// sets a password of somebody else has their roles.
///
/// # Errors
/// `Refusal::Denied`, `Refusal::Forbidden` for single fields, `Refusal::Broken`.
pub(super) fn permit_change<'t>(
    read: &Read<'t>,
    actor: &Actor,
    user: &UserRecord,
    change: &AccountChange,
) -> Result<PermittedChange<'t>, Refusal> {
    let account = Subject::of_account(user.uid, user.active);
    let permitted = permit(actor, Operation::Update, &account)?;
    if !actor.can("administer users")
        && let Some(field) = administrators_field(change)
    {
        return Err(Refusal::Forbidden(format!(
            "Access denied on updating field '{field}'."
        )));
    }
    let gives = change.roles.as_deref().is_some_and(gives_everything);
    keep_off_administrators(actor, gives || user.is_administrator())?;
    if let Some(roles) = &change.roles {
        let given = roles.iter().filter(|role| !user.roles.contains(role));
        let taken = user.roles.iter().filter(|role| !roles.contains(role));
        refuse_more_than_own(read, actor, given.chain(taken))?;
    }
    if let Some(roles) = &change.collection_roles {
        let before = &user.collection_roles;
        let given = roles.iter().filter(|role| !before.contains(role));
        let taken = before.iter().filter(|role| !roles.contains(role));
        refuse_more_than_own(read, actor, given.chain(taken).map(|one| &one.role))?;
    }
    let is_secret = change.password.is_some() || change.second_factor.is_some();
    if is_secret && !actor.owns(user.uid) {
        refuse_more_than_own(read, actor, all_roles(user))?;
        if let Some(SecondFactorChange::On { .. }) = change.second_factor {
            let words = "Everybody sets up their own second factor.";
            return refuse("second_factor", ViolationCode::NotPermitted, words);
        }
    }
    let is_person = actor.sign_in != SignIn::Program;
    if change.active == Some(false) && is_person && user.uid == actor.uid {
        let words = "You cannot disable your own account.";
        return refuse("active", ViolationCode::NotPermitted, words);
    }
    Ok(permitted)
}

/// Permits to make what signs in to an account: who has that has the roles of the account.
///
/// # Errors
/// `Refusal::Denied`.
pub(super) fn permit_credentials<'t>(
    read: &Read<'t>,
    actor: &Actor,
    user: &UserRecord,
) -> Result<PermittedChange<'t>, Refusal> {
    let permitted = permit_revocation(actor, user)?;
    if !actor.owns(user.uid) {
        refuse_more_than_own(read, actor, all_roles(user))?;
    }
    Ok(permitted)
}

fn all_roles(user: &UserRecord) -> impl Iterator<Item = &String> {
    let in_collections = user.collection_roles.iter().map(|one| &one.role);
    user.roles.iter().chain(in_collections)
}

/// Permits to end what signs in to an account.
///
/// # Errors
/// `Refusal::Denied`.
pub(super) fn permit_revocation<'t>(
    actor: &Actor,
    user: &UserRecord,
) -> Result<PermittedChange<'t>, Refusal> {
    let account = Subject::of_account(user.uid, user.active);
    let permitted = permit(actor, Operation::Update, &account)?;
    keep_off_administrators(actor, user.is_administrator())?;
    Ok(permitted)
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
        ("collection_roles", change.collection_roles.is_some()),
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
/// `Refusal::InvalidAccount`.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    let (code, wrong) = if name.trim().is_empty() {
        (ViolationCode::Required, "A name may not be empty.")
    } else if name.trim() != name {
        let wrong = "A name may not begin or end with a space.";
        (ViolationCode::WrongSyntax, wrong)
    } else if name.chars().any(|c| c.is_control() || c == ':') {
        let wrong = "A name may hold neither colons nor control characters.";
        (ViolationCode::WrongSyntax, wrong)
    } else if name.chars().count() > LONGEST_NAME {
        let wrong = "A name may not be longer than 60 characters.";
        (ViolationCode::TooLong, wrong)
    } else {
        return Ok(());
    };
    refuse("name", code, wrong)
}

/// Refuses what cannot be a name of something but accounts, in that field: a line of text, of at most so many characters.
///
/// # Errors
/// `Refusal::InvalidAccount`.
pub(super) fn check_line(field: &str, name: &str, longest: usize) -> Result<(), Refusal> {
    let (code, words) = if name.trim().is_empty() {
        (ViolationCode::Required, "A name may not be empty.".into())
    } else if name.trim() != name {
        let words = "A name may not begin or end with a space.";
        (ViolationCode::WrongSyntax, words.into())
    } else if name.chars().any(char::is_control) {
        let words = "A name may not hold control characters.";
        (ViolationCode::ControlCharacter, words.into())
    } else if name.chars().count() > longest {
        let words = format!("A name may not be longer than {longest} characters.");
        (ViolationCode::TooLong, words)
    } else {
        return Ok(());
    };
    refuse(field, code, words)
}

/// Fewest characters of a password that is chosen (NIST SP 800-63B, 3.1.1.2). Accounts keep the ones that they have.
const SHORTEST_PASSWORD: usize = 8;

/// Refuses what cannot be a password.
///
/// # Errors
/// `Refusal::InvalidAccount`.
pub fn check_password(password: &str) -> Result<(), Refusal> {
    if password.is_empty() {
        let words = "A password may not be empty.";
        return refuse("password", ViolationCode::Required, words);
    }
    if password.chars().count() < SHORTEST_PASSWORD {
        let words = format!("A password may not be shorter than {SHORTEST_PASSWORD} characters.");
        return refuse("password", ViolationCode::TooShort, words);
    }
    if password.len() > LONGEST_PASSWORD {
        let words = "A password may not be longer than 1024 bytes.";
        return refuse("password", ViolationCode::TooLong, words);
    }
    Ok(())
}

/// Refuses roles that nobody can be given.
///
/// # Errors
/// `Refusal::InvalidAccount`, naming those there are.
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
            ViolationCode::NotAChoice,
            format!("There is no role {role}. There are: {}.", known.join(", ")),
        ),
    }
}

/// Refuses roles in what is no collection, and roles that nobody can be given. What was given before may stay.
///
/// # Errors
/// `Refusal::InvalidAccount`.
pub fn check_collection_roles(
    read: &Read<'_>,
    roles: &[CollectionRole],
    before: &[CollectionRole],
) -> Result<(), Refusal> {
    for new in roles.iter().filter(|role| !before.contains(role)) {
        check_roles(read, std::slice::from_ref(&new.role))?;
        check_collection(read, "collection_roles", new.collection)?;
    }
    Ok(())
}

/// Refuses in a field what is no live collection.
///
/// # Errors
/// `Refusal::InvalidAccount`.
pub(super) fn check_collection(read: &Read<'_>, field: &str, nid: i64) -> Result<(), Refusal> {
    let is_there = read.target(EntityKind::Node, nid)?.is_some();
    match is_there && read.is_collection(nid)? {
        true => Ok(()),
        false => refuse(
            field,
            ViolationCode::NotAChoice,
            format!("There is no collection {nid}."),
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
/// Always: `Refusal::InvalidAccount`.
pub fn refuse<T>(field: &str, code: ViolationCode, words: impl Into<String>) -> Result<T, Refusal> {
    let violation = Violation::of_field(field, code, words);
    Err(Refusal::InvalidAccount(violation))
}
