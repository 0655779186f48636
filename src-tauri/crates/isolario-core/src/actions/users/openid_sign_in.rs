//! Signing in through another service: the account of a person there, which is made at first, and its roles.

use super::{keep_an_administrator, record};
use crate::actions::account_rules::LONGEST_NAME;
use crate::actions::{Author, Refusal};
use isolario_auth::OpenIdIdentity;
use isolario_config::OpenIdConnectRules;
use isolario_db::{Db, NewUser, Read, Write};
use isolario_model::content::UserRecord;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Denial, Operation, Subject, permit};

/// The account (user id) of somebody whom the service lets in. It gets the roles that their groups give, and loses those
/// that only groups give which they are not in. Other roles stay.
///
/// # Errors
/// `Refusal::Denied` where no group of theirs gives anything here, and for a disabled account.
pub async fn openid_account(
    db: &Db,
    rules: &OpenIdConnectRules,
    identity: OpenIdIdentity,
) -> Result<i64, Refusal> {
    let no_group = || Denial::new("None of your groups there may sign in here.");
    let wanted = rules.roles_of(&identity.groups).ok_or_else(no_group)?;
    let by_groups: Vec<String> = rules.given_roles().cloned().collect();
    let author = Author::new(&Actor::program(), Origin::Rest);
    db.write(move |write| {
        let known = write.roles()?;
        let exists = |role: &String| known.iter().any(|one| one.name == *role);
        let wanted: Vec<String> = wanted.into_iter().filter(exists).collect();
        let found = write.openid_account(&identity.issuer, &identity.subject)?;
        match found {
            Some(uid) => {
                let account = write.user(uid)?.filter(|account| account.active);
                let disabled = || Denial::new("This account may not sign in here any more.");
                let account = account.ok_or_else(disabled)?;
                set_roles(write, &account, wanted, &by_groups, &author)?;
                Ok(uid)
            }
            None => make(write, &identity, wanted, &author),
        }
    })
    .await
}

fn set_roles(
    write: &mut Write<'_>,
    account: &UserRecord,
    wanted: Vec<String>,
    by_groups: &[String],
    author: &Author,
) -> Result<(), Refusal> {
    let kept = account
        .roles
        .iter()
        .filter(|role| !by_groups.contains(role));
    let mut roles: Vec<String> = kept.cloned().chain(wanted).collect();
    roles.sort();
    roles.dedup();
    if roles == account.roles {
        return Ok(());
    }
    let subject = Subject::of_account(account.uid, true);
    let permitted = permit(&Actor::program(), Operation::Update, &subject)?;
    write.set_user_roles(&permitted, account.uid, &roles, author.at)?;
    keep_an_administrator(write, account)?;
    Ok(record(write, account.uid, author, "update")?)
}

fn make(
    write: &mut Write<'_>,
    identity: &OpenIdIdentity,
    roles: Vec<String>,
    author: &Author,
) -> Result<i64, Refusal> {
    let permitted = permit(
        &Actor::program(),
        Operation::Create,
        &Subject::of_account(0, true),
    )?;
    let account = NewUser {
        name: free_name(write, &identity.name)?,
        mail: identity.mail.clone(),
        password_hash: None,
        roles,
        collection_roles: Vec::new(),
        at: author.at,
    };
    let uid = write.insert_user(&permitted, &account)?;
    let person = (identity.issuer.as_str(), identity.subject.as_str());
    write.insert_openid_identity(&permitted, person, uid)?;
    record(write, uid, author, "create")?;
    Ok(uid)
}

/// The name that somebody has there, as far as it can be one here, or that name with a number. An account that is here
/// under their name is not theirs because of it.
fn free_name(read: &Read<'_>, name: &str) -> Result<String, Refusal> {
    let name: String = name
        .chars()
        .map(|c| if c.is_control() || c == ':' { ' ' } else { c })
        .take(LONGEST_NAME - 6)
        .collect();
    let name = match name.trim() {
        "" => "person",
        name => name,
    };
    for number in 1..100_000 {
        let tried = match number {
            1 => name.to_owned(),
            number => format!("{name} {number}"),
        };
        if read.user_by_name(&tried)?.is_none() {
            return Ok(tried);
        }
    }
    Err(Refusal::TooMany(format!(
        "There are too many accounts called {name}."
    )))
}
