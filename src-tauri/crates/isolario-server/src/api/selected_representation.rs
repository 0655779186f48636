//! Preconditions and ranges of bytes whose length and version are known before they are read (RFC 9110, 13 and 14).

use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::ranges::{RequestedRange, requested_range};
use super::{ApiError, ErrorCode, conditional};

/// What a request may have a part of (RFC 9110, 3.2).
pub(super) struct SelectedRepresentation {
    /// Strong, with its quotes.
    pub etag: String,
    /// Unix seconds.
    pub changed: i64,
    /// Bytes.
    pub size: u64,
}

impl SelectedRepresentation {
    /// The whole, a part of it, or what says that there is none: preconditions first, then the range (RFC 9110, 13.2.2).
    pub fn answer(
        &self,
        method: &Method,
        headers: &HeaderMap,
        body: impl FnOnce(Range<u64>) -> Body,
    ) -> Response {
        if self.is_precondition_lost(headers) {
            return ApiError::new(
                ErrorCode::PreconditionFailed,
                "The file is another than you expect.",
            )
            .into_response();
        }
        if self.is_fresh(headers) {
            return self.described(StatusCode::NOT_MODIFIED, Body::empty());
        }
        let range = match self.may_range(headers) {
            true => text(headers, &header::RANGE),
            false => None,
        };
        let (status, part) = match requested_range(range, self.size) {
            RequestedRange::Whole => (StatusCode::OK, 0..self.size),
            RequestedRange::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
            RequestedRange::Nothing => return self.out_of_range(),
        };
        let length = part.end - part.start;
        let content_range = format!("bytes {}-{}/{}", part.start, part.end - 1, self.size);
        let body = match *method {
            Method::HEAD => Body::empty(),
            _ => body(part),
        };
        let mut response = self.described(status, body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        if status == StatusCode::PARTIAL_CONTENT {
            set(headers, header::CONTENT_RANGE, &content_range);
        }
        response
    }

    fn out_of_range(&self) -> Response {
        let error = ApiError::new(
            ErrorCode::RangeNotSatisfiable,
            "The file has no such bytes.",
        );
        let mut response = error.into_response();
        let content_range = format!("bytes */{}", self.size);
        set(
            response.headers_mut(),
            header::CONTENT_RANGE,
            &content_range,
        );
        response
    }

    fn described(&self, status: StatusCode, body: Body) -> Response {
        let mut response = Response::new(body);
        *response.status_mut() = status;
        // None may be told that lies in the future (RFC 9110, 8.8.2.1).
        let changed = self.changed.min(unix(SystemTime::now()));
        let modified = UNIX_EPOCH + Duration::from_secs(u64::try_from(changed).unwrap_or(0));
        let headers = response.headers_mut();
        headers.reserve(8);
        set(headers, header::ETAG, &self.etag);
        let modified = httpdate::fmt_http_date(modified);
        set(headers, header::LAST_MODIFIED, &modified);
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        response
    }

    fn is_precondition_lost(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_MATCH) {
            return !conditional::is_expected(headers, &self.etag);
        }
        date(headers, &header::IF_UNMODIFIED_SINCE).is_some_and(|date| self.changed > date)
    }

    fn is_fresh(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_NONE_MATCH) {
            return conditional::is_known_to_client(headers, &self.etag);
        }
        date(headers, &header::IF_MODIFIED_SINCE).is_some_and(|date| self.changed <= date)
    }

    /// A part is of use only to those who have the rest of the same bytes.
    fn may_range(&self, headers: &HeaderMap) -> bool {
        let Some(condition) = text(headers, &header::IF_RANGE) else {
            return !headers.contains_key(header::IF_RANGE);
        };
        // Within its second, a date cannot tell one version from the next.
        let is_settled = unix(SystemTime::now()) > self.changed + 1;
        condition.trim() == self.etag
            || (is_settled && date(headers, &header::IF_RANGE) == Some(self.changed))
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn date(headers: &HeaderMap, name: &HeaderName) -> Option<i64> {
    httpdate::parse_http_date(text(headers, name)?)
        .ok()
        .map(unix)
}

fn unix(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
