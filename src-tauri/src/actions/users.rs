//! Changes to accounts and roles.

use chrono::Utc;

use super::Refusal;
use crate::auth::password::{LONGEST_PASSWORD, hash};
use crate::auth::{Authenticator, random_hex};
use crate::content::UserRecord;
use crate::content::user::ADMINISTRATOR_UID;
use crate::db::{Db, DbError, NewUser, Read};

/// Longest name of an account or role, in characters.
const LONGEST_NAME: usize = 60;

/// An account that somebody asks for.
#[derive(Debug, Clone)]
pub struct Account {
    pub name: String,
    pub mail: Option<String>,
    /// Role names beside `authenticated`.
    pub roles: Vec<String>,
    pub password: String,
}

/// Makes an account.
///
/// # Errors
/// `Refusal::Invalid` for a name that is taken or cannot be one, an unknown role or an empty password.
pub async fn add_user(db: &Db, account: Account) -> Result<i64, Refusal> {
    check_name(&account.name)?;
    let password_hash = hashed(account.password).await?;
    let user = NewUser {
        name: account.name,
        mail: account.mail,
        password_hash: Some(password_hash),
        roles: account.roles,
        at: Utc::now().timestamp(),
    };
    db.write(move |write| {
        if write.user_by_name(&user.name)?.is_some() {
            return Err(invalid(format!("There is already a user {}.", user.name)));
        }
        for role in &user.roles {
            if write.role(role)?.is_none() {
                return Err(no_such_role(write, role));
            }
        }
        Ok(write.insert_user(&user)?)
    })
    .await
}

fn no_such_role(read: &Read<'_>, role: &str) -> Refusal {
    match read.roles() {
        Ok(known) => {
            let names: Vec<String> = known.into_iter().map(|role| role.name).collect();
            let names = names.join(", ");
            invalid(format!("There is no role {role}. There are: {names}."))
        }
        Err(error) => Refusal::Database(error),
    }
}

/// Gives an account another password. Its sessions and tokens end.
///
/// # Errors
/// `Refusal::Invalid` for an unknown name or an empty password.
pub async fn set_password(db: &Db, name: &str, password: String) -> Result<(), Refusal> {
    let uid = find(db, name).await?.uid;
    let hash = hashed(password).await?;
    let now = Utc::now().timestamp();
    db.write(move |write| Ok(write.set_password_hash(uid, &hash, now)?))
        .await
}

/// Lets an account sign in, or no longer. When it no longer may, its sessions and tokens end.
///
/// # Errors
/// `Refusal::Invalid` for an unknown name.
pub async fn set_active(db: &Db, name: &str, active: bool) -> Result<(), Refusal> {
    let uid = find(db, name).await?.uid;
    let now = Utc::now().timestamp();
    db.write(move |write| Ok(write.set_user_active(uid, active, now)?))
        .await
}

/// A password for the administrator where none has ever been set; the one who asks has to show it.
///
/// # Errors
/// What the database refuses.
pub async fn first_password(db: &Db) -> Result<Option<String>, Refusal> {
    let found = db
        .read(|read| read.credentials(ADMINISTRATOR_UID))
        .await
        .map_err(Refusal::Database)?;
    let Some(administrator) = found.filter(|found| found.password_hash.is_none()) else {
        return Ok(None);
    };
    let password = random_password();
    set_password(db, &administrator.user.name, password.clone()).await?;
    Ok(Some(password))
}

/// 80 random bits that can be typed: `1f3a-90bc-…`.
fn random_password() -> String {
    let digits = random_hex::<10>();
    let groups = digits.as_bytes().chunks(4);
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join("-")
}

/// Makes a role.
///
/// # Errors
/// `Refusal::Invalid` for a name that is taken or cannot be one.
pub async fn add_role(
    db: &Db,
    authenticator: &Authenticator,
    name: String,
    permissions: Vec<String>,
) -> Result<(), Refusal> {
    check_name(&name)?;
    if let Some(bad) = permissions.iter().find(|name| name.trim().is_empty()) {
        return Err(invalid(format!("{bad:?} is no permission.")));
    }
    db.write(move |write| {
        if write.role(&name)?.is_some() {
            return Err(invalid(format!("There is already a role {name}.")));
        }
        Ok(write.insert_role(&name, &name, &permissions)?)
    })
    .await?;
    authenticator.forget_permissions();
    Ok(())
}

async fn find(db: &Db, name: &str) -> Result<UserRecord, Refusal> {
    let wanted = name.to_owned();
    let found = db.read(move |read| read.user_by_name(&wanted)).await;
    found
        .map_err(|error: DbError| Refusal::Database(error))?
        .ok_or_else(|| invalid(format!("There is no user {name}.")))
}

/// Basic credentials part name and password at a colon.
fn check_name(name: &str) -> Result<(), Refusal> {
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
    Err(invalid(wrong))
}

async fn hashed(password: String) -> Result<String, Refusal> {
    if password.is_empty() {
        return Err(invalid("A password may not be empty."));
    }
    if password.len() > LONGEST_PASSWORD {
        return Err(invalid("A password may not be longer than 1024 bytes."));
    }
    let hashed = tokio::task::spawn_blocking(move || hash(&password)).await;
    match hashed {
        Ok(Ok(hash)) => Ok(hash),
        Ok(Err(error)) => Err(invalid(error.to_string())),
        Err(_) => Err(Refusal::Database(DbError::Closed)),
    }
}

fn invalid(words: impl Into<String>) -> Refusal {
    Refusal::Invalid(words.into())
}
