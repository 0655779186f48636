//! Refusals that operations share, in the words of their statuses, and the bodies of errors.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::api::ErrorCode;
use isolario_model::fields::Violation;

/// An error.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; `ApiError` writes it")]
pub struct Message {
    /// What is wrong, in words for people. Validation errors have one line for each violation.
    #[schema(example = "There is no item 99.")]
    message: String,
    /// What is wrong, for programs.
    code: ErrorCode,
    /// The violations of the fields; only with the code `invalid_fields`.
    #[schema(nullable = false)]
    violations: Option<Vec<Violation>>,
    /// After a wrong name or password: how many more are let pass before a pause.
    #[schema(nullable = false)]
    tries_left: Option<u64>,
}

/// An error with the members of a problem type (RFC 9457).
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; `ApiError` writes it")]
pub struct Problem {
    message: String,
    code: ErrorCode,
    #[schema(format = "uri")]
    r#type: String,
    title: String,
    /// Offset at which the upload continues.
    #[serde(rename = "expected-offset")]
    expected_offset: Option<u64>,
    /// Offset that the request named.
    #[serde(rename = "provided-offset")]
    provided_offset: Option<u64>,
}

/// The refusal with a status, for `responses(…)`.
pub enum Refused<const STATUS: u16> {}

impl<const STATUS: u16> IntoResponses for Refused<STATUS> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        BTreeMap::from([(STATUS.to_string(), refusal(STATUS).into())])
    }
}

/// The refusal with a status.
pub fn refusal(status: u16) -> Response {
    let message = Ref::from_schema_name("Message");
    let message = ContentBuilder::new().schema(Some(message)).build();
    let response = ResponseBuilder::new().description(words(status));
    response.content("application/json", message).build()
}

fn words(status: u16) -> &'static str {
    match status {
        400 => "The request is malformed",
        401 => "The request has no credentials, or they are refused",
        403 => "The actor may not do this",
        404 => "The resource does not exist, or is hidden from the actor",
        406 => "The resource is not available in this format",
        408 => "The request did not arrive in time",
        409 => "The state of other resources does not permit it",
        412 => "The resource has changed: If-Match does not hold",
        413 => "The body is too large",
        414 => "The address is too long",
        415 => "The Content-Type is not understood",
        416 => "The range is outside the file",
        421 => "The server does not answer to this host name",
        422 => "The content breaks a rule",
        429 => "Too many failed sign-ins",
        431 => "The headers are too long",
        503 => "It is being made ready; Retry-After says when to ask again",
        507 => "The disk is full",
        _ => "The request was refused",
    }
}
