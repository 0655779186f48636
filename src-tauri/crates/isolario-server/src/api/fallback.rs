//! Answers where no handler fits: unknown paths, wrong methods, OPTIONS. And the headers that every
//! answer has.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use tower::ServiceExt;

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

/// The answer of the routes to a request, with words for their own refusals.
pub async fn explained(routes: Router, request: Request) -> Response {
    let routed = RoutedRequest::of(&request);
    let Ok(response) = routes.oneshot(request).await;
    routed.explain(response)
}

/// What a request asked for, where the routes have no answer.
struct RoutedRequest {
    method: Method,
    uri: Uri,
    base: Option<BaseUrl>,
    /// A page rather than data.
    page: bool,
}

impl RoutedRequest {
    /// Of a request that is about to be routed.
    fn of(request: &Request) -> RoutedRequest {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        RoutedRequest {
            base: request.extensions().get::<BaseUrl>().cloned(),
            page: method == Method::GET && prefers_html(request.headers(), uri.query()),
            method,
            uri,
        }
    }

    /// Puts words to the router's own refusals.
    fn explain(self, response: Response) -> Response {
        let explained = match response.status() {
            StatusCode::NOT_FOUND if response.extensions().get::<NoRoute>().is_some() => {
                Some(not_found(&self.method, &self.address(), self.page))
            }
            StatusCode::BAD_REQUEST if is_plain_text(&response) => {
                let words = "The path is not percent-encoded UTF-8.";
                Some(ApiError::bad_request(words).into_response())
            }
            StatusCode::METHOD_NOT_ALLOWED => {
                let headers = response.headers();
                Some(wrong_method(&self.method, &self.address(), headers))
            }
            _ => None,
        };
        explained.unwrap_or(response)
    }

    fn address(&self) -> String {
        let base = self.base.as_ref().map_or("", |base| &base.0);
        format!("{base}{}", self.uri.path())
    }
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
pub fn add_common_headers(headers: &mut HeaderMap) {
    const COMMON: [(HeaderName, HeaderValue); 6] = [
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("must-revalidate, no-cache, private"),
        ),
        (header::CONTENT_LANGUAGE, HeaderValue::from_static("en")),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (
            header::X_FRAME_OPTIONS,
            HeaderValue::from_static("SAMEORIGIN"),
        ),
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("same-origin"),
        ),
        // The same address answers otherwise in another format, and to somebody else.
        (
            header::VARY,
            HeaderValue::from_static("Accept, Authorization, Cookie, Origin"),
        ),
    ];
    headers.reserve(COMMON.len());
    for (name, value) in COMMON {
        headers.entry(name).or_insert(value);
    }
}
