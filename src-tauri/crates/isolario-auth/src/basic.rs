//! Basic credentials (RFC 7617).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Name and password behind the word `Basic`, as UTF-8; `None` when it is no such thing.
pub fn decode(encoded: &str) -> Option<(String, String)> {
    let bytes = STANDARD.decode(encoded.trim()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (name, password) = text.split_once(':')?;
    Some((name.to_owned(), password.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_colon_parts_name_and_password() {
        let encoded = STANDARD.encode("míra:a:b");
        assert_eq!(decode(&encoded), Some(("míra".into(), "a:b".into())));
        assert_eq!(decode("!!!"), None);
        assert_eq!(decode(&STANDARD.encode("no colon")), None);
    }
}
