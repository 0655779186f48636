//! Caches accounts until the next commit: scripts send their credentials with every request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use isolario_db::{Credentials, Db, DbError};

/// What an account is looked up by.
#[derive(Debug, Clone, Copy)]
pub enum AccountKey<'k> {
    Name(&'k str),
    Uid(i64),
}

/// The accounts that were asked for since the last commit.
#[derive(Default)]
pub struct AccountCache(Mutex<CachedAccounts>);

#[derive(Default)]
struct CachedAccounts {
    /// The number of the commit after which they were read.
    commit: u64,
    by_name: HashMap<String, Arc<Credentials>>,
    by_uid: HashMap<i64, Arc<Credentials>>,
}

/// Most accounts in the cache.
const MOST: usize = 1024;

impl AccountCache {
    /// The account, if there is one. A change of it that was acknowledged before is in it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(&self, db: &Db, key: AccountKey<'_>) -> Result<Option<Arc<Credentials>>, DbError> {
        // Taken before the account is read: a commit meanwhile makes what is cached here obsolete.
        let commit = db.commit_number();
        if let Ok(cached) = self.0.lock()
            && cached.commit == commit
            && let Some(known) = cached.get(key)
        {
            return Ok(Some(known));
        }
        let found = db.read_here(|read| match key {
            AccountKey::Name(name) => read.credentials_by_name(name),
            AccountKey::Uid(uid) => read.credentials(uid),
        })?;
        let found = found.map(Arc::new);
        if let (Some(account), Ok(mut cached)) = (&found, self.0.lock()) {
            cached.insert(commit, key, account.clone());
        }
        Ok(found)
    }
}

impl CachedAccounts {
    fn get(&self, key: AccountKey<'_>) -> Option<Arc<Credentials>> {
        match key {
            AccountKey::Name(name) => self.by_name.get(name).cloned(),
            AccountKey::Uid(uid) => self.by_uid.get(&uid).cloned(),
        }
    }

    fn insert(&mut self, commit: u64, key: AccountKey<'_>, account: Arc<Credentials>) {
        if self.commit > commit {
            return;
        }
        if self.commit < commit || self.by_name.len() + self.by_uid.len() >= MOST {
            self.by_name.clear();
            self.by_uid.clear();
            self.commit = commit;
        }
        match key {
            AccountKey::Name(name) => self.by_name.insert(name.to_owned(), account),
            AccountKey::Uid(uid) => self.by_uid.insert(uid, account),
        };
    }
}
