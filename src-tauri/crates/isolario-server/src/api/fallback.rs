//! Answers where no handler fits: unknown paths, wrong methods, OPTIONS. And the headers that every
//! answer has.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::base_url::BaseUrl;
use super::request_format::prefers_html;
use super::resumption::UPLOAD_LIMIT;
use super::ui;
use super::{ApiError, ErrorCode};

/// Marks the router's own "there is no such path".
#[derive(Clone)]
struct NoRoute;

/// The handler of paths that no route has.
pub async fn no_route() -> Response {
    let mut response = StatusCode::NOT_FOUND.into_response();
    response.extensions_mut().insert(NoRoute);
    response
}

/// Puts words to the router's own refusals.
pub async fn explain(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let base = request.extensions().get::<BaseUrl>().cloned();
    let address = base
        .unwrap_or(BaseUrl(String::new()))
        .join(request.uri().path());
    let page = method == Method::GET && prefers_html(request.headers(), request.uri().query());
    let response = next.run(request).await;
    let explained = match response.status() {
        StatusCode::NOT_FOUND if response.extensions().get::<NoRoute>().is_some() => {
            Some(not_found(&method, &address, page))
        }
        StatusCode::BAD_REQUEST if is_plain_text(&response) => {
            Some(ApiError::bad_request("The path is not percent-encoded UTF-8.").into_response())
        }
        StatusCode::METHOD_NOT_ALLOWED => Some(wrong_method(&method, &address, response.headers())),
        _ => None,
    };
    explained.unwrap_or(response)
}

/// The router's own words for a path that cannot be read; ours are always JSON.
fn is_plain_text(response: &Response) -> bool {
    let mime = response.headers().get(header::CONTENT_TYPE);
    mime.is_some_and(|mime| mime.as_bytes().starts_with(b"text/plain"))
}

/// A browser gets the page, which says so in words and leads on.
fn not_found(method: &Method, address: &str, page: bool) -> Response {
    if page {
        let mut response = ui::page();
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    }
    ApiError::new(
        ErrorCode::NotFound,
        format!("No route found for \"{method} {address}\""),
    )
    .into_response()
}

fn wrong_method(method: &Method, address: &str, headers: &HeaderMap) -> Response {
    let sent = headers
        .get(header::ALLOW)
        .and_then(|value| value.to_str().ok());
    let allow = sent
        .unwrap_or_default()
        .replace(',', ", ")
        .replace(",  ", ", ");
    if method == Method::OPTIONS {
        let json = [(header::CONTENT_TYPE, "application/json")];
        let mut response = with_allow((StatusCode::OK, json).into_response(), &allow);
        let limits = headers.get(UPLOAD_LIMIT).cloned();
        response
            .headers_mut()
            .extend(limits.map(|limits| (UPLOAD_LIMIT, limits)));
        return response;
    }
    let error = ApiError::new(
        ErrorCode::MethodNotAllowed,
        format!("No route found for \"{method} {address}\": Method Not Allowed (Allow: {allow})"),
    );
    with_allow(error.into_response(), &allow)
}

fn with_allow(mut response: Response, allow: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(allow) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    response
}

/// Adds the headers that every answer has, refusals included.
pub async fn with_common_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let common = [
        (header::CACHE_CONTROL, "must-revalidate, no-cache, private"),
        (header::CONTENT_LANGUAGE, "en"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::REFERRER_POLICY, "same-origin"),
        // The same address answers otherwise in another format, and to somebody else.
        (header::VARY, "Accept, Authorization, Cookie, Origin"),
    ];
    for (name, value) in common {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}
