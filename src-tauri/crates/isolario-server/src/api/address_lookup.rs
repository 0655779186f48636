//! Requests at addresses that people give: aliases, and sources of redirects.

use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::ApiError;
use super::request_format::prefers_html;
use isolario_core::repository::Repository;
use isolario_db::Destination;
use isolario_model::content::address;

/// What a path may not hold as it is (RFC 3986, 3.3).
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// Leads a request at an alias to its resource. Answers one at the source of a redirect, and a browser that wants a page.
/// Requests at the program's own paths are not looked up.
///
/// # Errors
/// What the database refuses.
pub fn resolve(repository: &Repository, head: &mut Parts) -> Result<Option<Response>, ApiError> {
    let (path, query) = (head.uri.path(), head.uri.query());
    if address::is_own(path) {
        return Ok(None);
    }
    let Ok(path) = percent_decode_str(path).decode_utf8() else {
        return Ok(None);
    };
    let key = address::key(&path);
    let is_read = matches!(head.method, Method::GET | Method::HEAD);
    match repository.db.read_here(|read| read.destination(&key))? {
        Some(Destination::Resource(kind, id)) => {
            let target = with_query(kind.path(id), query);
            if head.method == Method::GET && prefers_html(&head.headers, query) {
                return Ok(Some(leads_to(StatusCode::FOUND, &target)));
            }
            set_path(&mut head.uri, &target);
            Ok(None)
        }
        Some(Destination::Elsewhere(redirect)) if is_read => {
            let status = StatusCode::from_u16(redirect.status).unwrap_or(StatusCode::FOUND);
            let target = with_query(redirect.target, query);
            Ok(Some(leads_to(status, &target)))
        }
        _ => Ok(None),
    }
}

/// Adds the query of a request to an address that has none of its own.
fn with_query(address: String, query: Option<&str>) -> String {
    match query {
        Some(query) if !address.contains(['?', '#']) => format!("{address}?{query}"),
        _ => address,
    }
}

fn leads_to(status: StatusCode, target: &str) -> Response {
    let target = utf8_percent_encode(target, ENCODED).to_string();
    (status, [(header::LOCATION, target)]).into_response()
}

fn set_path(uri: &mut Uri, target: &str) {
    let mut parts = uri.clone().into_parts();
    if let Ok(target) = target.parse::<PathAndQuery>() {
        parts.path_and_query = Some(target);
        if let Ok(led) = Uri::from_parts(parts) {
            *uri = led;
        }
    }
}
