//! The headers and answers of resumable uploads: draft-ietf-httpbis-resumable-upload-11.
//!
//! What later texts of the draft changed holds here too: `Upload-Complete: ?1` in an answer says that it
//! is the answer of the address that the upload was begun at. Interim answers (104) are not sent: the
//! HTTP library of this server has none to send.

use axum::body::BodyDataStream;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use sfv::{Item, Parser};
use uuid::Uuid;

use super::base_url::BaseUrl;
use super::upload_route::route_of;
use super::{ApiError, ErrorCode};
use isolario_core::actions::resumable_upload::{
    self, FirstPart, LIFETIME, PartOutcome, UploadHalt, UploadProgress,
};
use isolario_core::repository::Repository;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Whether the upload is whole (draft, "Completeness").
pub const UPLOAD_COMPLETE: HeaderName = HeaderName::from_static("upload-complete");
/// Bytes that are there already (draft, "Offset").
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// Bytes of the whole (draft, "Length").
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// What the server holds uploads to (draft, "Limits").
pub const UPLOAD_LIMIT: HeaderName = HeaderName::from_static("upload-limit");

/// First part of the address of every upload that comes in parts.
pub const UPLOADS: &str = "/api/v1/uploads/";

const PROBLEMS: &str = "https://iana.org/assignments/http-problem-types";

/// What a request says of the upload that it is about. Headers that are no such thing say nothing
/// (draft, "State").
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Resumption {
    /// Whether this request brings the last bytes.
    pub complete: Option<bool>,
    /// Bytes before those of this request.
    pub offset: Option<u64>,
    /// Length of the whole upload.
    pub length: Option<u64>,
}

impl Resumption {
    /// Reads the headers.
    pub fn read(headers: &HeaderMap) -> Resumption {
        let number = |name| u64::try_from(item(headers, name)?.bare_item.as_integer()?).ok();
        Resumption {
            complete: item(headers, &UPLOAD_COMPLETE).and_then(|item| item.bare_item.as_boolean()),
            offset: number(&UPLOAD_OFFSET),
            length: number(&UPLOAD_LENGTH),
        }
    }
}

/// An Item (RFC 9651, 3.3).
fn item(headers: &HeaderMap, name: &HeaderName) -> Option<Item> {
    let mut lines = headers.get_all(name).iter();
    let line = lines.next().filter(|_| lines.next().is_none())?;
    Parser::new(line.as_bytes()).parse().ok()
}

/// Who goes on with an upload, where.
pub struct Uploader<'a> {
    pub repository: &'a std::sync::Arc<Repository>,
    pub actor: &'a Actor,
    pub origin: Origin,
    pub base: &'a BaseUrl,
}

impl Uploader<'_> {
    /// Begins an upload; its first part may be empty.
    pub async fn begin(
        &self,
        request: resumable_upload::UploadRequest,
        first: FirstPart<BodyDataStream>,
    ) -> Result<Response, ApiError> {
        let (repository, actor) = (self.repository, self.actor);
        let begun = resumable_upload::begin(repository, actor, self.origin, request, first).await;
        let (id, stage) = begun.map_err(|halt| self.halted(halt))?;
        let mut response = StatusCode::CREATED.into_response();
        if let PartOutcome::On(progress) = stage {
            describe(response.headers_mut(), &progress);
        }
        let address = self.base.join(&format!("{UPLOADS}{}", id.simple()));
        set(response.headers_mut(), header::LOCATION, &address);
        Ok(response)
    }

    /// The answer to a request that does not go on.
    pub fn halted(&self, halt: UploadHalt) -> ApiError {
        match halt {
            UploadHalt::Refused(refusal) => ApiError::from_refusal(self.actor, refusal),
            UploadHalt::Offset { expected, provided } => wrong_offset(expected, provided),
            UploadHalt::Length => inconsistent_length(),
            UploadHalt::Broken { why, received } => broken(self.repository, &why, received),
            UploadHalt::Superseded { received } => ApiError::new(
                ErrorCode::Conflict,
                "A newer request goes on with this upload.",
            )
            .with(UPLOAD_OFFSET, &received.to_string()),
            UploadHalt::Complete { received } => {
                ApiError::new(ErrorCode::Conflict, "This upload is complete.")
                    .with(UPLOAD_OFFSET, &received.to_string())
            }
            UploadHalt::Final(destination, refusal) => {
                let route = route_of(&destination);
                route
                    .refused(self.actor, refusal)
                    .with(UPLOAD_COMPLETE, "?1")
            }
        }
    }
}

