//! Coming by a share link, and noting when each was used last.

use chrono::Utc;

use super::Authenticator;
use crate::share_link::{bearer_of_link, hash_of_link_key};
use isolario_db::{DbError, ShareLink};
use isolario_model::policy::Actor;

impl Authenticator {
    /// Who comes by the share link of this key, and the link; `None` when it shows nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn share_link(&self, key: &str) -> Result<Option<(Actor, ShareLink)>, DbError> {
        let hash = hash_of_link_key(key);
        let found = self.db.read_here(|read| -> Result<_, DbError> {
            let Some(link) = read.share_link_by_hash(&hash)? else {
                return Ok(None);
            };
            Ok(bearer_of_link(read, &link)?.map(|bearer| (bearer, link)))
        })?;
        if let Some((_, link)) = &found {
            let (id, now) = (link.id, Utc::now().timestamp());
            if self.noted_link_uses.is_due(id, now) {
                self.note_use(move |write| write.touch_share_link(id, now));
            }
        }
        Ok(found)
    }

    pub(super) fn bearer_as_of_now(&self, id: i64) -> Result<Option<Actor>, DbError> {
        self.db.read_here(|read| match read.share_link(id)? {
            Some(link) => bearer_of_link(read, &link),
            None => Ok(None),
        })
    }
}
