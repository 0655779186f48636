//! Caches the permissions of roles until a role changes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use isolario_db::{Db, DbError};

/// Permissions by roles, since roles last changed.
#[derive(Default)]
pub struct PermissionCache(Mutex<CacheContents>);

#[derive(Default)]
struct CacheContents {
    /// How often roles have changed.
    changes: u64,
    of_roles: HashMap<Vec<String>, Arc<HashSet<String>>>,
}

impl PermissionCache {
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
            Ok(cached) => match cached.of_roles.get(roles) {
                Some(permissions) => return Ok(permissions.clone()),
                None => cached.changes,
            },
            Err(_) => return read(),
        };
        let permissions = read()?;
        // What was read before a change of roles must not be remembered after it.
        if let Ok(mut cached) = self.0.lock()
            && cached.changes == before
        {
            cached.of_roles.insert(roles.to_vec(), permissions.clone());
        }
        Ok(permissions)
    }

    /// To be called after roles have changed.
    pub fn forget(&self) {
        if let Ok(mut cached) = self.0.lock() {
            cached.changes += 1;
            cached.of_roles.clear();
        }
    }
}
