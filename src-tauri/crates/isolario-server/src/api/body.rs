//! Reading a JSON body whole, within limits.

use axum::extract::Request;

use super::json_limits::refuse_excess;
use super::{ApiError, ErrorCode};
use isolario_config::Limits;

/// Greatest body of requests that say little, bytes.
pub const SMALL: usize = 64 * 1024;

/// The bytes of a request's body.
///
/// # Errors
/// 413 beyond `limits.json_bytes`, 408 when it takes too long, 400 when it breaks off or is nested too
/// deeply, 422 where a field has too many values.
pub async fn read_body(request: Request, limits: &Limits) -> Result<Vec<u8>, ApiError> {
    read(request, limits, limits.json_bytes).await
}

/// The same for requests that say little.
///
/// # Errors
/// As `read_body`; 413 beyond `SMALL` already.
pub async fn read_small_body(request: Request, limits: &Limits) -> Result<Vec<u8>, ApiError> {
    read(request, limits, SMALL.min(limits.json_bytes)).await
}

async fn read(request: Request, limits: &Limits, most: usize) -> Result<Vec<u8>, ApiError> {
    let reading = axum::body::to_bytes(request.into_body(), most);
    let bytes: Vec<u8> = match tokio::time::timeout(limits.json_time, reading).await {
        Ok(Ok(bytes)) => bytes.into(),
        Ok(Err(error)) if is_too_large(&error) => {
            return Err(ApiError::new(
                ErrorCode::TooLarge,
                format!("The body is larger than {}.", words_for(most)),
            ));
        }
        Ok(Err(_)) => return Err(ApiError::bad_request("The body broke off.")),
        Err(_) => {
            let seconds = limits.json_time.as_secs();
            return Err(ApiError::new(
                ErrorCode::TooSlow,
                format!("The body did not come within {seconds} seconds."),
            ));
        }
    };
    refuse_excess(&bytes, limits)?;
    Ok(bytes)
}

fn is_too_large(error: &axum::Error) -> bool {
    std::error::Error::source(error)
        .is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

fn words_for(bytes: usize) -> String {
    const KILO: usize = 1024;
    match bytes {
        bytes if bytes >= KILO * KILO => format!("{} MB", bytes / (KILO * KILO)),
        bytes if bytes >= KILO => format!("{} KB", bytes / KILO),
        bytes => format!("{bytes} bytes"),
    }
}
