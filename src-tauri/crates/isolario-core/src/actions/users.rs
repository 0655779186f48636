//! Changes to accounts. Accounts are never deleted: what somebody made keeps its owner.

mod openid_sign_in;

use chrono::Utc;

use super::account_rules::{
    Account, AccountChange, SecondFactorChange, as_of_now, check_collection_roles, check_name,
    check_password, check_roles, permit_account, permit_change, refuse,
};
use super::{Author, Refusal};
use isolario_auth::{Authenticator, random_hex, step_of};
use isolario_db::{Db, DbError, NewUser, Read, SecondFactor, Write};
use isolario_model::content::user::ADMINISTRATOR_UID;
use isolario_model::content::{EntityKind, UserRecord};
use isolario_model::fields::ViolationCode;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, permit};

pub use openid_sign_in::openid_account;

/// Makes an account, if the actor may when it comes to that.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::InvalidAccount` for a name that is taken or cannot be one, an unknown role, or a password that
/// is too short or too long.
pub async fn add_user(
    db: &Db,
    authenticator: &Authenticator,
    actor: &Actor,
    origin: Origin,
    account: Account,
) -> Result<i64, Refusal> {
    check_name(&account.name)?;
    let password_hash = hashed(authenticator, account.password).await?;
    let (actor, author) = (actor.clone(), Author::new(actor, origin));
    let user = NewUser {
        name: account.name,
        mail: account.mail,
        password_hash: Some(password_hash),
        roles: account.roles,
        collection_roles: account.collection_roles,
        at: author.at,
    };
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let permitted = permit_account(write, &actor, &user.roles, &user.collection_roles)?;
        refuse_taken(write, &user.name, None)?;
        check_roles(write, &user.roles)?;
        check_collection_roles(write, &user.collection_roles, &[])?;
        let uid = write.insert_user(&permitted, &user)?;
        record(write, uid, &author, "create")?;
        Ok(uid)
    })
    .await
}

/// Changes an account, if the actor may when it comes to that. With another name or password, or when it is disabled, its sessions and
/// tokens end.
///
/// # Errors
/// As for `add_user`; `Refusal::InvalidAccount` also when nobody would be left who may do everything;
/// `Refusal::NotFound` without such an account.
pub async fn change_user(
    db: &Db,
    authenticator: &Authenticator,
    actor: &Actor,
    origin: Origin,
    uid: i64,
    change: AccountChange,
) -> Result<(), Refusal> {
    if let Some(name) = &change.name {
        check_name(name)?;
    }
    let hash = match change.password.clone() {
        Some(password) => Some(hashed(authenticator, password).await?),
        None => None,
    };
    let (actor, author) = (actor.clone(), Author::new(actor, origin));
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let before = write.user(uid)?.ok_or(Refusal::NotFound {
            kind: EntityKind::User,
            id: uid,
        })?;
        let permitted = permit_change(write, &actor, &before, &change)?;
        if let Some(name) = &change.name {
            refuse_taken(write, name, Some(uid))?;
        }
        if let Some(roles) = &change.roles {
            check_roles(write, roles)?;
        }
        if let Some(roles) = &change.collection_roles {
            check_collection_roles(write, roles, &before.collection_roles)?;
        }
        apply(write, &permitted, uid, &change, hash.as_deref(), author.at)?;
        keep_an_administrator(write, &before)?;
        record(write, uid, &author, "update")?;
        Ok(())
    })
    .await
}

fn apply<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    uid: i64,
    change: &AccountChange,
    hash: Option<&str>,
    at: i64,
) -> Result<(), Refusal> {
    if let Some(name) = &change.name {
        write.set_user_name(permitted, uid, name, at)?;
    }
    if let Some(roles) = &change.roles {
        write.set_user_roles(permitted, uid, roles, at)?;
    }
    if let Some(roles) = &change.collection_roles {
        write.set_collection_roles(permitted, uid, roles, at)?;
    }
    match &change.second_factor {
        Some(SecondFactorChange::On { secret, code }) => {
            let factor = second_factor(secret, code, at)?;
            write.set_second_factor(permitted, uid, Some(&factor), at)?;
        }
        Some(SecondFactorChange::Off) => write.set_second_factor(permitted, uid, None, at)?,
        None => {}
    }
    if let Some(active) = change.active {
        write.set_user_active(permitted, uid, active, at)?;
    }
    if let Some(hash) = hash {
        write.set_password_hash(permitted, uid, hash, at)?;
    }
    Ok(())
}

