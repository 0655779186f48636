//! Bearer tokens: JWT, RS256 and nothing else. One key in `keys/` signs, made on first start; keys
//! that it replaced verify until the last token that they signed has expired.

mod former_keys;
mod public_key;
mod signing_key;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::{Deserialize, Serialize};

use former_keys::FormerKey;
use signing_key::SigningKey;

pub use public_key::PublicKey;

use isolario_db::DbError;
use isolario_disk::durable::{PRIVATE_FILE, above, replace, sync_directory};

/// Seconds for which a token is good.
const LIFETIME: i64 = 7200;
const AUDIENCE: &str = "islandora";

/// What a token says, in the order in which it says it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    /// Unix seconds.
    pub iat: i64,
    /// Unix seconds.
    pub exp: i64,
    pub drupal: DrupalClaim,
    /// User id.
    pub webid: String,
    pub iss: String,
    /// User name.
    pub sub: String,
    pub roles: Vec<String>,
    pub aud: Vec<String>,
}

/// The user id once more, where other software looks for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DrupalClaim {
    pub uid: String,
}

impl Claims {
    /// The claims of a user, from a moment (Unix seconds) on.
    pub fn new(uid: i64, name: &str, roles: &[String], issuer: &str, from: i64) -> Claims {
        Claims {
            iat: from,
            exp: from + LIFETIME,
            drupal: DrupalClaim {
                uid: uid.to_string(),
            },
            webid: uid.to_string(),
            iss: issuer.to_owned(),
            sub: name.to_owned(),
            roles: roles.to_vec(),
            aud: vec![AUDIENCE.to_owned()],
        }
    }
}

/// Why the keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the key {path} cannot be read or written: {error}", path = path.display())]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{path} holds no RSA key in PKCS#8 form", path = path.display())]
    Content { path: PathBuf },
    #[error("{path} is no list of former keys. Without it, tokens of former keys end at once; nothing else is lost", path = path.display())]
    FormerKeys { path: PathBuf },
    #[error("no key could be made")]
    Generation,
    /// What goes with the keys could not be kept.
    #[error(transparent)]
    Database(#[from] DbError),
}

impl KeyError {
    fn file(path: &Path) -> impl Fn(std::io::Error) -> KeyError {
        move |error| KeyError::File {
            path: path.to_owned(),
            error,
        }
    }
}

/// Writes a file for its owner only, in place of one that is there.
fn keep(path: &Path, bytes: &[u8]) -> Result<(), KeyError> {
    let written = replace(path, bytes, PRIVATE_FILE);
    let kept = written.and_then(|()| sync_directory(above(path)));
    kept.map_err(KeyError::file(path))
}

/// What a change of the key has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// Names the key that signs from now on.
    pub key: String,
    /// Names the key that signed before.
    pub former: String,
    /// When the last token of the former key ends, in Unix seconds; `None`: all have ended.
    pub until: Option<i64>,
}

/// Tokens whose signature is remembered as good; when there are more, all are verified anew.
const REMEMBERED: usize = 256;

/// Signs and verifies tokens.
pub struct TokenKeys {
    directory: PathBuf,
    ring: RwLock<Ring>,
}

struct Ring {
    signing: SigningKey,
    former: Vec<FormerKey>,
    verified: std::sync::Mutex<HashMap<String, Claims>>,
}

impl TokenKeys {
    /// Reads the keys in a directory, making one that signs where there is none. Former keys that no
    /// good token needs are dropped.
    pub fn open(directory: &Path, now: i64) -> Result<TokenKeys, KeyError> {
        let signing = SigningKey::open(&directory.join("token.pem"))?;
        let path = directory.join("former.json");
        let found = former_keys::read(&path)?;
        let mut former = found.clone();
        // A rotation that broke off has noted the key that still signs.
        former.retain(|former| former.is_good(now) && former.key.id() != signing.public().id());
        if former != found {
            former_keys::keep(&path, &former)?;
        }
        Ok(TokenKeys {
            directory: directory.to_owned(),
            ring: RwLock::new(Ring {
                signing,
                former,
                verified: std::sync::Mutex::default(),
            }),
        })
    }

