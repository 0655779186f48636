//! Writes every request into the log, once its answer has been sent.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::authentication::RequestActor;
use super::head_limits::LONGEST_METHOD;
use super::{LoggedRequest, Peer, RequestLog};
use crate::api::app_state::AppState;
use isolario_model::origin::Origin;

/// Characters of a path that are noted: those of a longer one would wash the others out.
const LONGEST_PATH: usize = 2000;

/// The text, if it is no longer than that; else its beginning.
fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The layer. It stands outside of all others.
pub async fn record(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = shortened(request.method().as_str(), LONGEST_METHOD);
    let path = shortened(request.uri().path(), LONGEST_PATH);
    let from = Peer::address_of(request.extensions());
    let response = next.run(request).await;
    let request_actor = response.extensions().get::<RequestActor>().cloned();
    let entry = LoggedRequest {
        at: chrono::Utc::now(),
        method,
        path,
        status: response.status().as_u16(),
        user: request_actor.as_ref().map_or(0, |actor| actor.uid),
        token: request_actor.as_ref().and_then(|actor| actor.token),
        origin: request_actor
            .map_or(Origin::Rest, |actor| actor.origin)
            .name(),
        from,
        bytes: 0,
        milliseconds: 0,
    };
    let guard = LogEntryGuard {
        entry: Some(entry),
        started,
        log: app.request_log.clone(),
    };
    response.map(|body| Body::new(CountingBody { body, guard }))
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
