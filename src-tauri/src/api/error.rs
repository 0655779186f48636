//! The only place that makes an error response: `{"message": "…"}` with the status that fits.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::actions::Refusal;
use crate::auth::{Actor, Denial};
use crate::db::DbError;
use crate::fields::message_of;

/// A refusal on its way to the client.
#[derive(Debug, Clone)]
pub struct ApiError {
    pub status: StatusCode,
    pub message: String,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// What the message is about, in the words of a registry (RFC 9457).
    pub problem: Option<Box<Value>>,
}

impl ApiError {
    /// A refusal with a sentence for the client.
    pub fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            message: message.into(),
            headers: Vec::new(),
            problem: None,
        }
    }

    /// 400.
    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// 422.
    pub fn unprocessable(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// 403.
    pub fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, message)
    }

    /// 401 for a request without credentials (interface, Authentication, 4).
    pub fn unauthenticated() -> ApiError {
        ApiError::unauthorized("No authentication credentials provided.")
    }

    /// 401 with a challenge.
    pub fn unauthorized(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, message).with(
            header::WWW_AUTHENTICATE,
            "Basic realm=\"Isolario\", charset=\"UTF-8\"",
        )
    }

    /// 401 for somebody who has not signed in, 403 with the reason for somebody who has.
    pub fn denied(actor: &Actor, denial: Denial) -> ApiError {
        if actor.is_anonymous() {
            ApiError::unauthenticated()
        } else {
            ApiError::forbidden(denial.message)
        }
    }

    /// 404 for a path parameter that names nothing (interface, Errors).
    pub fn not_converted(parameter: &str, template: &str, route: &str) -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            format!(
                "The \"{parameter}\" parameter was not converted for the path \"{template}\" (route name: \"{route}\")"
            ),
        )
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
        let (status, words) = match error {
            DbError::Constraint(_) => (
                StatusCode::CONFLICT,
                "Somebody else made the same thing at the same moment. Nothing was changed.",
            ),
            DbError::Full => (
                StatusCode::INSUFFICIENT_STORAGE,
                "The disk of the repository is full. Nothing was changed.",
            ),
            DbError::Uncertain(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The disk failed while the change was being kept, and it is not known whether it was. Look before you send it again.",
            ),
            _ => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The repository could not read or write its database. Nothing was changed.",
            ),
        };
        ApiError::new(status, words)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mime = match self.problem {
            Some(_) => "application/problem+json",
            None => "application/json",
        };
        let mut body = self.problem.map_or_else(|| json!({}), |problem| *problem);
        body["message"] = self.message.into();
        let body = crate::formats::json::encode(&body);
        let mut response = Response::new(Body::from(body));
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
                ApiError::new(StatusCode::NOT_FOUND, words)
            }
            Refusal::Malformed(_) => ApiError::bad_request(words),
            Refusal::Broken(violation) => ApiError::unprocessable(message_of(&[violation])),
            Refusal::Invalid(_) => ApiError::unprocessable(words),
            Refusal::Conflict(_) => ApiError::new(StatusCode::CONFLICT, words),
            Refusal::Lost(_) => ApiError::new(StatusCode::PRECONDITION_FAILED, words),
            Refusal::TooLarge(_) => ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, words),
            Refusal::TooSlow(_) => ApiError::new(StatusCode::REQUEST_TIMEOUT, words),
            Refusal::Busy(_) => {
                ApiError::new(StatusCode::SERVICE_UNAVAILABLE, words).with(header::RETRY_AFTER, "5")
            }
            Refusal::TooMany(_) => ApiError::new(StatusCode::TOO_MANY_REQUESTS, words),
            Refusal::Database(error) => ApiError::from(error),
            Refusal::Storage(_) => ApiError::new(StatusCode::INSUFFICIENT_STORAGE, words),
        }
    }
}
