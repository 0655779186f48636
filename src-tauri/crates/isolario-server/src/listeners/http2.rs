//! HTTP/2 on a connection (RFC 9113): many requests at the same time, held to the limits of as many connections.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tokio::io::{AsyncRead, AsyncWrite};

use super::connection_limits::ConnectionLimits;
use super::open_streams::{OpenStream, OpenStreams};
use super::stalled_streams::{StreamExecutor, TakenBody};
use super::turns::Turns;
use crate::api::{ApiError, ErrorCode, Interface, Peer};

/// Requests of a connection at the same time; RFC 9113 (6.5.2) asks for no fewer than 100.
const STREAMS: u32 = 128;
/// Bytes that are kept of a request, and of all requests of a connection, until they are read.
const STREAM_WINDOW: u32 = 256 * 1024;
const CONNECTION_WINDOW: u32 = 1024 * 1024;
/// Bytes that are kept of an answer until they are sent.
const SEND_BUFFER: usize = 128 * 1024;
/// Requests that a client may take back before they were begun, and errors that it may make.
const RESETS: usize = 20;

/// Answers the requests of a connection, until it has been idle for too long or the program closes.
pub async fn answer<S>(
    stream: S,
    interface: Interface,
    peer: Peer,
    limits: ConnectionLimits,
    turns: Arc<Turns>,
    // The listener waits until this is dropped.
    _watcher: Watcher,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let closing = peer.closing.clone();
    let (open, mut watch) = OpenStreams::new();
    let answer = service_fn(move |request| {
        let (interface, peer, turns) = (interface.clone(), peer.clone(), turns.clone());
        let open = open.begin();
        async move { Ok::<_, Infallible>(answer_in_turn(interface, peer, request, &turns, open).await) }
    });
    let mut connection = pin!(builder(&limits).serve_connection(TokioIo::new(stream), answer));
    let ended = tokio::select! {
        ended = connection.as_mut() => Ok(ended),
        () = watch.idle_for(limits.head) => {
            connection.as_mut().graceful_shutdown();
            tokio::time::timeout(limits.head, connection).await
        }
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            Ok(connection.await)
        }
    };
    match ended {
        Ok(Err(error)) => tracing::debug!(%error, "a connection broke off"),
        Err(_) => tracing::debug!("an idle connection did not end"),
        Ok(Ok(())) => {}
    }
}

fn builder(limits: &ConnectionLimits) -> http2::Builder<StreamExecutor> {
    let mut builder = http2::Builder::new(StreamExecutor::new(limits.answer_idle));
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(limits.head_bytes)
        .max_pending_accept_reset_streams(RESETS)
        .max_local_error_reset_streams(RESETS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER)
        // A client that has gone without a word answers no ping.
        .keep_alive_interval(limits.answer_idle)
        .keep_alive_timeout(limits.answer_idle);
    builder
}

/// Answers a request when it is its turn. It is open, and has its turn, until its answer has been taken.
async fn answer_in_turn(
    interface: Interface,
    peer: Peer,
    request: Request<Incoming>,
    turns: &Turns,
    open: OpenStream,
) -> Response<Body> {
    let Some(turn) = turns.wait().await else {
        let words = "Too many requests at the same time. Try again in a moment.";
        let refusal = ApiError::new(ErrorCode::Busy, words).with(header::RETRY_AFTER, "5");
        return refusal.into_response();
    };
    let response = interface.answer(request, peer).await;
    response.map(|body| Body::new(TakenBody::new(body, (turn, open))))
}
