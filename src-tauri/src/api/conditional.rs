//! Entity tags and conditional requests (RFC 9110, 13).

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};

/// A strong tag: the revision, and a hash of the very bytes. The same resource in another format,
/// or with another thing's name in it, has another tag; the revision in front is what `If-Match` compares.
pub fn etag(revision: i64, body: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, body);
    format!("\"{revision}-{}\"", hex::encode(&digest.as_ref()[..12]))
}

/// The revision that `If-Match` insists on; `None` when there is no such header or it says `*`.
/// A tag that is none of ours insists on a revision that no resource has.
pub fn expected_revision(headers: &HeaderMap) -> Option<i64> {
    let sent = headers
        .get(header::IF_MATCH)?
        .to_str()
        .unwrap_or("unreadable");
    if sent.trim() == "*" {
        return None;
    }
    let revision = sent
        .trim()
        .trim_matches('"')
        .split('-')
        .next()
        .and_then(|text| text.parse().ok());
    Some(revision.unwrap_or(-1))
}

/// Whether `If-None-Match` names this tag.
pub fn is_known_to_client(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag == etag)
}

/// Adds the tag to a response, and empties it with 304 when the client has these bytes already.
pub fn answer(headers: &HeaderMap, etag: &str, mut response: Response<Body>) -> Response<Body> {
    if let Ok(value) = HeaderValue::from_str(etag) {
        response.headers_mut().insert(header::ETAG, value);
    }
    if is_known_to_client(headers, etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}
