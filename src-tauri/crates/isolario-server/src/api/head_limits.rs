//! How long the head of a request may be. Beyond what is said here, hyper refuses by itself: a head of more than 400 KB,
//! and over HTTP/2 one of more than twice what the limits say.

use axum::extract::Request;
use axum::http::HeaderMap;

use super::{ApiError, ErrorCode};
use isolario_config::Limits;

/// Bytes of a method; the longest that is registered has 17 (RFC 3253).
pub const LONGEST_METHOD: usize = 32;

/// Header lines; hyper takes no more over HTTP/1.
const MOST_LINES: usize = 100;

/// The refusal of a request whose head is too long.
pub fn refusal(limits: &Limits, request: &Request) -> Option<ApiError> {
    if request.method().as_str().len() > LONGEST_METHOD {
        let words = format!("The method is longer than {LONGEST_METHOD} bytes.");
        return Some(ApiError::bad_request(words));
    }
    let target = request.uri().path_and_query();
    if target.map_or(0, |target| target.as_str().len()) > limits.url_bytes {
        return Some(ApiError::new(
            ErrorCode::AddressTooLong,
            format!("The address is longer than {} bytes.", limits.url_bytes),
        ));
    }
    if request.headers().len() > MOST_LINES {
        let words = format!("There are more than {MOST_LINES} header lines.");
        return Some(ApiError::new(ErrorCode::HeadersTooLarge, words));
    }
    if size(request.headers()) > limits.header_bytes {
        return Some(ApiError::new(
            ErrorCode::HeadersTooLarge,
            format!("The headers are longer than {} bytes.", limits.header_bytes),
        ));
    }
    None
}

/// Bytes of header lines as they were sent, about.
fn size(headers: &HeaderMap) -> usize {
    const SEPARATORS: usize = ": \r\n".len();
    let lines = headers.iter();
    lines
        .map(|(name, value)| name.as_str().len() + value.len() + SEPARATORS)
        .sum()
}
