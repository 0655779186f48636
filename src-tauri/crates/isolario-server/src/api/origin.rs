//! From which page a request comes. Pages of other sites may not change anything here. Only the program's own window,
//! whose page has an origin of its own, may read across origins; pictures and manifests are for viewers at any site.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{ApiError, Peer};
use isolario_auth::hosts::authority_of;

/// Origins of the window's page, as the platforms' web views name it.
const WINDOW: [&str; 2] = ["tauri://localhost", "http://tauri.localhost"];

/// Paths whose answers pages of any site may read. Browsers send and share nothing there that a cookie opens.
const SHARED: [&str; 1] = ["/iiif/"];

const SAFE_METHODS: &str = "GET, HEAD, OPTIONS";
const ALLOWED_METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const ALLOWED_HEADERS: &str = "Authorization, Content-Type, Content-Location, \
    X-Content-Location-Encoding, If-Match, If-None-Match, X-Requested-With, Range, Last-Event-ID, \
    Upload-Complete, Upload-Offset, Upload-Length, Content-Digest, Repr-Digest, Want-Repr-Digest";
const EXPOSED_HEADERS: &str = "ETag, Location, Link, Content-Location, Upload-Complete, \
    Upload-Offset, Upload-Length, Upload-Limit, Repr-Digest";

/// The window's origin, when its page sends the request.
pub fn window_origin(headers: &HeaderMap) -> Option<HeaderValue> {
    let origin = headers.get(header::ORIGIN)?;
    WINDOW
        .iter()
        .any(|known| origin == known)
        .then(|| origin.clone())
}

/// The origin whose page may read the answer to a request; `*` for all of them.
pub fn reader(head: &Parts) -> Option<HeaderValue> {
    let is_shared = || SHARED.iter().any(|path| head.uri.path().starts_with(path));
    window_origin(&head.headers).or_else(|| is_shared().then(|| HeaderValue::from_static("*")))
}

/// Whether the method changes nothing (RFC 9110, 9.2.1).
pub fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Refuses changes that a page of another origin asks for. `authority` is the `Host` of the request.
///
/// # Errors
/// 403.
pub fn refuse_foreign_page(head: &Parts, authority: &str) -> Result<(), ApiError> {
    let headers = &head.headers;
    let Some(origin) = headers.get(header::ORIGIN) else {
        return Ok(());
    };
    if is_safe(&head.method) || window_origin(headers).is_some() {
        return Ok(());
    }
    // What came encrypted must come from a page that did, too. In the open a proxy may have encrypted it.
    let encrypted = Peer::is_encrypted(&head.extensions);
    let web =
        |text: &&str| text.starts_with("https://") || (!encrypted && text.starts_with("http://"));
    let page = origin.to_str().ok().filter(web).and_then(authority_of);
    if page.is_some_and(|page| page.eq_ignore_ascii_case(authority)) {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "A page of another site may not make changes here: the Origin header names another origin.",
    ))
}

/// The answer to the question that a browser asks before a request of a page that may read here.
pub fn preflight(head: &Parts) -> Option<Response> {
    let asks = head.method == Method::OPTIONS
        && head
            .headers
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if !asks {
        return None;
    }
    let methods = match reader(head)? == "*" {
        true => SAFE_METHODS,
        false => ALLOWED_METHODS,
    };
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    let set = |headers: &mut HeaderMap, name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    set(
        headers,
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        ALLOWED_HEADERS,
    );
    set(headers, header::ACCESS_CONTROL_MAX_AGE, "7200");
    Some(response)
}

/// Lets the pages of an origin read a response. What does not say yet what it depends on is told to depend on
/// the origin, among others, with all common headers.
pub fn share_with(origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if headers.contains_key(header::VARY) {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static(EXPOSED_HEADERS),
    );
}