fn wrong_offset(expected: u64, provided: u64) -> ApiError {
    let message =
        format!("The upload has {expected} bytes; the next part cannot begin at {provided}.");
    ApiError::new(ErrorCode::Conflict, message)
        .with(UPLOAD_OFFSET, &expected.to_string())
        .with_problem(json!({
            "type": format!("{PROBLEMS}#mismatching-upload-offset"),
            "title": "offset from request does not match offset of resource",
            "expected-offset": expected,
            "provided-offset": provided,
        }))
}

/// For requests that contradict themselves or earlier ones.
pub fn inconsistent_length() -> ApiError {
    ApiError::bad_request("The headers do not agree on how many bytes the whole upload has.")
        .with_problem(json!({
            "type": format!("{PROBLEMS}#inconsistent-upload-length"),
            "title": "inconsistent length values for upload",
        }))
}

fn broken(repository: &Repository, why: &str, received: u64) -> ApiError {
    let error = match repository.closing.is_cancelled() {
        true => ApiError::new(
            ErrorCode::Unavailable,
            "The program is closing. The upload can be gone on with when it runs again.",
        ),
        false => ApiError::bad_request(format!("{why} The upload can be gone on with.")),
    };
    error.with(UPLOAD_OFFSET, &received.to_string())
}

/// Says how far an upload has come and how long it will wait.
pub fn describe(headers: &mut HeaderMap, progress: &UploadProgress) {
    let complete = if progress.complete { "?1" } else { "?0" };
    set(headers, UPLOAD_COMPLETE, complete);
    set(headers, UPLOAD_OFFSET, &progress.received.to_string());
    if let Some(length) = progress.length {
        set(headers, UPLOAD_LENGTH, &length.to_string());
    }
    set(
        headers,
        UPLOAD_LIMIT,
        &format!("max-age={}", progress.lifetime),
    );
}

pub(super) fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// Says of an answer that it is that of the address which the upload is meant for, where the request
/// asked so.
pub fn with_completeness(resumption: Resumption, mut response: Response) -> Response {
    if resumption.complete.is_some() {
        let headers = response.headers_mut();
        headers
            .entry(UPLOAD_COMPLETE)
            .or_insert(HeaderValue::from_static("?1"));
    }
    response
}

/// The layer that answers OPTIONS with what uploads in parts are held to (draft, "Limits").
pub async fn announce_limits(request: Request, next: Next) -> Response {
    let asks = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    if asks {
        let limits = format!("min-size=0, max-age={LIFETIME}");
        set(response.headers_mut(), UPLOAD_LIMIT, &limits);
    }
    response
}

/// The id in the address of an upload.
pub fn upload_id(text: &str) -> Result<Uuid, ApiError> {
    let plain = text.len() == 32;
    Uuid::parse_str(text)
        .ok()
        .filter(|_| plain)
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, "There is no such upload."))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(name: &HeaderName, value: &str) -> Resumption {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        Resumption::read(&HeaderMap::from_iter([(name.clone(), value)]))
    }

    #[test]
    fn what_is_no_such_thing_says_nothing() {
        for value in ["1", "true", "?2", "?0, ?1", "\"?1\"", ""] {
            assert_eq!(
                read(&UPLOAD_COMPLETE, value),
                Resumption::default(),
                "{value}"
            );
        }
        for value in ["-1", "1.0", "?1", "5, 6", "1e3", "9999999999999999", ""] {
            assert_eq!(
                read(&UPLOAD_OFFSET, value),
                Resumption::default(),
                "{value}"
            );
        }
    }

    proptest! {
        #[test]
        fn numbers_and_truths_are_read(offset in 0_u64..=999_999_999_999_999, complete in any::<bool>()) {
            let said = if complete { "?1" } else { "?0" };
            prop_assert_eq!(read(&UPLOAD_OFFSET, &offset.to_string()).offset, Some(offset));
            prop_assert_eq!(read(&UPLOAD_LENGTH, &format!("{offset};a=1")).length, Some(offset));
            prop_assert_eq!(read(&UPLOAD_COMPLETE, said).complete, Some(complete));
        }

        #[test]
        fn any_text_is_read_or_ignored(value in "[ -~]{0,40}") {
            for name in [UPLOAD_COMPLETE, UPLOAD_OFFSET, UPLOAD_LENGTH] {
                read(&name, &value);
            }
        }
    }
}
