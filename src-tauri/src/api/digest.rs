//! Checksums that a client sends with a body: `Content-Digest` and `Repr-Digest` (RFC 9530), and
//! `Digest` (RFC 3230), which came before them.

use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::ApiError;
use crate::blobs::{Algorithm, Checksum};

const HEADERS: [&str; 3] = ["content-digest", "repr-digest", "digest"];

/// Every checksum of an algorithm we know. Others promise nothing that could be checked.
///
/// # Errors
/// 400 for a checksum that cannot be read.
pub fn promised(headers: &HeaderMap) -> Result<Vec<Checksum>, ApiError> {
    let mut promised = Vec::new();
    for name in HEADERS {
        for value in headers.get_all(name) {
            let unreadable = || ApiError::bad_request(format!("The {name} header cannot be read."));
            let text = value.to_str().map_err(|_| unreadable())?;
            for part in text.split(',') {
                promised.extend(checksum(part).map_err(|()| unreadable())?);
            }
        }
    }
    Ok(promised)
}

/// `sha-256=:…:` or, as it was written before, `SHA-256=…`.
fn checksum(part: &str) -> Result<Option<Checksum>, ()> {
    let (name, value) = part.trim().split_once('=').ok_or(())?;
    let (algorithm, length) = match name.trim().to_ascii_lowercase().as_str() {
        "sha-256" => (Algorithm::Sha256, 32),
        "sha-512" => (Algorithm::Sha512, 64),
        _ => return Ok(None),
    };
    let encoded = value.split(';').next().unwrap_or_default();
    let value = STANDARD.decode(encoded.trim().trim_matches(':'));
    match value {
        Ok(value) if value.len() == length => Ok(Some(Checksum { algorithm, value })),
        _ => Err(()),
    }
}
