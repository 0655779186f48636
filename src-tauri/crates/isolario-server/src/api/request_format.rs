//! Which format a request asks for and which one its body is in (interface, Endpoints).

use axum::http::{HeaderMap, Method, header};

use super::{ApiError, ErrorCode};
use isolario_config::Config;

/// A format in which resources are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    JsonLd,
}

impl Format {
    /// Every format; alternates are listed in this order.
    pub const ALL: [Format; 2] = [Format::JsonLd, Format::Json];

    /// Value of `_format`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::JsonLd => "jsonld",
        }
    }

    /// MIME type of responses.
    pub fn mime(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::JsonLd => "application/ld+json",
        }
    }
}

/// The format asked for by `_format`: the last one counts, and without one JSON, or what there is
/// where JSON is switched off.
///
/// # Errors
/// 406 for a format that is unknown or switched off for the method.
pub fn read_format(
    method: &Method,
    query: Option<&str>,
    config: &Config,
) -> Result<Format, ApiError> {
    let rules = &config.rest.method(method.as_str()).formats;
    let allows = |format: &Format| rules.iter().any(|known| known == format.name());
    match format_parameter(query) {
        Some(name) => Format::ALL
            .into_iter()
            .find(|format| format.name() == name && allows(format))
            .ok_or_else(|| not_acceptable(method, &name)),
        None => [Format::Json, Format::JsonLd]
            .into_iter()
            .find(allows)
            .ok_or_else(|| not_acceptable(method, Format::Json.name())),
    }
}

/// Refuses every `_format` but JSON, where a resource has no other.
///
/// # Errors
/// As `read_format`; 406 for another format.
pub fn require_json_format(
    method: &Method,
    query: Option<&str>,
    config: &Config,
) -> Result<(), ApiError> {
    match read_format(method, query, config)? {
        Format::Json => Ok(()),
        other => Err(not_acceptable(method, other.name())),
    }
}

fn not_acceptable(method: &Method, name: &str) -> ApiError {
    let message = if matches!(*method, Method::GET | Method::HEAD) {
        format!("Not acceptable format: {name}")
    } else {
        format!("No route found for the specified format {name}. Supported formats: json.")
    };
    ApiError::new(ErrorCode::NotAcceptable, message)
}

/// Value of the last `_format` in a query that is not empty.
pub fn format_parameter(query: Option<&str>) -> Option<String> {
    let pairs = query?.split('&').rev();
    let value = pairs
        .filter_map(|pair| pair.strip_prefix("_format="))
        .next()?;
    let decoded = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
    (!decoded.is_empty()).then(|| decoded.into_owned())
}

/// Whether the sender says that the body is JSON.
///
/// # Errors
/// 415 in the words of the reference.
pub fn require_json_body(headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(sent) = headers.get(header::CONTENT_TYPE) else {
        return Err(ApiError::new(
            ErrorCode::UnsupportedMediaType,
            "No \"Content-Type\" request header specified",
        ));
    };
    let text = String::from_utf8_lossy(sent.as_bytes());
    let mime = text.split(';').next().unwrap_or_default().trim();
    if mime == "application/json" {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::UnsupportedMediaType,
        format!("No route found that matches \"Content-Type: {mime}\""),
    ))
}

/// Whether the client would rather have a page than data: `Accept` names HTML before JSON, and no
/// `_format` says otherwise.
pub fn prefers_html(headers: &HeaderMap, query: Option<&str>) -> bool {
    if format_parameter(query).is_some() {
        return false;
    }
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| {
        weight(accept, "text/html") > 0.0
            && weight(accept, "text/html") > weight(accept, "application/json")
    })
}

/// Whether a request takes whatever there is: it names no format, and no MIME type but `*/*`.
pub fn names_no_format(headers: &HeaderMap, query: Option<&str>) -> bool {
    let accept = headers.get(header::ACCEPT);
    let is_open = |accept: &axum::http::HeaderValue| accept.as_bytes().trim_ascii() == b"*/*";
    format_parameter(query).is_none() && accept.is_none_or(is_open)
}

/// Weight of a MIME type named in an `Accept` header; 0 when it is not named (RFC 9110, 12.5.1).
fn weight(accept: &str, mime: &str) -> f32 {
    let ranges = accept.split(',').map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q="));
        (name, quality.map_or(1.0, |q| q.parse().unwrap_or(0.0)))
    });
    ranges
        .filter(|(name, _)| name.eq_ignore_ascii_case(mime))
        .map(|(_, quality)| quality)
        .fold(0.0, f32::max)
}
