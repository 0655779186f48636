//! Accepts the connections of a listener and serves their requests, until the listener is closed.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::connection_limiter::{ConnectionLimiter, ConnectionPermit};
use super::connection_limits::ConnectionLimits;
use super::encryption::speaks_http2;
use super::http2;
use super::idle_timeout::IdleTimeout;
use crate::api::{Interface, Peer, misdirected};

/// How long requests in flight may take when a listener closes.
const LAST_REQUESTS: Duration = Duration::from_secs(20);
/// First byte of whatever a client says that wants TLS: a handshake record (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;

/// What all connections of a listener share.
#[derive(Clone)]
pub struct ListenerContext {
    pub interface: Interface,
    /// Counts connections, together with those of other listeners.
    pub limiter: ConnectionLimiter,
    pub limits: ConnectionLimits,
    /// `None`: plain HTTP.
    pub encryption: Option<Arc<tokio_rustls::rustls::ServerConfig>>,
    /// Closes the listener, and ends answers that would never end.
    pub closing: CancellationToken,
}

/// The connections that are still served when a listener has closed.
pub struct DrainingConnections {
    in_flight: GracefulShutdown,
    connections: JoinSet<()>,
}

impl DrainingConnections {
    /// Lets requests in flight end, within 20 seconds; what is left then is broken off.
    pub async fn finish(self) {
        let DrainingConnections {
            in_flight,
            connections,
        } = self;
        let ended = tokio::time::timeout(LAST_REQUESTS, in_flight.shutdown()).await;
        if ended.is_err() {
            tracing::warn!("requests that did not end were broken off");
        }
        drop(connections);
    }
}

/// Accepts connections until `closing` is cancelled. Nothing listens any more when this returns.
pub async fn accept(listener: TcpListener, context: ListenerContext) -> DrainingConnections {
    let in_flight = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = context.closing.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let context = context.clone();
                    match context.limiter.acquire(peer.ip()) {
                        Some(permit) => {
                            let watcher = in_flight.watcher();
                            connections.spawn(serve_connection(stream, peer, context, permit, watcher));
                        }
                        // Who expects TLS could not read the words.
                        None if context.encryption.is_some() => {}
                        None => drop(connections.spawn(context.limiter.reject(stream))),
                    }
                }
                // Out of descriptors, most likely: some will be given back.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
    DrainingConnections {
        in_flight,
        connections,
    }
}

async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    context: ListenerContext,
    // Held until the connection ends.
    permit: ConnectionPermit,
    watcher: Watcher,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "answers may be delayed");
    }
    let peer = Peer {
        address: peer,
        encrypted: context.encryption.is_some(),
        closing: context.closing.clone(),
    };
    let limits = context.limits;
    let Some(encryption) = context.encryption else {
        let stream = IdleTimeout::new(stream, limits.answer_idle);
        return answer(stream, context.interface, peer, limits, watcher).await;
    };
    let agreed = tokio::select! {
        agreed = tokio::time::timeout(limits.handshake, agree(&stream)) => agreed,
        () = peer.closing.cancelled() => return,
    };
    match agreed {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => {
            return refuse_plain(stream, context.interface, limits.head, watcher).await;
        }
        Ok(Err(_)) | Err(_) => return,
    }
    let stream = IdleTimeout::new(stream, limits.answer_idle);
    let shake = TlsAcceptor::from(encryption).accept(stream);
    let shaken = tokio::select! {
        shaken = tokio::time::timeout(limits.handshake, shake) => shaken,
        () = peer.closing.cancelled() => return,
    };
    match shaken {
        Ok(Ok(stream)) if speaks_http2(&stream) => {
            let turns = permit.turns();
            http2::answer(stream, context.interface, peer, limits, turns, watcher).await;
        }
        Ok(Ok(stream)) => answer(stream, context.interface, peer, limits, watcher).await,
        Ok(Err(error)) => tracing::debug!(%error, "no agreement on encryption"),
        Err(_) => tracing::debug!("a client took too long to agree on encryption"),
    }
}

/// Whether the client begins as TLS does.
async fn agree(stream: &TcpStream) -> std::io::Result<bool> {
    let mut first = [0];
    let read = stream.peek(&mut first).await?;
    Ok(read == 1 && first[0] == HANDSHAKE)
}

async fn answer<S>(
    stream: S,
    interface: Interface,
    peer: Peer,
    limits: ConnectionLimits,
    watcher: Watcher,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let answer = service_fn(move |request| {
        let answer = interface.clone().answer(request, peer.clone());
        async move { Ok::<_, std::convert::Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .max_buf_size(limits.buffer)
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .serve_connection(TokioIo::new(stream), answer);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection broke off");
    }
}

/// Somebody speaks HTTP where HTTPS is spoken: they are told so, and nothing is done for them.
async fn refuse_plain(stream: TcpStream, interface: Interface, head: Duration, watcher: Watcher) {
    let answer = service_fn(move |request| {
        let answer = misdirected(&interface, &request);
        async move { Ok::<_, std::convert::Infallible>(answer) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), answer);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection broke off");
    }
}
