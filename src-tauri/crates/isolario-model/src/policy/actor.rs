//! The actor: on whose behalf code runs, with the permissions of its roles.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Scope, SignIn};
use crate::content::UserRecord;
use crate::content::user::{
    ADMINISTRATOR_ROLE, ANONYMOUS_ROLE, AUTHENTICATED_ROLE, CollectionRole,
};

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
    /// What they may do beside in collections where they were given roles, in the order of the collections.
    pub in_collections: Arc<[ActorInCollection]>,
}

/// Somebody as they are in a collection and everything below it, with the roles that they were given there.
#[derive(Debug, Clone)]
pub struct ActorInCollection {
    /// Node id.
    pub collection: i64,
    /// The same person with the roles they have everywhere and those they have there.
    pub actor: Actor,
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

    /// The actor with these roles in collections, and no others there. A role in a collection adds to what they may do
    /// everywhere.
    ///
    /// # Errors
    /// Those of `permissions_of`, which reads what roles permit.
    pub fn with_collection_roles<E>(
        self,
        roles: &[CollectionRole],
        mut permissions_of: impl FnMut(&[String]) -> Result<Arc<HashSet<String>>, E>,
    ) -> Result<Actor, E> {
        let by_collection = roles.chunk_by(|one, next| one.collection == next.collection);
        let in_collections = by_collection.map(|there| {
            let given = there.iter().map(|one| one.role.clone());
            let all: Vec<String> = self.roles.iter().cloned().chain(given).collect();
            Ok(ActorInCollection {
                collection: there[0].collection,
                actor: Actor {
                    permissions: permissions_of(&all)?,
                    roles: all,
                    in_collections: Arc::default(),
                    ..self.clone()
                },
            })
        });
        let in_collections = in_collections.collect::<Result<_, E>>()?;
        Ok(Actor {
            in_collections,
            ..self
        })
    }

    /// Somebody who has not signed in; `permissions` are those of the role for that.
    pub fn anonymous(permissions: Arc<HashSet<String>>) -> Actor {
        Actor {
            uid: 0,
            name: String::new(),
            roles: vec![ANONYMOUS_ROLE.to_owned()],
            permissions,
            sign_in: SignIn::Nobody,
            scope: Scope::All,
            in_collections: Arc::default(),
        }
    }

    /// Nobody in particular, with a share link to an item (node id): in it and everything below it, they see also what is
    /// not public.
    pub fn with_share_link(self, link: i64, item: i64) -> Actor {
        let shared = [
            "access content",
            "view any unpublished content",
            "view media",
        ];
        let own = self.permissions.iter().cloned();
        let permissions = own.chain(shared.map(str::to_owned)).collect();
        let sign_in = SignIn::Link(link);
        let there = Actor {
            permissions: Arc::new(permissions),
            sign_in: sign_in.clone(),
            ..self.clone()
        };
        Actor {
            sign_in,
            in_collections: Arc::new([ActorInCollection {
                collection: item,
                actor: there,
            }]),
            ..self
        }
    }

    /// Whether they are nobody in particular and see what everybody sees.
    pub fn is_everybody(&self) -> bool {
        self.is_anonymous() && self.in_collections.is_empty()
    }

    /// Decides for the actor as they are everywhere, then for them as they are in each of the collections that a thing is
    /// in. One of them is enough.
    ///
    /// # Errors
    /// The refusal of the actor as they are everywhere.
    pub(super) fn decide<E>(
        &self,
        collections: &[i64],
        decision: impl Fn(&Actor) -> Result<(), E>,
    ) -> Result<(), E> {
        let refused = match decision(self) {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        };
        let mut there = self
            .in_collections
            .iter()
            .filter(|one| collections.contains(&one.collection));
        match there.any(|one| decision(&one.actor).is_ok()) {
            true => Ok(()),
            false => Err(refused),
        }
    }

    /// Every collection that is named in what they may do (node ids).
    pub fn collections(&self) -> Vec<i64> {
        let scope = match self.scope {
            Scope::Collection(nid) => Some(nid),
            Scope::All | Scope::Read => None,
        };
        let given = self.in_collections.iter().map(|one| one.collection);
        given.chain(scope).collect()
    }

    /// Whether it matters to what they may do which collections a thing is in.
    pub fn depends_on_collections(&self) -> bool {
        !self.in_collections.is_empty() || matches!(self.scope, Scope::Collection(_))
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
            in_collections: Arc::default(),
        }
    }
}