/// A second factor, if the code shows that an app has its secret.
fn second_factor(secret: &str, code: &str, now: i64) -> Result<SecondFactor, Refusal> {
    match step_of(secret, code, now) {
        Some(last_step) => Ok(SecondFactor {
            secret: secret.to_owned(),
            last_step,
        }),
        None => refuse(
            "second_factor",
            ViolationCode::NoMatch,
            "This is not the present code of this secret. Is the clock of the device right?",
        ),
    }
}

/// Changes the account of that name.
///
/// # Errors
/// As for `change_user`.
pub async fn change_named(
    db: &Db,
    authenticator: &Authenticator,
    actor: &Actor,
    origin: Origin,
    name: &str,
    change: AccountChange,
) -> Result<(), Refusal> {
    let uid = find(db, name).await?.uid;
    change_user(db, authenticator, actor, origin, uid, change).await
}

/// Name and new password of the first administrator where none has ever been set; the one who asks
/// has to show them.
///
/// # Errors
/// What the database refuses.
pub async fn first_password(
    db: &Db,
    authenticator: &Authenticator,
) -> Result<Option<(String, String)>, Refusal> {
    if db.read_here(without_password)?.is_none() {
        return Ok(None);
    }
    let password = random_password();
    let hash = hashed(authenticator, password.clone()).await?;
    let now = Utc::now().timestamp();
    let name = db.write(move |write| -> Result<Option<String>, DbError> {
        // While it was made, somebody may have set one.
        let name = without_password(write)?;
        if name.is_some() {
            let account = Subject::of_account(ADMINISTRATOR_UID, true);
            let permitted = permit(&Actor::program(), Operation::Update, &account)?;
            write.set_password_hash(&permitted, ADMINISTRATOR_UID, &hash, now)?;
        }
        Ok(name)
    });
    Ok(name.await?.map(|name| (name, password)))
}

/// Name of the first administrator while no password has been set.
fn without_password(read: &Read<'_>) -> Result<Option<String>, DbError> {
    let found = read.credentials(ADMINISTRATOR_UID)?;
    let found = found.filter(|found| found.password_hash.is_none());
    Ok(found.map(|found| found.user.name))
}

/// 80 random bits that can be typed: `1f3a-90bc-…`.
fn random_password() -> String {
    let digits = random_hex::<10>();
    let groups = digits.as_bytes().chunks(4);
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join("-")
}

async fn find(db: &Db, name: &str) -> Result<UserRecord, Refusal> {
    let wanted = name.to_owned();
    let found = db.read(move |read| read.user_by_name(&wanted)).await;
    found
        .map_err(|error: DbError| Refusal::Database(error))?
        .ok_or_else(|| Refusal::Invalid(format!("There is no user {name}.")))
}

fn refuse_taken(write: &Write<'_>, name: &str, own: Option<i64>) -> Result<(), Refusal> {
    match write.user_by_name(name)? {
        Some(other) if Some(other.uid) != own => {
            let words = format!("There is already a user {name}.");
            refuse("name", ViolationCode::NotUnique, words)
        }
        _ => Ok(()),
    }
}

/// Nobody else could give the last administrator's powers back.
fn keep_an_administrator(write: &Write<'_>, before: &UserRecord) -> Result<(), Refusal> {
    if !before.active || !before.is_administrator() || write.active_administrators()? > 0 {
        return Ok(());
    }
    let field = match write.user(before.uid)? {
        Some(after) if !after.active => "active",
        _ => "roles",
    };
    let words = "This is the last administrator who can sign in. Make another one first.";
    refuse(field, ViolationCode::NotPermitted, words)
}

fn record(write: &mut Write<'_>, uid: i64, author: &Author, action: &str) -> Result<(), DbError> {
    let label = write.user(uid)?.map_or_else(String::new, |user| user.name);
    write.record_event(&author.event(action, (EntityKind::User, uid), &label))
}

async fn hashed(authenticator: &Authenticator, password: String) -> Result<String, Refusal> {
    check_password(&password)?;
    let hash = authenticator.hash(password).await;
    hash.map_err(|error| Refusal::Storage(error.to_string()))
}

#[cfg(test)]
mod tests;
