//! Share links: random texts by which people without an account see one item. They are kept as hashes, as access tokens
//! are.

use std::sync::Arc;

use chrono::Utc;

use super::secret::{random_word, sha256_hex};
use super::sign_in::actor_of;
use isolario_db::{DbError, Read, ShareLink};
use isolario_model::content::EntityKind;
use isolario_model::content::user::ANONYMOUS_ROLE;
use isolario_model::policy::{Actor, Operation, SignIn, may};

/// The key of a new share link.
pub fn new_link_key() -> String {
    random_word()
}

/// What the database knows a share link by.
pub fn hash_of_link_key(key: &str) -> String {
    sha256_hex(key.as_bytes())
}

/// Who comes by a share link, if it shows something now: its time is not over, its item is not in the trash, and who made
/// it may share the item still.
///
/// # Errors
/// When the database cannot be read.
pub fn bearer_of_link(read: &Read<'_>, link: &ShareLink) -> Result<Option<Actor>, DbError> {
    if link.expires <= Utc::now().timestamp() {
        return Ok(None);
    }
    let maker = read.credentials(link.uid)?;
    let item = read.entity(EntityKind::Node, link.nid)?;
    let (Some(maker), Some(item)) = (maker.filter(|maker| maker.user.active), item) else {
        return Ok(None);
    };
    let maker = actor_of(read, &maker.user, SignIn::Credentials(maker.changed))?;
    let subject = read.subject(&maker, &item)?;
    let shares = may(&maker, Operation::Share, &subject).is_ok();
    if !shares {
        return Ok(None);
    }
    let anybody = Actor::anonymous(Arc::new(read.permissions_of(&[ANONYMOUS_ROLE.to_owned()])?));
    Ok(Some(anybody.with_share_link(link.id, link.nid)))
}
