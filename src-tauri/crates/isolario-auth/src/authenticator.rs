//! Finds out who is asking: by password, token, session or the window's key.

mod access_tokens;
mod by_password;
mod sessions;
mod share_links;

use std::collections::HashSet;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::Utc;

use super::access_token::is_access_token;
use super::account_cache::{AccountCache, AccountKey};
use super::bearer::{Claims, KeyError, PublicKey, Rotation, TokenKeys};
use super::cookie::{cookie_names, link_cookie_name};
use super::failed_sign_ins::FailedSignIns;
use super::flood::Flood;
use super::hosts::{AllowedHosts, authority_of};
use super::openid_connect::OpenIdConnect;
use super::password::Passwords;
use super::permission_cache::PermissionCache;
use super::sign_in::account_of;
use super::tickets::Tickets;
use super::window_key::WindowKey;
use access_tokens::NotedUses;
use isolario_config::OpenIdConnectRules;
use isolario_db::{Credentials, Db, DbError};
use isolario_model::content::user::{ADMINISTRATOR_UID, ANONYMOUS_ROLE, UserRecord};
use isolario_model::policy::actor::roles_of;
use isolario_model::policy::{Actor, Scope, SignIn, permit_server};

/// How far a clock may be set back, in seconds, without tokens seeming to come from the future.
const CLOCK_STEP: i64 = 60;

/// Why somebody could not be let in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The credentials are no good. What exactly is wrong is not said.
    #[error("{0}")]
    Refused(&'static str),
    /// Name or password are wrong. Which of them is not said, nor does it change how many tries are left before a pause.
    #[error("Sorry, unrecognized username or password.")]
    WrongPassword { tries_left: usize },
    /// Name and password are right. A code of the second factor is needed, too, which is not sent this way.
    #[error("The code of the second factor is needed.")]
    CodeNeeded,
    /// Name and password are right, and the code is not, or was used before.
    #[error("This is not the present code of the second factor.")]
    WrongCode { tries_left: usize },
    /// Too many failures: wait first.
    #[error(
        "Too many failed attempts to sign in with this account or from this address. Try again later."
    )]
    Wait(Duration),
    #[error(transparent)]
    Database(#[from] DbError),
}

const BAD_TOKEN: SignInError = SignInError::Refused("The bearer token is not valid.");
const BAD_WINDOW_KEY: SignInError = SignInError::Refused("The window's key is not valid.");

/// Knows the keys of one repository and remembers who came in.
pub struct Authenticator {
    db: Db,
    hosts: AllowedHosts,
    token_keys: Arc<TokenKeys>,
    window_key: WindowKey,
    cookie_names: [String; 2],
    link_cookie_name: String,
    passwords: Passwords,
    flood: Flood,
    failed_sign_ins: FailedSignIns,
    tickets: Tickets,
    accounts: AccountCache,
    permissions: PermissionCache,
    noted_uses: NotedUses,
    noted_link_uses: NotedUses,
    openid_connect: Option<OpenIdConnect>,
}

/// The setting by which a repository names its session cookie, whatever becomes of its keys.
const IDENTITY: &str = "session_identity";

async fn kept_identity(db: &Db, first: String) -> Result<String, DbError> {
    if let Some(kept) = db.read_here(|read| read.setting(IDENTITY))? {
        return Ok(kept);
    }
    let identity = first.clone();
    db.write(move |write| -> Result<(), DbError> {
        let permitted = permit_server(&Actor::program())?;
        write.set_setting(&permitted, IDENTITY, &identity)
    })
    .await?;
    Ok(first)
}

impl Authenticator {
    /// Reads the keys in a directory, making those that are missing.
    ///
    /// # Errors
    /// When a key cannot be read, made or written.
    pub async fn open(
        keys: &Path,
        hosts: AllowedHosts,
        db: Db,
        failed_sign_ins: FailedSignIns,
    ) -> Result<Authenticator, KeyError> {
        let token_keys = TokenKeys::open(keys, Utc::now().timestamp())?;
        let identity = kept_identity(&db, token_keys.id()).await?;
        Ok(Authenticator {
            db,
            hosts,
            cookie_names: cookie_names(&identity),
            link_cookie_name: link_cookie_name(&identity),
            token_keys: Arc::new(token_keys),
            window_key: WindowKey::generate(),
            passwords: Passwords::default(),
            flood: Flood::default(),
            failed_sign_ins,
            tickets: Tickets::default(),
            accounts: AccountCache::default(),
            permissions: PermissionCache::default(),
            noted_uses: NotedUses::default(),
            noted_link_uses: NotedUses::default(),
            openid_connect: None,
        })
    }

