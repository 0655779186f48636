//! Sessions of browsers: their beginning, their use and their end.

use chrono::Utc;

use super::{Authenticator, SignInError};
use crate::cookie::{LIFETIME, Session};
use isolario_db::{DbError, Write};
use isolario_model::policy::{Actor, SignIn};

/// How often a session's last use is written down, in seconds.
const SESSION_NOTE: i64 = 3600;

impl Authenticator {
    /// Begins a session for somebody who has just signed in.
    ///
    /// # Errors
    /// `Refused` when what they signed in by has ended meanwhile.
    pub async fn begin_session(&self, actor: &Actor) -> Result<Session, SignInError> {
        let session = Session::begin();
        let (hash, uid, sign_in) = (session.hash(), actor.uid, actor.sign_in.clone());
        let now = Utc::now().timestamp();
        let begun = self.db.write(move |write| -> Result<bool, DbError> {
            let lets_in = super::account_of(write, &sign_in, uid)?.is_some();
            if lets_in {
                write.insert_session(&hash, uid, now, now - LIFETIME)?;
            }
            Ok(lets_in)
        });
        match begun.await? {
            true => Ok(session),
            false => Err(SignInError::Refused(
                "Your account has been changed meanwhile.",
            )),
        }
    }

    /// Ends a session.
    pub async fn end_session(&self, session: &Session) -> Result<(), DbError> {
        let hash = session.hash();
        self.db
            .write(move |write| write.delete_session(&hash))
            .await
    }

    /// Signs in by a cookie's value; `None` when the session is over.
    pub async fn session(&self, value: &str) -> Result<Option<(Actor, Session)>, SignInError> {
        let session = Session::presented(value);
        let hash = session.hash();
        let found = self.db.read_here(|read| -> Result<_, DbError> {
            let Some(record) = read.session(&hash)? else {
                return Ok(None);
            };
            Ok(read.user(record.uid)?.map(|user| (record, user)))
        })?;
        let now = Utc::now().timestamp();
        let alive = found.filter(|(record, user)| user.active && now - record.last_seen < LIFETIME);
        let Some((record, user)) = alive else {
            return Ok(None);
        };
        if now - record.last_seen >= SESSION_NOTE {
            let hash = session.hash();
            self.note_use(move |write| write.touch_session(&hash, now));
        }
        let sign_in = SignIn::Session(session.hash());
        Ok(Some((self.actor_for(&user, sign_in)?, session)))
    }

    /// Writes down when a session, a token or a link was used last. Not waited for: a request need not wait for a disk only
    /// because some time has passed.
    pub(super) fn note_use(
        &self,
        note: impl FnOnce(&mut Write<'_>) -> Result<(), DbError> + Send + 'static,
    ) {
        let db = self.db.clone();
        tokio::spawn(async move {
            if let Err(error) = db.write(note).await {
                tracing::warn!(%error, "the use of a sign-in could not be noted");
            }
        });
    }
}
