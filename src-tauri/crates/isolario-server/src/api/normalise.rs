//! Spellings of a path that mean the same: a trailing slash, doubled slashes, upper-case routes,
//! percent-encoded letters and digits. Applied before the router sees a request.

use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// Rewrites the request's path into the router's spelling. Paths of binaries keep theirs.
pub fn normalise(mut request: Request) -> Request {
    let path = request.uri().path();
    let Some(plain) = plain_path(path) else {
        return request;
    };
    let whole = match request.uri().query() {
        Some(query) => format!("{plain}?{query}"),
        None => plain,
    };
    let mut parts = request.uri().clone().into_parts();
    if let Ok(path_and_query) = whole.parse::<PathAndQuery>() {
        parts.path_and_query = Some(path_and_query);
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
    request
}

const KEEP_THEIR_CASE: &[&str] = &["/sites/", "/_flysystem/", "/assets/", "/api/", "/iiif/"];

/// The plain spelling, `None` when the path has it already.
fn plain_path(path: &str) -> Option<String> {
    let whole = path.trim_end_matches('/');
    let keeps_case = KEEP_THEIR_CASE
        .iter()
        .any(|prefix| whole.starts_with(prefix));
    if keeps_case || is_plain(path) {
        return None;
    }
    let mut plain = String::with_capacity(path.len());
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        plain.push('/');
        plain.push_str(segment);
    }
    if plain.is_empty() {
        plain.push('/');
    }
    let decoded = decode_unreserved(&plain);
    if !KEEP_THEIR_CASE
        .iter()
        .any(|prefix| decoded.starts_with(prefix))
    {
        plain = decoded.to_ascii_lowercase();
    } else if path.ends_with('/') || path.contains("//") {
        return None;
    }
    (plain != path).then_some(plain)
}

/// Whether nothing of the path can be written otherwise. Most are so.
fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let encoded = |byte: &u8| *byte == b'%' || byte.is_ascii_uppercase();
    let slashed = path == "/" || (!path.ends_with('/') && path.starts_with('/'));
    slashed && !bytes.iter().any(encoded) && !path.contains("//")
}

/// The path with what needs no encoding written plainly (RFC 3986, 6.2.2.2).
fn decode_unreserved(path: &str) -> String {
    let mut pieces = path.split('%');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let letter = code.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte));
        match letter {
            Some(letter) => {
                plain.push(char::from(letter));
                plain.push_str(&piece[2..]);
            }
            None => {
                plain.push('%');
                plain.push_str(piece);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{decode_unreserved, plain_path};

    #[test]
    fn names_of_files_are_left_alone() {
        for path in [
            "/sites/default/files/A%62.png",
            "/%73ites/default/files/A.png",
        ] {
            assert_eq!(plain_path(path), None, "{path}");
        }
        assert_eq!(plain_path("/%4Eode//2/").as_deref(), Some("/node/2"));
    }

    #[test]
    fn only_what_needs_no_encoding_is_decoded() {
        for (sent, meant) in [
            ("/node/%32", "/node/2"),
            ("/%6eod%65/1", "/node/1"),
            ("/%6Eode/%37%2E%35", "/node/7.5"),
            ("/a%2Fb%20c%00%e4", "/a%2Fb%20c%00%e4"),
            ("/%", "/%"),
            ("/%3", "/%3"),
            ("/%+1%-1%zz", "/%+1%-1%zz"),
            ("/%%32", "/%2"),
            ("/%ä", "/%ä"),
        ] {
            assert_eq!(decode_unreserved(sent), meant);
        }
    }
}
