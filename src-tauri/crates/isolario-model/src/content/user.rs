//! People who sign in.

use serde::{Deserialize, Serialize};

/// A role that an account has in a collection and everything below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CollectionRole {
    /// Node id.
    pub collection: i64,
    pub role: String,
}

/// A user account, without its secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct UserRecord {
    pub uid: i64,
    pub uuid: String,
    pub name: String,
    pub mail: Option<String>,
    /// False: may not sign in.
    pub active: bool,
    /// Whether signing in by password needs a code, too.
    pub has_second_factor: bool,
    /// Role names beside `authenticated`, which everybody signed in has.
    pub roles: Vec<String>,
    /// The roles that hold in a collection and everything below it, in order.
    pub collection_roles: Vec<CollectionRole>,
    /// Unix seconds.
    pub created: i64,
    pub changed: i64,
}

impl UserRecord {
    /// Whether it has the role that has every permission.
    pub fn is_administrator(&self) -> bool {
        self.roles.iter().any(|role| role == ADMINISTRATOR_ROLE)
    }
}

/// The account that runs the program's own window.
pub const ADMINISTRATOR_UID: i64 = 1;
/// Role that has every permission.
pub const ADMINISTRATOR_ROLE: &str = "administrator";
/// Role of requests without credentials.
pub const ANONYMOUS_ROLE: &str = "anonymous";
/// Role of everybody who is signed in.
pub const AUTHENTICATED_ROLE: &str = "authenticated";
