//! The account that somebody has signed in to, as it is now.

use std::sync::Arc;

use chrono::Utc;

use super::cookie::LIFETIME;
use isolario_db::{Credentials, DbError, Read};
use isolario_model::content::user::{ADMINISTRATOR_UID, UserRecord};
use isolario_model::policy::actor::roles_of;
use isolario_model::policy::{Actor, Scope, SignIn};

/// The account of that number as it is now; `None` when this lets nobody in any more.
///
/// # Errors
/// When the database cannot be read.
pub fn account_of(
    read: &Read<'_>,
    sign_in: &SignIn,
    uid: i64,
) -> Result<Option<Credentials>, DbError> {
    let alive = match sign_in {
        SignIn::Nobody | SignIn::Link(_) => return Ok(None),
        SignIn::Program | SignIn::Window => return read.credentials(ADMINISTRATOR_UID),
        SignIn::Credentials(_) => true,
        SignIn::Session(hash) => {
            let seen = |since: i64| Utc::now().timestamp() - since < LIFETIME;
            let session = read.session(hash)?;
            session.is_some_and(|session| session.uid == uid && seen(session.last_seen))
        }
        SignIn::Token(id) => {
            let token = read.access_token(*id)?;
            let now = Utc::now().timestamp();
            token.is_some_and(|token| token.uid == uid && token.is_valid(now))
        }
    };
    let found = read.credentials(uid)?;
    Ok(found.filter(|found| {
        let same = !matches!(sign_in, SignIn::Credentials(changed) if *changed != found.changed);
        alive && same && found.user.active
    }))
}

/// The actor of an account, as its roles are in this snapshot.
///
/// # Errors
/// When the database cannot be read.
pub fn actor_of(read: &Read<'_>, user: &UserRecord, sign_in: SignIn) -> Result<Actor, DbError> {
    let permissions_of = |roles: &[String]| read.permissions_of(roles).map(Arc::new);
    let roles = roles_of(user);
    let actor = Actor {
        uid: user.uid,
        name: user.name.clone(),
        permissions: permissions_of(&roles)?,
        roles,
        sign_in,
        scope: Scope::All,
        in_collections: Arc::default(),
    };
    actor.with_collection_roles(&user.collection_roles, permissions_of)
}