    /// The same, with a service that people sign in through, too.
    pub fn with_openid_connect(self, rules: Option<OpenIdConnectRules>) -> Authenticator {
        Authenticator {
            openid_connect: rules.map(OpenIdConnect::new),
            ..self
        }
    }

    /// The service that people sign in through beside their passwords here.
    pub fn openid_connect(&self) -> Option<&OpenIdConnect> {
        self.openid_connect.as_ref()
    }

    /// Who did not get in by password.
    pub fn failed_sign_ins(&self) -> &FailedSignIns {
        &self.failed_sign_ins
    }

    /// The hosts under which this server may be addressed.
    pub fn hosts(&self) -> &AllowedHosts {
        &self.hosts
    }

    /// The key of the window, for the window.
    pub fn window_key(&self) -> &str {
        self.window_key.as_str()
    }

    /// The name of the session cookie, where the way to the browser is encrypted and where not.
    pub fn cookie_name(&self, encrypted: bool) -> &str {
        &self.cookie_names[usize::from(encrypted)]
    }

    /// The name of the cookie that holds the key of a share link.
    pub fn link_cookie_name(&self) -> &str {
        &self.link_cookie_name
    }

    /// Signs in by a bearer token from an address: an access token, or a signed one.
    pub async fn bearer(&self, token: &str, address: IpAddr) -> Result<Actor, SignInError> {
        if is_access_token(token) {
            return self.access_token(token, address);
        }
        let now = Utc::now().timestamp();
        let claims = self.token_keys.verify(token, now).ok_or(BAD_TOKEN)?;
        let uid: i64 = claims.webid.parse().map_err(|_| BAD_TOKEN)?;
        let credentials = self.credentials(uid)?.ok_or(BAD_TOKEN)?;
        if !self.is_about(&claims, &credentials, now) {
            return Err(BAD_TOKEN);
        }
        Ok(self.by_credentials(&credentials)?)
    }

    fn is_about(&self, claims: &Claims, credentials: &Credentials, now: i64) -> bool {
        let issuer_is_us = claims.iss.starts_with("https://")
            && authority_of(&claims.iss).is_some_and(|host| self.hosts.allows(host));
        let in_time = credentials.changed <= claims.iat
            && claims.iat <= now.max(credentials.changed) + CLOCK_STEP;
        issuer_is_us
            && in_time
            && credentials.user.active
            && claims.drupal.uid == claims.webid
            && claims.sub == credentials.user.name
    }

    /// A bearer token for somebody who has signed in; `None` when that sign-in has ended meanwhile.
    /// `authority` is the host and port under which they reached us.
    pub async fn issue_token(
        &self,
        actor: &Actor,
        authority: &str,
    ) -> Result<Option<String>, DbError> {
        let Some(credentials) = self.account_of(actor.uid, &actor.sign_in)? else {
            return Ok(None);
        };
        let from = Utc::now().timestamp().max(credentials.changed);
        let issuer = format!("https://{authority}");
        let claims = Claims::new(actor.uid, &actor.name, &actor.roles, &issuer, from);
        Ok(self.token_keys.sign(&claims))
    }

    /// The keys that verify bearer tokens now, the one that signs first.
    pub fn public_keys(&self) -> Vec<PublicKey> {
        self.token_keys.public(Utc::now().timestamp())
    }

    /// Makes another key the one that signs bearer tokens; see `TokenKeys::rotate`.
    ///
    /// # Errors
    /// When the key cannot be made or written. The former one signs then as before.
    pub async fn rotate_token_key(&self, end_tokens: bool) -> Result<Rotation, KeyError> {
        let keys = self.token_keys.clone();
        let rotate = move || keys.rotate(end_tokens, Utc::now().timestamp());
        let rotated = tokio::task::spawn_blocking(rotate).await;
        rotated.unwrap_or(Err(KeyError::Generation))
    }

