//! Writes every request into the log, once its answer has been sent.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::authentication::RequestActor;
use super::head_limits::LONGEST_METHOD;
use super::{LoggedRequest, Peer, RequestLog};
use isolario_model::origin::Origin;

/// Characters of a path that are noted: those of a longer one would wash the others out.
const LONGEST_PATH: usize = 2000;

/// The text, if it is no longer than that; else its beginning.
fn shortened(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What is noted of a request before it is answered.
pub struct ReceivedRequest {
    started: Instant,
    method: String,
    path: String,
    from: IpAddr,
}

impl ReceivedRequest {
    /// A request that has just come.
    pub fn of(request: &Request) -> ReceivedRequest {
        ReceivedRequest {
            started: Instant::now(),
            method: shortened(request.method().as_str(), LONGEST_METHOD),
            path: shortened(request.uri().path(), LONGEST_PATH),
            from: Peer::address_of(request.extensions()),
        }
    }

    /// The response, which is logged when it has been sent.
    pub fn answered(self, log: &RequestLog, response: Response) -> Response {
        let request_actor = response.extensions().get::<RequestActor>();
        let entry = LoggedRequest {
            at: chrono::Utc::now(),
            method: self.method,
            path: self.path,
            status: response.status().as_u16(),
            user: request_actor.map_or(0, |actor| actor.uid),
            token: request_actor.and_then(|actor| actor.token),
            origin: request_actor
                .map_or(Origin::Rest, |actor| actor.origin)
                .name(),
            from: self.from,
            bytes: 0,
            milliseconds: 0,
        };
        let guard = LogEntryGuard {
            entry: Some(entry),
            started: self.started,
            log: log.clone(),
        };
        response.map(|body| Body::new(CountingBody { body, guard }))
    }
}

/// Writes the entry when the body it belongs to has been sent or given up.
struct LogEntryGuard {
    entry: Option<LoggedRequest>,
    started: Instant,
    log: RequestLog,
}

impl Drop for LogEntryGuard {
    fn drop(&mut self) {
        if let Some(mut entry) = self.entry.take() {
            entry.milliseconds = self.started.elapsed().as_millis();
            self.log.note(entry);
        }
    }
}

struct CountingBody {
    body: Body,
    guard: LogEntryGuard,
}

impl HttpBody for CountingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
            && let Some(entry) = &mut self.guard.entry
        {
            entry.bytes += data.len() as u64;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
