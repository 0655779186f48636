//! Signing in by an access token, and noting when each was used last.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

use chrono::Utc;

use super::{Authenticator, BAD_TOKEN, SignInError};
use crate::access_token::hash_of_access_token;
use isolario_db::DbError;
use isolario_model::policy::{Actor, SignIn};

/// How often the last use of a token is written down, in seconds.
const NOTED_EVERY: i64 = 60;

/// When the use of each token was last written down, in Unix seconds.
#[derive(Default)]
pub(super) struct NotedUses(Mutex<HashMap<i64, i64>>);

impl NotedUses {
    /// Whether a use at `now` is to be written down. Of requests at the same time, one is told so.
    pub(super) fn is_due(&self, id: i64, now: i64) -> bool {
        let Ok(mut noted) = self.0.lock() else {
            return false;
        };
        let is_recent = |last: &i64| (0..NOTED_EVERY).contains(&(now - last));
        let is_due = !noted.get(&id).is_some_and(is_recent);
        if is_due {
            noted.insert(id, now);
        }
        is_due
    }
}

impl Authenticator {
    /// Signs in by an access token. Wrong ones are not counted: nobody finds a right one by trying.
    pub(super) fn access_token(&self, token: &str, address: IpAddr) -> Result<Actor, SignInError> {
        let hash = hash_of_access_token(token);
        let found = self.db.read_here(|read| -> Result<_, DbError> {
            let Some(token) = read.access_token_by_hash(&hash)? else {
                return Ok(None);
            };
            Ok(read.user(token.uid)?.map(|user| (token, user)))
        })?;
        let now = Utc::now().timestamp();
        let alive = found.filter(|(token, user)| user.active && token.is_valid(now));
        let (token, user) = alive.ok_or(BAD_TOKEN)?;
        if self.noted_uses.is_due(token.id, now) {
            let (id, from) = (token.id, address.to_string());
            self.note_use(move |write| write.touch_access_token(id, now, &from));
        }
        let mut actor = self.actor_for(&user, SignIn::Token(token.id))?;
        actor.scope = token.scope;
        Ok(actor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_noted_once_a_minute_for_each_token() {
        let noted = NotedUses::default();
        assert!(noted.is_due(1, 1000));
        assert!(!noted.is_due(1, 1000));
        assert!(!noted.is_due(1, 1059));
        assert!(noted.is_due(2, 1059));
        assert!(noted.is_due(1, 1060));
        assert!(!noted.is_due(1, 1061));
        assert!(noted.is_due(1, 900), "the clock went back");
    }
}
