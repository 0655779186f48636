//! Access tokens: random texts by which services sign in, each of its own. They are kept as hashes. SHA-256 is enough: a
//! slow hash protects what people choose, and nobody finds 256 random bits by trying.

use super::secret::{random_word, sha256_hex};

/// Begins every access token, so that people and programs that look for leaked secrets know it when they see it.
const PREFIX: &str = "isolario_";

/// A new access token.
pub fn new_access_token() -> String {
    format!("{PREFIX}{}", random_word())
}

/// Whether a bearer token is an access token, valid or not. Others are signed.
pub(crate) fn is_access_token(token: &str) -> bool {
    token.starts_with(PREFIX)
}

/// What the database knows an access token by.
pub fn hash_of_access_token(token: &str) -> String {
    sha256_hex(token.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_is_one_word_and_another() {
        let tokens: std::collections::HashSet<String> =
            (0..1000).map(|_| new_access_token()).collect();
        assert_eq!(tokens.len(), 1000);
        for token in tokens {
            assert!(is_access_token(&token), "{token}");
            assert_eq!(token.len(), PREFIX.len() + 43);
            assert!(
                token
                    .bytes()
                    .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
            );
        }
    }
}
