//! Spellings of a path that mean the same: a trailing slash, doubled slashes, upper-case routes.
//! Applied before the router sees a request.

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

const KEEP_THEIR_CASE: &[&str] = &["/sites/", "/_flysystem/", "/assets/", "/api/"];

/// The plain spelling, `None` when the path has it already.
fn plain_path(path: &str) -> Option<String> {
    let mut plain = String::with_capacity(path.len());
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        plain.push('/');
        plain.push_str(segment);
    }
    if plain.is_empty() {
        plain.push('/');
    }
    if !KEEP_THEIR_CASE
        .iter()
        .any(|prefix| plain.starts_with(prefix))
    {
        plain.make_ascii_lowercase();
    } else if path.ends_with('/') || path.contains("//") {
        return None;
    }
    (plain != path).then_some(plain)
}
