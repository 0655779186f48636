//! How long the head of a request may be. Beyond what is said here, hyper refuses by itself: a head of more than 400 KB,
//! and over HTTP/2 one of more than twice what the limits say.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{ApiError, ErrorCode};
use isolario_core::repository::Repository;

/// Bytes of a method; the longest that is registered has 17 (RFC 3253).
pub const LONGEST_METHOD: usize = 32;

/// Header lines; hyper takes no more over HTTP/1.
const MOST_LINES: usize = 100;

/// The layer.
pub async fn bound(
    State(repository): State<Arc<Repository>>,
    request: Request,
    next: Next,
) -> Response {
    let limits = &repository.config.limits;
    if request.method().as_str().len() > LONGEST_METHOD {
        let words = format!("The method is longer than {LONGEST_METHOD} bytes.");
        return ApiError::bad_request(words).into_response();
    }
    let target = request.uri().path_and_query();
    if target.map_or(0, |target| target.as_str().len()) > limits.url_bytes {
        return ApiError::new(
            ErrorCode::AddressTooLong,
            format!("The address is longer than {} bytes.", limits.url_bytes),
        )
        .into_response();
    }
    if request.headers().len() > MOST_LINES {
        let words = format!("There are more than {MOST_LINES} header lines.");
        return ApiError::new(ErrorCode::HeadersTooLarge, words).into_response();
    }
    if size(request.headers()) > limits.header_bytes {
        return ApiError::new(
            ErrorCode::HeadersTooLarge,
            format!("The headers are longer than {} bytes.", limits.header_bytes),
        )
        .into_response();
    }
    next.run(request).await
}

/// Bytes of header lines as they were sent, about.
fn size(headers: &HeaderMap) -> usize {
    const SEPARATORS: usize = ": \r\n".len();
    let lines = headers.iter();
    lines
        .map(|(name, value)| name.as_str().len() + value.len() + SEPARATORS)
        .sum()
}
