//! Access tokens: made for one account each, shown once, and revoked.

use chrono::{DateTime, Utc};

use super::account_rules::{
    as_of_now, check_collection, check_line, may_administer, permit_credentials, permit_revocation,
    refuse,
};
use super::{Author, Refusal};
use isolario_auth::{hash_of_access_token, new_access_token};
use isolario_db::{AccessToken, Db, NewAccessToken, Read};
use isolario_model::content::EntityKind;
use isolario_model::fields::ViolationCode;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Denial, Scope, SignIn};

/// Longest name of an access token, in characters.
const LONGEST_NAME: usize = 60;
/// Most access tokens of one account.
const MOST_TOKENS: i64 = 100;

/// What an access token is not for, in the words of a refusal.
pub const OTHER_TOKEN: &str = "other token";

/// An access token that somebody asks for.
#[derive(Debug, Clone)]
pub struct AccessTokenDraft {
    /// The account that it signs in to.
    pub uid: i64,
    pub name: String,
    /// When it ends; `None`: never.
    pub expires: Option<DateTime<Utc>>,
    pub scope: Scope,
}

/// Refuses somebody who has come by an access token: what it makes would outlive it. `made` names it.
///
/// # Errors
/// `Denial`.
pub fn refuse_access_token(actor: &Actor, made: &str) -> Result<(), Denial> {
    match actor.sign_in {
        SignIn::Token(_) => Err(Denial::new(format!(
            "An access token makes no {made}. Sign in by a password."
        ))),
        _ => Ok(()),
    }
}

/// Makes an access token, if the actor may when it comes to that; its number and the token, which is kept nowhere.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::InvalidAccount` for a name that is taken or cannot be one, a time that has passed, and an
/// account that there is not or that may not sign in; `Refusal::TooMany`.
pub async fn add_access_token(
    db: &Db,
    actor: &Actor,
    origin: Origin,
    draft: AccessTokenDraft,
) -> Result<(i64, String), Refusal> {
    refuse_access_token(actor, OTHER_TOKEN)?;
    check_line("name", &draft.name, LONGEST_NAME)?;
    let (actor, author) = (actor.clone(), Author::new(actor, origin));
    let expires = draft.expires.map(|expires| expires.timestamp());
    if expires.is_some_and(|expires| expires <= author.at) {
        let words = "This time has passed.";
        return refuse("expires", ViolationCode::OutOfRange, words);
    }
    let token = new_access_token();
    let new = NewAccessToken {
        uid: draft.uid,
        hash: hash_of_access_token(&token),
        name: draft.name,
        created: author.at,
        expires,
        scope: draft.scope,
    };
    let id = db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        // Who may not make one for others is not told which accounts there are.
        may_administer(&actor, new.uid)?;
        if let Scope::Collection(nid) = new.scope {
            check_collection(write, "collection", nid)?;
        }
        let Some(user) = write.user(new.uid)?.filter(|user| user.active) else {
            let words = format!("There is no account {} that may sign in.", new.uid);
            return refuse("user", ViolationCode::UnknownReference, words);
        };
        let permitted = permit_credentials(write, &actor, &user)?;
        refuse_one_more(write, &new)?;
        let id = write.insert_access_token(&permitted, &new)?;
        write.record_event(&author.event("issue_token", (EntityKind::User, new.uid), &new.name))?;
        Ok(id)
    });
    Ok((id.await?, token))
}

fn refuse_one_more(read: &Read<'_>, new: &NewAccessToken) -> Result<(), Refusal> {
    let (count, has_name) = read.access_tokens_of(new.uid, &new.name)?;
    if has_name {
        let words = format!("There is already a token {} of this account.", new.name);
        return refuse("name", ViolationCode::NotUnique, words);
    }
    if count >= MOST_TOKENS {
        return Err(Refusal::TooMany(format!(
            "This account has {MOST_TOKENS} access tokens. Revoke one first."
        )));
    }
    Ok(())
}

/// Revokes an access token, if the actor may when it comes to that. From then on it lets nobody in.
///
/// # Errors
/// `Refusal::Missing` where there is none, or none that the actor may know of; `Refusal::Denied`.
pub async fn revoke_access_token(
    db: &Db,
    actor: &Actor,
    origin: Origin,
    id: i64,
) -> Result<(), Refusal> {
    let (actor, author) = (actor.clone(), Author::new(actor, origin));
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let found = write.access_token(id)?;
        let known = |token: &AccessToken| may_administer(&actor, token.uid).is_ok();
        let missing = || Refusal::Missing(format!("There is no token {id}."));
        let token = found.filter(known).ok_or_else(missing)?;
        let user = write.user(token.uid)?.ok_or_else(missing)?;
        let permitted = permit_revocation(&actor, &user)?;
        write.delete_access_token(&permitted, token.uid, id)?;
        write.record_event(&author.event(
            "revoke_token",
            (EntityKind::User, token.uid),
            &token.name,
        ))?;
        Ok(())
    })
    .await
}
