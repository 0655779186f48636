//! What roles may do together, remembered until a role changes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use crate::db::{Db, DbError};

/// Permissions by roles, since roles last changed.
#[derive(Default)]
pub struct KnownPermissions(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// How often roles have changed.
    changes: u64,
    of_roles: HashMap<Vec<String>, Arc<HashSet<String>>>,
}

impl KnownPermissions {
    /// What all these roles permit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of(&self, db: &Db, roles: &[String]) -> Result<Arc<HashSet<String>>, DbError> {
        let read = || {
            db.read_here(|read| read.permissions_of(roles))
                .map(Arc::new)
        };
        let before = match self.0.lock() {
            Ok(known) => match known.of_roles.get(roles) {
                Some(permissions) => return Ok(permissions.clone()),
                None => known.changes,
            },
            Err(_) => return read(),
        };
        let permissions = read()?;
        // What was read before a change of roles must not be remembered after it.
        if let Ok(mut known) = self.0.lock()
            && known.changes == before
        {
            known.of_roles.insert(roles.to_vec(), permissions.clone());
        }
        Ok(permissions)
    }

    /// To be called after roles have changed.
    pub fn forget(&self) {
        if let Ok(mut known) = self.0.lock() {
            known.changes += 1;
            known.of_roles.clear();
        }
    }
}
