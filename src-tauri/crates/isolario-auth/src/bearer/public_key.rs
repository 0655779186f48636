//! The public half of a key: what verifies tokens, here and elsewhere (JSON Web Key, RFC 7517).

use aws_lc_rs::rsa;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
use serde::{Deserialize, Serialize};

use crate::secret::sha256_hex;

/// A public RSA key as a JSON Web Key for signatures by RS256 (RFC 7518, 6.3.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicKey {
    kty: Rsa,
    #[serde(rename = "use")]
    purpose: Signature,
    alg: Rs256,
    kid: String,
    /// Modulus, in base64url.
    n: String,
    /// Exponent, in base64url.
    e: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Rsa {
    #[serde(rename = "RSA")]
    Rsa,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Signature {
    #[serde(rename = "sig")]
    Signature,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Rs256 {
    #[serde(rename = "RS256")]
    Rs256,
}

impl PublicKey {
    /// The JSON Web Key of a public key.
    pub fn of(key: &rsa::PublicKey) -> PublicKey {
        let digits = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        PublicKey {
            kty: Rsa::Rsa,
            purpose: Signature::Signature,
            alg: Rs256::Rs256,
            kid: sha256_hex(key.as_ref())[..16].to_owned(),
            n: digits(key.modulus().big_endian_without_leading_zero()),
            e: digits(key.exponent().big_endian_without_leading_zero()),
        }
    }

    /// Names the key; the `kid` of every token that it verifies.
    pub fn id(&self) -> &str {
        &self.kid
    }

    /// The key for the library; `None` when its numbers are none.
    pub fn verifying(&self) -> Option<DecodingKey> {
        DecodingKey::from_rsa_components(&self.n, &self.e).ok()
    }
}
