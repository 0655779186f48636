//! The codes of error responses. Clients decide by them; messages are for people.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    Malformed,
    HttpsRequired,
    NotAuthenticated,
    CredentialsRefused,
    SecondFactorNeeded,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    TooSlow,
    Conflict,
    PreconditionFailed,
    TooLarge,
    AddressTooLong,
    UnsupportedMediaType,
    RangeNotSatisfiable,
    UnknownHost,
    Invalid,
    InvalidFields,
    TooMany,
    HeadersTooLarge,
    Internal,
    Busy,
    Unavailable,
    IndexMissing,
    DatabaseFailed,
    DiskFailed,
    OutcomeUnknown,
    DiskFull,
}

impl ErrorCode {
    /// The status of a response with this code. Only `/user/login` differs: it refuses credentials with 400.
    pub fn status(self) -> StatusCode {
        match self {
            ErrorCode::Malformed | ErrorCode::HttpsRequired => StatusCode::BAD_REQUEST,
            ErrorCode::NotAuthenticated
            | ErrorCode::CredentialsRefused
            | ErrorCode::SecondFactorNeeded => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            ErrorCode::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ErrorCode::Conflict => StatusCode::CONFLICT,
            ErrorCode::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::AddressTooLong => StatusCode::URI_TOO_LONG,
            ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::RangeNotSatisfiable => StatusCode::RANGE_NOT_SATISFIABLE,
            ErrorCode::UnknownHost => StatusCode::MISDIRECTED_REQUEST,
            ErrorCode::Invalid | ErrorCode::InvalidFields => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::HeadersTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::Busy
            | ErrorCode::Unavailable
            | ErrorCode::IndexMissing
            | ErrorCode::DatabaseFailed
            | ErrorCode::DiskFailed
            | ErrorCode::OutcomeUnknown => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
        }
    }
}
