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
    /// Unix seconds; `None` where another whole may have the same time, so that conditions with dates do not hold.
    pub changed: Option<i64>,
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
        let (part, content_range) = match requested_range(range, self.size) {
            RequestedRange::Whole => (0..self.size, None),
            RequestedRange::Part(part) => {
                let told = format!("bytes {}-{}/{}", part.start, part.end - 1, self.size);
                (part, Some(told))
            }
            RequestedRange::Nothing => return self.out_of_range(),
        };
        let status = match content_range {
            None => StatusCode::OK,
            Some(_) => StatusCode::PARTIAL_CONTENT,
        };
        let length = part.end - part.start;
        let body = match *method {
            Method::HEAD => Body::empty(),
            _ => body(part),
        };
        let mut response = self.described(status, body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        if let Some(content_range) = content_range {
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
        let headers = response.headers_mut();
        headers.reserve(8);
        set(headers, header::ETAG, &self.etag);
        if let Some(changed) = self.changed {
            // None may be told that lies in the future (RFC 9110, 8.8.2.1).
            let changed = changed.min(unix(SystemTime::now()));
            let changed = Duration::from_secs(u64::try_from(changed).unwrap_or(0));
            let modified = httpdate::fmt_http_date(UNIX_EPOCH + changed);
            set(headers, header::LAST_MODIFIED, &modified);
        }
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        response
    }

    fn is_precondition_lost(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_MATCH) {
            return !conditional::is_expected(headers, &self.etag);
        }
        let date = date(headers, &header::IF_UNMODIFIED_SINCE);
        date.zip(self.changed)
            .is_some_and(|(date, changed)| changed > date)
    }

    fn is_fresh(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_NONE_MATCH) {
            return conditional::is_known_to_client(headers, &self.etag);
        }
        let date = date(headers, &header::IF_MODIFIED_SINCE);
        date.zip(self.changed)
            .is_some_and(|(date, changed)| changed <= date)
    }

    /// A part is of use only to those who have the rest of the same bytes.
    fn may_range(&self, headers: &HeaderMap) -> bool {
        let Some(condition) = text(headers, &header::IF_RANGE) else {
            return !headers.contains_key(header::IF_RANGE);
        };
        // Within its second, a date cannot tell one version from the next.
        let now = unix(SystemTime::now());
        let settled = self.changed.filter(|changed| now > changed + 1);
        condition.trim() == self.etag
            || (settled.is_some() && date(headers, &header::IF_RANGE) == settled)
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
