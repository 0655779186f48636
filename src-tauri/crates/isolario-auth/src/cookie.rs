//! Cookie sessions of browsers. The cookie holds a random value of which only a hash is kept; what
//! protects against other sites' requests is derived from that value and needs no memory.

use aws_lc_rs::{constant_time, hmac};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::secret::{random_hex, sha256_hex};

/// Seconds for which a session lasts without being used.
pub const LIFETIME: i64 = 2_000_000;

/// A browser's sign-in, known by the value of its cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    value: String,
}

impl Session {
    /// A new session's value: 256 random bits.
    pub fn begin() -> Session {
        Session {
            value: random_hex::<32>(),
        }
    }

    /// The session behind a cookie's value, whether it is alive or not.
    pub fn presented(value: &str) -> Session {
        Session {
            value: value.to_owned(),
        }
    }

    /// What the database knows it by.
    pub fn hash(&self) -> String {
        sha256_hex(self.value.as_bytes())
    }

    /// Token for `X-CSRF-Token`, as sign-in gives it.
    pub fn csrf_token(&self) -> String {
        self.derive("sign-in")
    }

    /// Token for `X-CSRF-Token`, as `/session/token` gives it.
    pub fn session_token(&self) -> String {
        self.derive("session")
    }

    /// Token for `/user/logout?token=`.
    pub fn logout_token(&self) -> String {
        self.derive("sign-out")
    }

    /// Whether `X-CSRF-Token` holds one of this session's tokens.
    pub fn accepts_csrf(&self, presented: &str) -> bool {
        equal(&self.csrf_token(), presented) || equal(&self.session_token(), presented)
    }

    /// Whether this is the token that ends the session.
    pub fn accepts_logout(&self, presented: &str) -> bool {
        equal(&self.logout_token(), presented)
    }

    /// `Set-Cookie` that begins the session in the browser, and outlasts it if it is to be kept. One that came encrypted
    /// never goes back in the open.
    pub fn set_cookie(&self, name: &str, encrypted: bool, keep: bool) -> String {
        let value = &self.value;
        let age = if keep {
            format!("; Max-Age={LIFETIME}")
        } else {
            String::new()
        };
        let secure = if encrypted { "; Secure" } else { "" };
        format!("{name}={value}{age}; path=/; HttpOnly; SameSite=Lax{secure}")
    }

    fn derive(&self, purpose: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.value.as_bytes());
        URL_SAFE_NO_PAD.encode(hmac::sign(&key, purpose.as_bytes()))
    }
}

/// A token for somebody without a session, who needs none.
pub fn token_without_session() -> String {
    Session::begin().session_token()
}

/// `Set-Cookie` that ends a session in the browser.
pub fn clear_cookie(name: &str) -> String {
    format!("{name}=deleted; Max-Age=0; path=/; HttpOnly; SameSite=Lax")
}

/// The names of the cookie, in the open and encrypted; two per repository. Browsers keep cookies by
/// host and not by port or scheme, and in the open they would not replace an encrypted one.
pub fn cookie_names(identity: &str) -> [String; 2] {
    let digits = sha256_hex(identity.as_bytes());
    ["SESS", "SSESS"].map(|kind| format!("{kind}{}", &digits[..32]))
}

/// The name of the cookie that holds the key of a share link, one per repository.
pub fn link_cookie_name(identity: &str) -> String {
    format!("LINK{}", &sha256_hex(identity.as_bytes())[..32])
}

/// `Set-Cookie` that keeps the key of a share link until the browser is closed.
pub fn set_link_cookie(name: &str, key: &str, encrypted: bool) -> String {
    let secure = if encrypted { "; Secure" } else { "" };
    format!("{name}={key}; path=/; HttpOnly; SameSite=Lax{secure}")
}

/// The name of the cookie of a browser that is at the service which it signs in through.
pub const OPENID: &str = "OPENID";

/// `Set-Cookie` with what a browser keeps while it is at the service that it signs in through, for ten minutes.
pub fn set_openid_cookie(kept: &str, encrypted: bool) -> String {
    let secure = if encrypted { "; Secure" } else { "" };
    format!("{OPENID}={kept}; Max-Age=600; path=/user/login; HttpOnly; SameSite=Lax{secure}")
}

/// The value of a cookie in a `Cookie` header.
pub fn find<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    header
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

fn equal(expected: &str, presented: &str) -> bool {
    constant_time::verify_slices_are_equal(expected.as_bytes(), presented.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_belong_to_one_session_and_one_purpose() {
        let (one, other) = (Session::begin(), Session::begin());
        assert!(one.accepts_csrf(&one.csrf_token()));
        assert!(one.accepts_csrf(&one.session_token()));
        assert!(!one.accepts_csrf(&other.csrf_token()));
        assert!(!one.accepts_csrf(&one.logout_token()));
        assert!(one.accepts_logout(&one.logout_token()));
        assert!(!one.accepts_logout(&one.csrf_token()));
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        assert_eq!(find("a=1; SESSx=2; b=3", "SESSx"), Some("2"));
        assert_eq!(find("a=1; SESSxy=2", "SESSx"), None);
    }
}
