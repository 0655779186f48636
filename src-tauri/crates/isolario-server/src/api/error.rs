//! The only place that makes an error response: `{"message": "…", "code": "…"}` with the status that fits.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::ErrorCode;
use isolario_core::actions::Refusal;
use isolario_db::DbError;
use isolario_disk::disk_fault::DiskFault;
use isolario_model::fields::{Violation, message_of};
use isolario_model::policy::{Actor, Denial};

const BASIC_CHALLENGE: &str = "Basic realm=\"Isolario\", charset=\"UTF-8\"";

/// A refusal on its way to the client.
#[derive(Debug, Clone)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: ErrorCode,
    pub message: String,
    /// Which fields break which rules; of `InvalidFields` alone.
    pub violations: Vec<Violation>,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Wrong passwords that are let pass before a pause; only after one.
    pub tries_left: Option<usize>,
    /// What the message is about, in the words of a registry (RFC 9457).
    pub problem: Option<Box<Value>>,
}

impl ApiError {
    /// A refusal with a sentence for the client.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError {
            status: code.status(),
            code,
            message: message.into(),
            violations: Vec::new(),
            headers: Vec::new(),
            tries_left: None,
            problem: None,
        }
    }

    /// 400.
    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::Malformed, message)
    }

    /// 422 for a body that breaks a rule of no single field.
    pub fn unprocessable(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::Invalid, message)
    }

    /// 422 for fields that break rules.
    pub fn invalid_fields(violations: Vec<Violation>) -> ApiError {
        let error = ApiError::new(ErrorCode::InvalidFields, message_of(&violations));
        ApiError {
            violations,
            ..error
        }
    }

    /// 403.
    pub fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::Forbidden, message)
    }

    /// 401 for a request without credentials (interface, Authentication, 4).
    pub fn unauthenticated() -> ApiError {
        let message = "No authentication credentials provided.";
        ApiError::new(ErrorCode::NotAuthenticated, message)
            .with(header::WWW_AUTHENTICATE, BASIC_CHALLENGE)
    }

    /// 401 for credentials that are wrong, with a challenge.
    pub fn unauthorized(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::CredentialsRefused, message)
            .with(header::WWW_AUTHENTICATE, BASIC_CHALLENGE)
    }

    /// 401 for somebody who has not signed in, 403 with the reason for somebody who has.
    pub fn denied(actor: &Actor, denial: Denial) -> ApiError {
        if actor.is_anonymous() {
            ApiError::unauthenticated()
        } else {
            ApiError::forbidden(denial.message)
        }
    }

    /// Says how many wrong passwords are let pass before a pause.
    pub fn with_tries_left(self, tries_left: usize) -> ApiError {
        ApiError {
            tries_left: Some(tries_left),
            ..self
        }
    }

    /// 404 for a path parameter that names nothing (interface, Errors).
    pub fn not_converted(parameter: &str, template: &str, route: &str) -> ApiError {
        ApiError::new(
            ErrorCode::NotFound,
            format!(
                "The \"{parameter}\" parameter was not converted for the path \"{template}\" (route name: \"{route}\")"
            ),
        )
    }

    /// A full disk is 507, because a client may free space. Other faults of the disk are 503.
    fn fault(fault: &DiskFault) -> ApiError {
        let words = format!("{fault} Nothing was changed.");
        match fault {
            DiskFault::Full => ApiError::new(ErrorCode::DiskFull, words),
            DiskFault::Store(_) => ApiError::of_store(words),
            _ => ApiError::new(ErrorCode::DiskFailed, words),
        }
    }

    /// The bucket does not do what it should; soon it may.
    pub fn of_store(words: String) -> ApiError {
        ApiError::new(ErrorCode::DiskFailed, words).with(header::RETRY_AFTER, "10")
    }

    /// The body of the response.
    pub fn body(&self) -> Vec<u8> {
        let problem = self.problem.as_deref().cloned();
        let mut body = problem.unwrap_or_else(|| json!({}));
        body["message"] = json!(self.message);
        body["code"] = json!(self.code);
        if let Some(tries_left) = self.tries_left {
            body["tries_left"] = json!(tries_left);
        }
        if !self.violations.is_empty() {
            body["violations"] = json!(self.violations);
        }
        isolario_model::formats::json::encode(&body)
    }

    /// Adds a header. Values that cannot stand in a header are left out.
    pub fn with(mut self, name: HeaderName, value: &str) -> ApiError {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// Says the same in members of its own (RFC 9457, 3), `type` and `title` among them.
    pub fn with_problem(mut self, problem: Value) -> ApiError {
        self.problem = Some(Box::new(problem));
        self
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> ApiError {
        match &error {
            DbError::Constraint(rule) => tracing::warn!(rule, "a change lost a race"),
            error => tracing::error!(%error, "the database failed a request"),
        }
        let (code, words) = match error {
            DbError::Disk(fault) => return ApiError::fault(&fault),
            DbError::File(error) => return ApiError::fault(&DiskFault::of(&error)),
            DbError::Constraint(_) => (
                ErrorCode::Conflict,
                "Somebody else made the same thing at the same moment. Nothing was changed.",
            ),
            DbError::Uncertain(_) => (
                ErrorCode::OutcomeUnknown,
                "The disk failed while the change was being kept, and it is not known whether it was. Look before you send it again.",
            ),
            _ => (
                ErrorCode::DatabaseFailed,
                "The repository could not read or write its database. Nothing was changed.",
            ),
        };
        ApiError::new(code, words)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mime = match self.problem {
            Some(_) => "application/problem+json",
            None => "application/json",
        };
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(mime));
        for (name, value) in self.headers {
            headers.append(name, value);
        }
        response
    }
}

impl ApiError {
    /// The response for a refused action.
    pub fn from_refusal(actor: &Actor, refusal: Refusal) -> ApiError {
        let words = refusal.to_string();
        match refusal {
            Refusal::Denied(denial) => ApiError::denied(actor, denial),
            Refusal::Forbidden(_) => ApiError::forbidden(words),
            Refusal::NotFound { .. } | Refusal::Missing(_) => {
                ApiError::new(ErrorCode::NotFound, words)
            }
            Refusal::Malformed(_) => ApiError::bad_request(words),
            Refusal::InvalidAccount(violation) => ApiError::invalid_fields(vec![violation]),
            Refusal::InvalidFields(violations) => ApiError::invalid_fields(violations),
            Refusal::Invalid(_) => ApiError::unprocessable(words),
            Refusal::Conflict(_) => ApiError::new(ErrorCode::Conflict, words),
            Refusal::Lost(_) => ApiError::new(ErrorCode::PreconditionFailed, words),
            Refusal::TooLarge(_) => ApiError::new(ErrorCode::TooLarge, words),
            Refusal::TooSlow(_) => ApiError::new(ErrorCode::TooSlow, words),
            Refusal::Busy(_) => {
                ApiError::new(ErrorCode::Busy, words).with(header::RETRY_AFTER, "5")
            }
            // Who is one too many holds no connection, either.
            Refusal::TooMany(_) => {
                ApiError::new(ErrorCode::TooMany, words).with(header::CONNECTION, "close")
            }
            Refusal::Database(error) => ApiError::from(error),
            Refusal::Disk(fault) => ApiError::fault(&fault),
            Refusal::Storage(_) => ApiError::new(ErrorCode::Unavailable, words),
        }
    }
}
