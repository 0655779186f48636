//! Signing in by name and password, and by the second factor of those who have one.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use chrono::Utc;

use super::{Authenticator, SignInError};
use crate::account_cache::AccountKey;
use crate::basic;
use crate::password::{HashError, LONGEST_PASSWORD, Version};
use crate::second_factor::step_of;
use isolario_db::{Credentials, DbError, SecondFactor};
use isolario_model::policy::Actor;

const BAD_BASIC: SignInError = SignInError::Refused("The Basic credentials cannot be read.");

impl Authenticator {
    /// Signs in by the text behind `Basic`.
    ///
    /// # Errors
    /// Those of `password`; `CodeNeeded` for an account with a second factor: a header that is sent with each request has
    /// no code that holds for one.
    pub async fn basic(&self, encoded: &str, address: IpAddr) -> Result<Actor, SignInError> {
        let (name, password) = basic::decode(encoded).ok_or(BAD_BASIC)?;
        self.password(&name, &password, None, address).await
    }

    /// Signs in by name and password and, where the account has a second factor, its code. Failures are counted.
    ///
    /// # Errors
    /// `WrongPassword`, `Wait`; `CodeNeeded` and `WrongCode` once the password is right.
    pub async fn password(
        &self,
        name: &str,
        password: &str,
        code: Option<&str>,
        address: IpAddr,
    ) -> Result<Actor, SignInError> {
        let credentials = self.right(name, password, address).await?;
        if let Some(factor) = &credentials.second_factor {
            let code = code.ok_or(SignInError::CodeNeeded)?;
            self.use_code(&credentials, factor, code, address).await?;
        }
        self.flood.succeeded(name, address, Instant::now());
        Ok(self.by_credentials(&credentials)?)
    }

    /// Whether this is the password of somebody who has signed in. Failures are counted.
    ///
    /// # Errors
    /// `WrongPassword`, `Wait`.
    pub async fn confirm(
        &self,
        actor: &Actor,
        password: &str,
        address: IpAddr,
    ) -> Result<(), SignInError> {
        self.right(&actor.name, password, address).await?;
        self.flood.succeeded(&actor.name, address, Instant::now());
        Ok(())
    }

    /// The account of that name, if the password is right.
    async fn right(
        &self,
        name: &str,
        password: &str,
        address: IpAddr,
    ) -> Result<Arc<Credentials>, SignInError> {
        self.may_try(name, address)?;
        let found = self.accounts.find(&self.db, AccountKey::Name(name))?;
        let uid = found.as_ref().map_or(0, |found| found.user.uid);
        let found = found.filter(|credentials| credentials.user.active);
        let right = password.len() <= LONGEST_PASSWORD
            && self
                .is_right(name, password, found.as_deref(), address)
                .await?;
        match found.filter(|_| right) {
            Some(credentials) => Ok(credentials),
            None => {
                let tries_left = self.failed(name, uid, address);
                Err(SignInError::WrongPassword { tries_left })
            }
        }
    }

    /// Takes a code of the second factor, which lets in once (RFC 6238, 5.2).
    async fn use_code(
        &self,
        credentials: &Credentials,
        factor: &SecondFactor,
        code: &str,
        address: IpAddr,
    ) -> Result<(), SignInError> {
        let uid = credentials.user.uid;
        let is_new = match step_of(&factor.secret, code, Utc::now().timestamp()) {
            Some(step) => {
                let used = self.db.write(move |write| -> Result<bool, DbError> {
                    write.use_second_factor(uid, step)
                });
                used.await?
            }
            None => false,
        };
        match is_new {
            true => Ok(()),
            false => {
                let tries_left = self.failed(&credentials.user.name, uid, address);
                Err(SignInError::WrongCode { tries_left })
            }
        }
    }

    /// Counts a failure. How many tries are left.
    fn failed(&self, name: &str, uid: i64, address: IpAddr) -> usize {
        let tries_left = self.flood.failed(name, address, Instant::now());
        self.failed_sign_ins.note(address, uid);
        tries_left
    }

    async fn is_right(
        &self,
        name: &str,
        password: &str,
        found: Option<&Credentials>,
        address: IpAddr,
    ) -> Result<bool, SignInError> {
        let fingerprint = self.passwords.fingerprint(name, password);
        let version = found.map(Version::of);
        let remembered = || {
            let version = version.as_ref();
            version.is_some_and(|version| self.passwords.remembers(fingerprint, version))
        };
        if remembered() {
            return Ok(true);
        }
        let _place = self.passwords.place().await;
        // While this one waited, the same credentials may have been verified, or failed too often.
        self.may_try(name, address)?;
        if remembered() {
            return Ok(true);
        }
        let hash = found.and_then(|credentials| credentials.password_hash.clone());
        let right = self.passwords.matches(password.to_owned(), hash).await;
        if let (true, Some(version)) = (right, version) {
            self.passwords.remember(fingerprint, version);
        }
        Ok(right)
    }

    /// Hashes a password that somebody chose, in PHC form, when its turn has come.
    ///
    /// # Errors
    /// When the system has no memory or randomness to spare.
    pub async fn hash(&self, password: String) -> Result<String, HashError> {
        let _place = self.passwords.place().await;
        self.passwords.hash(password).await
    }

    fn may_try(&self, name: &str, address: IpAddr) -> Result<(), SignInError> {
        match self.flood.wait(name, address, Instant::now()) {
            Some(wait) => Err(SignInError::Wait(wait)),
            None => Ok(()),
        }
    }
}
