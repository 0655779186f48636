//! The user interface for browsers: one page, and the files it is made of, from within the program.

use std::io::Read;

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::read::GzDecoder;
use rust_embed::RustEmbed;

use super::openapi::refusals::Refused;
use super::request_format::format_parameter;
use super::{ApiError, ErrorCode};
use crate::api::app_state::AppState;

/// The built files, each compressed (RFC 1952).
#[derive(RustEmbed)]
#[folder = "../../../ui/dist-gzip"]
struct Files;

/// The font that items are printed in: the sans serif of the viewer of PDFs, which has Latin, Greek, Cyrillic and Hebrew
/// letters.
pub fn print_font() -> Vec<u8> {
    const NAME: &str = "/LiberationSans-Regular.ttf";
    let path = Files::iter().find(|path| path.ends_with(NAME));
    let file = path.and_then(|path| Files::get(&path));
    let mut font = Vec::new();
    if let Some(file) = file
        && GzDecoder::new(file.data.as_ref())
            .read_to_end(&mut font)
            .is_err()
    {
        font.clear();
    }
    font
}

/// Forms and lists that Link headers name; the page opens at each of them.
const PAGES: &[&str] = &[
    "/",
    "/node/{id}/edit",
    "/node/{id}/delete",
    "/node/{id}/revisions",
    "/admin/content/node/delete",
    "/admin/content/media",
    "/share",
    "/admin/people",
    "/admin/report",
    "/admin/roles",
    "/admin/roles/{role}",
    "/admin/server",
    "/admin/activity",
    "/admin/health",
    "/admin/content-model",
    "/admin/watched",
    "/admin/watched/{id}",
    "/media/add",
    "/media/add/{media_type}",
    "/media/delete",
    "/media/{id}/delete",
    "/taxonomy/term/{id}/edit",
    "/taxonomy/term/{id}/delete",
    "/file/{id}/delete",
    "/user/{id}/edit",
    "/user/{id}/cancel",
];

const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; \
    style-src 'self' 'unsafe-inline'; font-src 'self' data:; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// The title of the page as it is built.
const TITLE: &str = "<title>Isolario</title>";

/// Where others learn how to search here.
const SEARCH_LINK: &str =
    "</opensearch.xml>; rel=\"search\"; type=\"application/opensearchdescription+xml\"";

/// The routes of the page and its files.
pub fn routes() -> axum::Router<AppState> {
    let router = axum::Router::new().route("/assets/{*path}", get(asset));
    let pages = PAGES
        .iter()
        .fold(router, |router, path| router.route(path, get(page_only)));
    ["icon.svg", "favicon.ico", "favicon.svg"]
        .iter()
        .fold(pages, |router, name| {
            router.route(
                &format!("/{name}"),
                get(move || async move { file(name, false) }),
            )
        })
}

/// The page of the user interface
#[utoipa::path(get, operation_id = "show_node_page", path = "/node", tag = "session", responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"), Refused<406>))]
pub async fn node_page(uri: Uri) -> Result<Response, ApiError> {
    page_only(uri).await
}

/// The page of the user interface
#[utoipa::path(get, operation_id = "show_term_page", path = "/taxonomy/term", tag = "session", responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"), Refused<406>))]
pub async fn term_page(uri: Uri) -> Result<Response, ApiError> {
    page_only(uri).await
}

/// The page of the user interface
#[utoipa::path(get, operation_id = "show_login_page", path = "/user/login", tag = "session", responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"), Refused<406>))]
pub async fn login_page(uri: Uri) -> Result<Response, ApiError> {
    page_only(uri).await
}

/// The page, at a path that has no other form.
async fn page_only(uri: Uri) -> Result<Response, ApiError> {
    match format_parameter(uri.query()) {
        Some(format) if format != "html" => Err(ApiError::new(
            ErrorCode::NotAcceptable,
            format!("Not acceptable format: {format}"),
        )),
        _ => Ok(page()),
    }
}

/// The page.
pub fn page() -> Response {
    let mut response = file("index.html", false);
    response.headers_mut().insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    headers.insert(header::LINK, HeaderValue::from_static(SEARCH_LINK));
    response
}

/// The page of an item, with these elements in the place of its title.
pub fn page_with_head(head: &str) -> Response {
    let mut response = page();
    if let Some(text) = text_of("index.html") {
        *response.body_mut() = Body::from(text.replacen(TITLE, head, 1));
    }
    response
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let mut response = file(&format!("assets/{path}"), accepts_gzip(&headers));
    if response.status().is_success() {
        response.headers_mut().insert(
            header::CACHE_CONTROL,
            // Their names change with their content.
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        );
    }
    response
}

/// Whether Accept-Encoding (RFC 9110, 12.5.3) names gzip with a weight above zero.
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let refused = weight
                .trim()
                .strip_prefix("q=")
                .and_then(|q| q.parse().ok())
                == Some(0.0);
            name.trim().eq_ignore_ascii_case("gzip") && !refused
        })
}

fn unpacked(compressed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(compressed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn text_of(name: &str) -> Option<String> {
    String::from_utf8(unpacked(&Files::get(name)?.data)?).ok()
}

/// A file of the user interface, compressed or not.
fn file(name: &str, compressed: bool) -> Response {
    let Some(found) = Files::get(name) else {
        return missing(name);
    };
    let mime = mime_guess::from_path(name).first_or_octet_stream();
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_str(mime.as_ref()) {
        headers.insert(header::CONTENT_TYPE, value);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        return (headers, Body::from(found.data)).into_response();
    }
    match unpacked(&found.data) {
        Some(bytes) => (headers, Body::from(bytes)).into_response(),
        None => missing(name),
    }
}

fn missing(name: &str) -> Response {
    let message = if name == "index.html" {
        "This program was built without its user interface. The REST interface works."
    } else {
        "There is no such file in the user interface."
    };
    ApiError::new(ErrorCode::NotFound, message).into_response()
}
