//! Reading a body whole, up to a limit.

use axum::extract::Request;
use axum::http::StatusCode;

use super::ApiError;

/// The bytes of a request's body.
///
/// # Errors
/// 413 beyond `limit` bytes, 400 when it breaks off.
pub async fn read_body(request: Request, limit: usize) -> Result<Vec<u8>, ApiError> {
    match axum::body::to_bytes(request.into_body(), limit).await {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) if is_too_large(&error) => Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("The body is larger than {}.", words_for(limit)),
        )),
        Err(_) => Err(ApiError::bad_request("The body broke off.")),
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    std::error::Error::source(error)
        .is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

fn words_for(bytes: usize) -> String {
    const KILO: usize = 1024;
    if bytes >= KILO * KILO {
        format!("{} MB", bytes / (KILO * KILO))
    } else {
        format!("{} KB", bytes / KILO)
    }
}
