//! The RSA key that signs tokens: a PEM file that only its owner may read.

use std::path::Path;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::KeyPair as _;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};

use super::public_key::PublicKey;
use super::{Claims, KeyError, keep};
use isolario_disk::regular_file;

/// A key pair: signs, and tells its public half.
pub struct SigningKey {
    pem: String,
    signing: EncodingKey,
    public: PublicKey,
}

impl SigningKey {
    /// Reads the key in a file, making both where there is none.
    pub fn open(path: &Path) -> Result<SigningKey, KeyError> {
        if !path.exists() {
            let made = SigningKey::generate()?;
            made.keep(path)?;
            return Ok(made);
        }
        let pem = regular_file::read_to_string(path).map_err(KeyError::file(path))?;
        SigningKey::from_pem(pem).ok_or_else(|| KeyError::Content {
            path: path.to_owned(),
        })
    }

    /// A new key of 2048 bits. Takes a moment of one core.
    pub fn generate() -> Result<SigningKey, KeyError> {
        let pair = KeyPair::generate(KeySize::Rsa2048).map_err(|_| KeyError::Generation)?;
        let der: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| KeyError::Generation)?;
        SigningKey::from_pem(encode_pem(der.as_ref())).ok_or(KeyError::Generation)
    }

    fn from_pem(pem: String) -> Option<SigningKey> {
        let pair = KeyPair::from_pkcs8(&decode_pem(&pem)?).ok()?;
        Some(SigningKey {
            signing: EncodingKey::from_rsa_pem(pem.as_bytes()).ok()?,
            public: PublicKey::of(pair.public_key()),
            pem,
        })
    }

    /// Writes the key into a file, in place of one that is there.
    pub fn keep(&self, path: &Path) -> Result<(), KeyError> {
        keep(path, self.pem.as_bytes())
    }

    /// What verifies its signatures.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// A signed token; `None` when the library refuses to sign.
    pub fn sign(&self, claims: &Claims) -> Option<String> {
        let mut header = Header::new(Algorithm::RS256);
        header.kid = Some(self.public.id().to_owned());
        encode(&header, claims, &self.signing).ok()
    }
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

    #[test]
    fn nobody_else_can_read_the_key() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("token.pem");
        let made = SigningKey::open(&path).expect("a key");
        let metadata = std::fs::metadata(&path).expect("there");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
        let again = SigningKey::open(&path).expect("the same key");
        assert_eq!(again.public(), made.public());
    }

    #[test]
    fn what_is_no_key_is_said() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("token.pem");
        std::fs::write(&path, "no key").expect("written");
        let error = SigningKey::open(&path).err().expect("refused");
        assert!(matches!(error, KeyError::Content { .. }), "{error}");
    }
}
