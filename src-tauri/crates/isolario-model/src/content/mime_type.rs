//! MIME types (RFC 9110, 8.3.1): read from what a sender says and written anew, so that no other text is ever
//! kept or sent as one. A list, or a parameter without a value, is no MIME type: browsers disagree on what it names.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// Longest MIME type, in bytes.
const LONGEST: usize = 255;
const BYTES: &str = "application/octet-stream";

/// A MIME type in one spelling: type, subtype and names of parameters in lower case, values quoted only where they
/// have to be. The default is that of bytes of which nothing is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct MimeType(String);

impl MimeType {
    /// Reads one MIME type; `None` for everything else.
    pub fn parse(text: &str) -> Option<MimeType> {
        if text.len() > LONGEST {
            return None;
        }
        let (essence, mut rest) = text.split_once(';').unwrap_or((text, ""));
        let (kind, name) = essence.trim_matches(BLANK).split_once('/')?;
        if !is_name(kind) || !is_name(name) {
            return None;
        }
        let mut written = format!("{kind}/{name}").to_ascii_lowercase();
        let mut names = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c| c == ';' || BLANK.contains(&c));
            if rest.is_empty() {
                break;
            }
            let (name, value, after) = parameter(rest)?;
            if names.contains(&name) {
                return None;
            }
            written = format!("{written}; {name}={}", quoted_if_needed(&value));
            names.push(name);
            rest = after;
        }
        (written.len() <= LONGEST).then_some(MimeType(written))
    }

    /// Without parameters.
    pub fn essence(&self) -> &str {
        self.0.split(';').next().unwrap_or_default()
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const BLANK: [char; 2] = [' ', '\t'];

/// The name of a type or subtype (RFC 6838, 4.2).
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "!#$&-^_.+".contains(c))
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_token_character)
}

/// RFC 9110, 5.6.2.
fn is_token_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

/// The first parameter: its name in lower case, its value without quotes, and what follows it.
fn parameter(text: &str) -> Option<(String, String, &str)> {
    let (name, rest) = text.split_once('=')?;
    let (value, rest) = match rest.strip_prefix('"') {
        Some(quoted) => unquoted(quoted)?,
        None => {
            let end = rest.find(|c| !is_token_character(c)).unwrap_or(rest.len());
            let (value, rest) = rest.split_at(end);
            (is_token(value).then(|| value.to_owned())?, rest)
        }
    };
    let is_over = rest.trim_start_matches(BLANK);
    let is_over = is_over.is_empty() || is_over.starts_with(';');
    (is_token(name) && is_over).then(|| (name.to_ascii_lowercase(), value, rest))
}

/// The value that a quoted string holds whose first quote has been read, and what follows it. Printable ASCII only.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    loop {
        let character = match characters.next()? {
            (at, '"') => return Some((value, &text[at + 1..])),
            (_, '\\') => characters.next()?.1,
            (_, plain) => plain,
        };
        if !(' '..='~').contains(&character) {
            return None;
        }
        value.push(character);
    }
}

fn quoted_if_needed(value: &str) -> String {
    if is_token(value) {
        return value.to_owned();
    }
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

impl Default for MimeType {
    fn default() -> MimeType {
        MimeType(BYTES.into())
    }
}

/// What was kept by earlier programs, or guessed: that of mere bytes where it is no MIME type.
impl From<String> for MimeType {
    fn from(text: String) -> MimeType {
        MimeType::parse(&text).unwrap_or_default()
    }
}

impl From<MimeType> for String {
    fn from(mime: MimeType) -> String {
        mime.0
    }
}

impl Deref for MimeType {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MimeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> Option<String> {
        MimeType::parse(text).map(String::from)
    }

    #[test]
    fn one_type_has_one_spelling() {
        for (text, wanted) in [
            ("image/png", "image/png"),
            (" Image/SVG+XML\t", "image/svg+xml"),
            ("text/plain;Charset=UTF-8", "text/plain; charset=UTF-8"),
            ("text/plain; a=\"b\" ;", "text/plain; a=b"),
            ("a/b; c=\"d\\\"e\\\\\"", "a/b; c=\"d\\\"e\\\\\""),
            (
                "video/mp4; codecs=\"a, b; c\"",
                "video/mp4; codecs=\"a, b; c\"",
            ),
        ] {
            assert_eq!(written(text).as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(
            MimeType::parse("text/plain; a=b").map(|mime| mime.essence().to_owned()),
            Some("text/plain".into())
        );
    }

    #[test]
    fn what_is_no_type_or_several_is_none() {
        for text in [
            "",
            "/",
            "png",
            "image/",
            "a b/c",
            "é/é",
            "*/*",
            "a/b/c",
            "a/b, c/d",
            "a/b;x, c/d",
            "a/b; x=1, c/d",
            "a/b; x",
            "a/b; x=",
            "a/b; =x",
            "a/b; x =1",
            "a/b; x= 1",
            "a/b; x=\"1",
            "a/b; x=\"1\"y",
            "a/b; x=1; X=2",
            "a/b; x=\"\u{7}\"",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
        assert_eq!(written(&format!("a/{}", "b".repeat(254))), None);
        assert_eq!(MimeType::from("a/b, c/d".to_owned()), MimeType::default());
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_as_the_same(
            text in "\\PC{0,40}|[aA]/[bB+]( ?; ?[a-cA=\"\\\\ ,;]{0,9}){0,3}"
        ) {
            if let Some(mime) = written(&text) {
                let again = written(&mime);
                prop_assert_eq!(again.as_deref(), Some(&*mime));
                prop_assert!(mime.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            }
        }
    }
}