    /// Signs in by the window's key.
    pub async fn window(&self, key: &str) -> Result<Actor, SignInError> {
        if !self.window_key.is(key) {
            return Err(BAD_WINDOW_KEY);
        }
        let known = self.as_of_now(ADMINISTRATOR_UID, &SignIn::Window)?;
        Ok(known.unwrap_or_else(|| Actor {
            sign_in: SignIn::Window,
            ..Actor::program()
        }))
    }

    /// Somebody who has not signed in.
    pub fn anonymous(&self) -> Result<Actor, DbError> {
        let permissions = self.permissions_of(&[ANONYMOUS_ROLE.to_owned()])?;
        Ok(Actor::anonymous(permissions))
    }

    /// The actor of an account that may sign in.
    pub async fn actor(&self, uid: i64) -> Result<Option<Actor>, DbError> {
        let found = self.credentials(uid)?.filter(|found| found.user.active);
        found.map(|found| self.by_credentials(&found)).transpose()
    }

    /// Who has signed in by that, as they are now; `None` when it lets them in no more.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn as_of_now(&self, uid: i64, sign_in: &SignIn) -> Result<Option<Actor>, DbError> {
        if let SignIn::Link(id) = sign_in {
            return self.bearer_as_of_now(*id);
        }
        let found = self.account_of(uid, sign_in)?;
        found
            .map(|found| match sign_in {
                SignIn::Program | SignIn::Window => Ok(Actor {
                    name: found.user.name,
                    sign_in: sign_in.clone(),
                    ..Actor::program()
                }),
                _ => Ok(Actor {
                    scope: self.scope_of(sign_in)?,
                    ..self.actor_for(&found.user, sign_in.clone())?
                }),
            })
            .transpose()
    }

    /// What somebody may do of what their account may do, who has signed in by that.
    fn scope_of(&self, sign_in: &SignIn) -> Result<Scope, DbError> {
        let SignIn::Token(id) = sign_in else {
            return Ok(Scope::All);
        };
        let token = self.db.read_here(|read| read.access_token(*id))?;
        Ok(token.map_or(Scope::Read, |token| token.scope))
    }

    fn account_of(&self, uid: i64, sign_in: &SignIn) -> Result<Option<Credentials>, DbError> {
        self.db.read_here(|read| account_of(read, sign_in, uid))
    }

    fn by_credentials(&self, found: &Credentials) -> Result<Actor, DbError> {
        self.actor_for(&found.user, SignIn::Credentials(found.changed))
    }

    fn actor_for(&self, user: &UserRecord, sign_in: SignIn) -> Result<Actor, DbError> {
        let roles = roles_of(user);
        let actor = Actor {
            uid: user.uid,
            name: user.name.clone(),
            permissions: self.permissions_of(&roles)?,
            roles,
            sign_in,
            scope: Scope::All,
            in_collections: Arc::default(),
        };
        actor.with_collection_roles(&user.collection_roles, |roles| self.permissions_of(roles))
    }

    fn permissions_of(&self, roles: &[String]) -> Result<Arc<HashSet<String>>, DbError> {
        self.permissions.of(&self.db, roles)
    }

    /// To be called after roles have changed.
    pub fn forget_permissions(&self) {
        self.permissions.forget();
    }

    /// A ticket that lets somebody see one path without an `Authorization` header, for about an hour and
    /// while they are signed in by what they came with.
    pub fn ticket(&self, actor: &Actor, path: &str) -> String {
        let now = Utc::now().timestamp();
        self.tickets.issue(actor.uid, &actor.sign_in, path, now)
    }

    /// Whose ticket it is, if it is good for the path.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn owner_of_ticket(&self, path: &str, ticket: &str) -> Result<Option<Actor>, DbError> {
        match self.tickets.check(path, ticket, Utc::now().timestamp()) {
            Some((uid, sign_in)) => self.as_of_now(uid, &sign_in),
            None => Ok(None),
        }
    }

    fn credentials(&self, uid: i64) -> Result<Option<Arc<Credentials>>, DbError> {
        self.accounts.find(&self.db, AccountKey::Uid(uid))
    }
}

#[cfg(test)]
mod tests;
