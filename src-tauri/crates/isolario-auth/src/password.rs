//! Passwords: Argon2id, a few at a time, and a short memory of those that were right, so that a
//! script which sends Basic with every request costs one hash and not a hundred.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use aws_lc_rs::hmac;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::argon::{self, Memory};
use super::hashers::Hashers;
use super::secret::{launch_key, random_hex};
use isolario_db::Credentials;

/// Hashes made at the same time. Each takes 19 MiB and one core for a moment.
const PARALLEL: usize = 2;
const REMEMBERED: usize = 1024;
const MEMORY: Duration = Duration::from_secs(5 * 60);

/// Longest password that is hashed, in bytes.
pub const LONGEST_PASSWORD: usize = 1024;

/// Why a password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("the password could not be hashed")]
pub struct HashError;

/// Verifies passwords.
pub struct Passwords {
    places: Arc<Semaphore>,
    hashers: Hashers,
    key: hmac::Key,
    right: Mutex<HashMap<Fingerprint, VerifiedPassword>>,
}

/// A keyed hash of a name and a password; worth nothing outside this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// An account as it was when a password was right for it. Another one has to be verified anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub uid: i64,
    /// When the credentials had last changed, or the account was disabled.
    pub changed: i64,
    pub roles: Vec<String>,
}

impl Version {
    /// The account as it is now.
    pub fn of(credentials: &Credentials) -> Version {
        Version {
            uid: credentials.user.uid,
            changed: credentials.changed,
            roles: credentials.user.roles.clone(),
        }
    }
}

#[derive(Debug)]
struct VerifiedPassword {
    version: Version,
    until: Instant,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords {
            places: Arc::new(Semaphore::new(PARALLEL)),
            hashers: Hashers::start(PARALLEL),
            key: launch_key(),
            right: Mutex::default(),
        }
    }
}

impl Passwords {
    /// How often a password was hashed.
    #[cfg(test)]
    pub fn hashed(&self) -> usize {
        self.hashers.done()
    }

    /// Waits until a hash may be made.
    pub async fn place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }

    /// Hashes a password with a fresh salt, in PHC form.
    ///
    /// # Errors
    /// When the system has no memory or randomness to spare.
    pub async fn hash(&self, password: String) -> Result<String, HashError> {
        let hashed = self
            .hashers
            .run(move |memory| argon::hash(memory, &password));
        hashed.await.flatten().ok_or(HashError)
    }

    /// Whether the password belongs to the hash. Without a hash it takes as long and is wrong, so
    /// that nobody can time which names exist.
    pub async fn matches(&self, password: String, hash: Option<String>) -> bool {
        let verified = self.hashers.run(move |memory| {
            let known = hash.is_some();
            let hash = hash.unwrap_or_else(|| nobodys_hash(memory).to_owned());
            argon::verify(memory, &password, &hash) && known
        });
        verified.await.unwrap_or(false)
    }

    /// What a name and a password are remembered by.
    pub fn fingerprint(&self, name: &str, password: &str) -> Fingerprint {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(name.to_lowercase().as_bytes());
        context.update(&[0]);
        context.update(password.as_bytes());
        let mut bytes = [0; 32];
        bytes.copy_from_slice(context.sign().as_ref());
        Fingerprint(bytes)
    }

    /// Whether they were right a short while ago, for an account that has not changed since.
    pub fn remembers(&self, fingerprint: Fingerprint, version: &Version) -> bool {
        let Ok(right) = self.right.lock() else {
            return false;
        };
        right.get(&fingerprint).is_some_and(|remembered| {
            remembered.version == *version && Instant::now() < remembered.until
        })
    }

    /// Remembers that they were right.
    pub fn remember(&self, fingerprint: Fingerprint, version: Version) {
        let Ok(mut right) = self.right.lock() else {
            return;
        };
        let now = Instant::now();
        if right.len() >= REMEMBERED {
            right.retain(|_, remembered| now < remembered.until);
        }
        if right.len() < REMEMBERED {
            let until = now + MEMORY;
            right.insert(fingerprint, VerifiedPassword { version, until });
        }
    }
}

fn nobodys_hash(memory: &mut Memory) -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| argon::hash(memory, &random_hex::<16>()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_matches() {
        let passwords = Passwords::default();
        let hash = passwords.hash("Krähe 7".into()).await.expect("hashed");
        assert!(hash.starts_with("$argon2id$"));
        assert!(
            passwords
                .matches("Krähe 7".into(), Some(hash.clone()))
                .await
        );
        assert!(!passwords.matches("Krähe 8".into(), Some(hash)).await);
        assert!(!passwords.matches("Krähe 7".into(), None).await);
    }

    #[test]
    fn what_was_right_is_forgotten_when_the_account_changes() {
        let passwords = Passwords::default();
        let fingerprint = passwords.fingerprint("Mira", "a");
        assert_eq!(fingerprint, passwords.fingerprint("mira", "a"));
        assert_ne!(fingerprint, passwords.fingerprint("mira", "b"));
        let version = Version {
            uid: 2,
            changed: 100,
            roles: vec!["editor".to_owned()],
        };
        passwords.remember(fingerprint, version.clone());
        assert!(passwords.remembers(fingerprint, &version));
        let changed = Version {
            changed: 101,
            ..version.clone()
        };
        let demoted = Version {
            roles: Vec::new(),
            ..version
        };
        assert!(!passwords.remembers(fingerprint, &changed));
        assert!(!passwords.remembers(fingerprint, &demoted));
    }
}
