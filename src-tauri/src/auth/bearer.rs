//! Bearer tokens: JWT, RS256 and nothing else. The key is made on first start and kept in `keys/`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::KeyPair as _;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use super::secret::sha256_hex;
use crate::durable::{PRIVATE_FILE, above, replace, sync_directory};

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

/// Why the key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the key {path} cannot be read or written: {error}", path = path.display())]
    File {
        path: std::path::PathBuf,
        error: std::io::Error,
    },
    #[error("{path} holds no RSA key in PKCS#8 form", path = path.display())]
    Content { path: std::path::PathBuf },
    #[error("no key could be made")]
    Generation,
}

/// Signs and verifies tokens.
pub struct TokenKey {
    id: String,
    signing: EncodingKey,
    verifying: DecodingKey,
    verified: Mutex<HashMap<String, Claims>>,
}

/// Tokens whose signature is remembered as good; when there are more, all are verified anew.
const REMEMBERED: usize = 256;

impl TokenKey {
    /// Reads the key, making one where there is none. The file is for its owner only.
    pub fn open(path: &Path) -> Result<TokenKey, KeyError> {
        if !path.exists() {
            make(path)?;
        }
        let file = |error| KeyError::File {
            path: path.to_owned(),
            error,
        };
        let content = || KeyError::Content {
            path: path.to_owned(),
        };
        let pem = std::fs::read_to_string(path).map_err(file)?;
        let pair = decode_pem(&pem).and_then(|der| KeyPair::from_pkcs8(&der).ok());
        let pair = pair.ok_or_else(content)?;
        let public = pair.public_key().as_ref();
        Ok(TokenKey {
            id: sha256_hex(public)[..16].to_owned(),
            signing: EncodingKey::from_rsa_pem(pem.as_bytes()).map_err(|_| content())?,
            verifying: DecodingKey::from_rsa_der(public),
            verified: Mutex::default(),
        })
    }

    /// Names the key; part of every token's header.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A signed token; `None` when the library refuses to sign.
    pub fn sign(&self, claims: &Claims) -> Option<String> {
        let mut header = Header::new(Algorithm::RS256);
        header.kid = Some(self.id.clone());
        encode(&header, claims, &self.signing).ok()
    }

    /// What a token says, if this key signed it, it is for us and it is good at `now` (Unix seconds).
    /// Issuer and user are the caller's to check. The same bytes stay signed, so a signature is
    /// verified once; whether the time has come or gone is asked each time.
    pub fn verify(&self, token: &str, now: i64) -> Option<Claims> {
        let claims = self.remembered(token).or_else(|| self.decode(token))?;
        (now < claims.exp).then_some(claims)
    }

    fn remembered(&self, token: &str) -> Option<Claims> {
        self.verified.lock().ok()?.get(token).cloned()
    }

    fn decode(&self, token: &str) -> Option<Claims> {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.leeway = 0;
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        let data = decode::<Claims>(token, &self.verifying, &validation).ok()?;
        if data.header.kid.as_deref() != Some(self.id.as_str()) {
            return None;
        }
        if let Ok(mut verified) = self.verified.lock() {
            if verified.len() >= REMEMBERED {
                verified.clear();
            }
            verified.insert(token.to_owned(), data.claims.clone());
        }
        Some(data.claims)
    }
}

fn make(path: &Path) -> Result<(), KeyError> {
    let pair = KeyPair::generate(KeySize::Rsa2048).map_err(|_| KeyError::Generation)?;
    let der: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| KeyError::Generation)?;
    let pem = encode_pem(der.as_ref());
    let written = replace(path, pem.as_bytes(), PRIVATE_FILE);
    let kept = written.and_then(|()| sync_directory(above(path)));
    kept.map_err(|error| KeyError::File {
        path: path.to_owned(),
        error,
    })
}

const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// PEM (RFC 7468): 64 characters a line.
fn encode_pem(der: &[u8]) -> String {
    let encoded = STANDARD.encode(der);
    let mut text = format!("{BEGIN}\n");
    for (at, character) in encoded.chars().enumerate() {
        if at > 0 && at % 64 == 0 {
            text.push('\n');
        }
        text.push(character);
    }
    text.push_str(&format!("\n{END}\n"));
    text
}

fn decode_pem(text: &str) -> Option<Vec<u8>> {
    let (_, after) = text.split_once(BEGIN)?;
    let (inner, _) = after.split_once(END)?;
    let digits: String = inner.split_whitespace().collect();
    STANDARD.decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    fn key() -> (tempfile::TempDir, TokenKey) {
        let directory = tempfile::tempdir().expect("a directory");
        let key = TokenKey::open(&directory.path().join("token.pem")).expect("a key");
        (directory, key)
    }

    fn part(token: &str, index: usize) -> String {
        let part = token.split('.').nth(index).expect("three parts");
        String::from_utf8(URL_SAFE_NO_PAD.decode(part).expect("base64")).expect("text")
    }

    #[test]
    fn claims_stand_in_the_order_of_the_reference() {
        let (_directory, key) = key();
        let now = chrono::Utc::now().timestamp();
        let roles = ["authenticated".to_owned()];
        let claims = Claims::new(3, "plain", &roles, "https://127.0.0.1:8460", now);
        let token = key.sign(&claims).expect("signed");
        let header = format!(r#"{{"typ":"JWT","alg":"RS256","kid":"{}"}}"#, key.id());
        assert_eq!(part(&token, 0), header);
        let body = format!(
            r#"{{"iat":{now},"exp":{},"drupal":{{"uid":"3"}},"webid":"3","iss":"https://127.0.0.1:8460","sub":"plain","roles":["authenticated"],"aud":["islandora"]}}"#,
            now + 7200
        );
        assert_eq!(part(&token, 1), body);
        assert!(key.verify(&token, now).is_some());
        assert!(key.verify(&token, now + 7200).is_none());
    }

    #[test]
    fn only_this_key_and_algorithm_count() {
        let (directory, key) = key();
        let (_other, stranger) = self::key();
        let now = chrono::Utc::now().timestamp();
        let claims = Claims::new(1, "admin", &[], "https://a", now);
        let token = stranger.sign(&claims).expect("signed");
        assert!(key.verify(&token, now).is_none());
        let unsigned = format!(
            "{}.{}.",
            URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"none"}"#),
            token.split('.').nth(1).expect("claims")
        );
        assert!(key.verify(&unsigned, now).is_none());
        let again = TokenKey::open(&directory.path().join("token.pem")).expect("the same key");
        assert!(
            again
                .verify(&key.sign(&claims).expect("signed"), now)
                .is_some()
        );
    }

    #[test]
    fn nobody_else_can_read_the_key() {
        use std::os::unix::fs::PermissionsExt;
        let (directory, _key) = key();
        let metadata = std::fs::metadata(directory.path().join("token.pem")).expect("there");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
}