    fn ring(&self) -> RwLockReadGuard<'_, Ring> {
        // A ring is changed as a whole or not at all.
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Names the key that signs.
    pub fn id(&self) -> String {
        self.ring().signing.public().id().to_owned()
    }

    /// The keys that verify tokens at `now` (Unix seconds), the one that signs first.
    pub fn public(&self, now: i64) -> Vec<PublicKey> {
        let ring = self.ring();
        let former = ring.former.iter().filter(|former| former.is_good(now));
        let former = former.map(|former| former.key.clone());
        std::iter::once(ring.signing.public().clone())
            .chain(former)
            .collect()
    }

    /// A signed token; `None` when the library refuses to sign.
    pub fn sign(&self, claims: &Claims) -> Option<String> {
        self.ring().signing.sign(claims)
    }

    /// What a token says, if one of our keys signed it, it is for us and it is good at `now` (Unix
    /// seconds). Issuer and user are the caller's to check. The same bytes stay signed, so a signature
    /// is verified once; whether the time has come or gone is asked each time.
    pub fn verify(&self, token: &str, now: i64) -> Option<Claims> {
        let ring = self.ring();
        let remembered = ring.verified.lock().ok()?.get(token).cloned();
        let claims = match remembered {
            Some(claims) => claims,
            None => ring.decode(token, now)?,
        };
        (now < claims.exp).then_some(claims)
    }

    /// Makes another key the one that signs. Tokens of the former stay good until they expire, or with
    /// `end_tokens` end at once with those of all former keys. Takes a moment of one core.
    pub fn rotate(&self, end_tokens: bool, now: i64) -> Result<Rotation, KeyError> {
        let fresh = SigningKey::generate()?;
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        let former = ring.signing.public().clone();
        let rotation = Rotation {
            key: fresh.public().id().to_owned(),
            former: former.id().to_owned(),
            until: (!end_tokens).then_some(now + LIFETIME),
        };
        let mut kept = ring.former.clone();
        kept.retain(|former| !end_tokens && former.is_good(now));
        kept.extend(rotation.until.map(|until| FormerKey { key: former, until }));
        // In this order: a key that verifies no more must not be left the one that signs.
        former_keys::keep(&self.directory.join("former.json"), &kept)?;
        fresh.keep(&self.directory.join("token.pem"))?;
        *ring = Ring {
            signing: fresh,
            former: kept,
            verified: std::sync::Mutex::default(),
        };
        Ok(rotation)
    }
}

impl Ring {
    fn decode(&self, token: &str, now: i64) -> Option<Claims> {
        let id = decode_header(token).ok()?.kid?;
        let (key, until) = self.verifying(&id, now)?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.leeway = 0;
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        let claims = decode::<Claims>(token, &key, &validation).ok()?.claims;
        // A former key that somebody else got hold of is worth no more than what it had signed.
        if until.is_some_and(|until| claims.exp > until) {
            return None;
        }
        if let Ok(mut verified) = self.verified.lock() {
            if verified.len() >= REMEMBERED {
                verified.clear();
            }
            verified.insert(token.to_owned(), claims.clone());
        }
        Some(claims)
    }

    /// The key of a name, and when its last token expires if it signs no more.
    fn verifying(&self, id: &str, now: i64) -> Option<(DecodingKey, Option<i64>)> {
        if self.signing.public().id() == id {
            return Some((self.signing.public().verifying()?, None));
        }
        let former = self.former.iter().find(|former| former.key.id() == id)?;
        let key = former.is_good(now).then(|| former.key.verifying())??;
        Some((key, Some(former.until)))
    }
}

#[cfg(test)]
mod tests;
