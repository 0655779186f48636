//! The actor: on whose behalf code runs, with the permissions of its roles.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Scope, SignIn};
use crate::content::UserRecord;
use crate::content::user::{ADMINISTRATOR_ROLE, AUTHENTICATED_ROLE};

/// The roles of somebody with that account: those they were given, and the one of everybody signed in.
pub fn roles_of(user: &UserRecord) -> Vec<String> {
    let everybodys = std::iter::once(AUTHENTICATED_ROLE.to_owned());
    everybodys.chain(user.roles.iter().cloned()).collect()
}

/// Somebody with a set of permissions: a signed-in user, or anybody at all.
#[derive(Debug, Clone)]
pub struct Actor {
    /// 0 for requests without credentials.
    pub uid: i64,
    pub name: String,
    /// Every role, `authenticated` included.
    pub roles: Vec<String>,
    pub permissions: Arc<HashSet<String>>,
    pub sign_in: SignIn,
    pub scope: Scope,
}

impl Actor {
    /// Whether nobody has signed in.
    pub fn is_anonymous(&self) -> bool {
        self.uid == 0
    }

    /// Whether a thing of that owner is theirs. Nobody in particular owns nothing, also not what has no owner.
    pub fn owns(&self, owner: i64) -> bool {
        !self.is_anonymous() && self.uid == owner
    }

    /// Whether they have the role that has every permission.
    pub fn is_administrator(&self) -> bool {
        self.roles.iter().any(|role| role == ADMINISTRATOR_ROLE)
    }

    /// Whether they have a permission, by role or as administrator.
    pub fn can(&self, permission: &str) -> bool {
        self.is_administrator() || self.permissions.contains(permission)
    }

    /// Whether they have any of these permissions.
    pub fn can_any<'a>(&self, permissions: impl IntoIterator<Item = &'a str>) -> bool {
        permissions
            .into_iter()
            .any(|permission| self.can(permission))
    }

    /// The program itself, when it sets up a repository.
    pub fn program() -> Actor {
        Actor {
            uid: crate::content::user::ADMINISTRATOR_UID,
            name: "admin".into(),
            roles: vec![AUTHENTICATED_ROLE.into(), ADMINISTRATOR_ROLE.into()],
            permissions: Arc::default(),
            sign_in: SignIn::Program,
            scope: Scope::All,
        }
    }
}
