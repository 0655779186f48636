//! Taking connections from a listener and answering what comes over them, until it is closed.

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

use super::crowd::{Crowd, Place};
use super::slow_reader::Impatient;
use crate::api::{Interface, Peer, misdirected};
use crate::cli::config::Limits;

/// How long requests in flight may take when a listener closes.
const LAST_REQUESTS: Duration = Duration::from_secs(20);
/// First byte of whatever a client says that wants TLS: a handshake record (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;

/// How long clients may take over what connections are made of.
#[derive(Clone, Copy)]
pub struct Times {
    handshake: Duration,
    head: Duration,
    answer_idle: Duration,
}

impl Times {
    /// As long as the limits say.
    pub fn new(limits: &Limits) -> Times {
        Times {
            handshake: limits.handshake_time,
            head: limits.header_time,
            answer_idle: limits.answer_idle_time,
        }
    }
}

/// What all connections of a listener share.
#[derive(Clone)]
pub struct Entrance {
    pub interface: Interface,
    /// Counts connections, together with those of other listeners.
    pub crowd: Crowd,
    pub times: Times,
    /// `None`: plain HTTP.
    pub encryption: Option<Arc<tokio_rustls::rustls::ServerConfig>>,
    /// Closes the listener, and ends answers that would never end.
    pub closing: CancellationToken,
}

/// What still goes on when a listener has closed.
pub struct Unfinished {
    in_flight: GracefulShutdown,
    connections: JoinSet<()>,
}

impl Unfinished {
    /// Lets requests in flight end, within 20 seconds; what is left then is broken off.
    pub async fn finish(self) {
        let Unfinished {
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

/// Takes connections until the entrance closes. Nothing listens any more when this returns.
pub async fn accept(listener: TcpListener, entrance: Entrance) -> Unfinished {
    let in_flight = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = entrance.closing.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let entrance = entrance.clone();
                    match entrance.crowd.enter(peer.ip()) {
                        Some(place) => {
                            let talk = converse(stream, peer, entrance, in_flight.watcher());
                            connections.spawn(occupy(place, talk));
                        }
                        // Who expects TLS could not read the words.
                        None if entrance.encryption.is_some() => {}
                        None => drop(connections.spawn(entrance.crowd.turn_away(stream))),
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
    Unfinished {
        in_flight,
        connections,
    }
}

/// Keeps a place in the crowd for as long as a conversation lasts.
async fn occupy(place: Place, talk: impl Future<Output = ()>) {
    talk.await;
    drop(place);
}

async fn converse(stream: TcpStream, peer: SocketAddr, entrance: Entrance, watcher: Watcher) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "answers may be delayed");
    }
    let peer = Peer {
        address: peer,
        encrypted: entrance.encryption.is_some(),
        closing: entrance.closing.clone(),
    };
    let times = entrance.times;
    let Some(encryption) = entrance.encryption else {
        let stream = Impatient::new(stream, times.answer_idle);
        return answer(stream, entrance.interface, peer, times.head, watcher).await;
    };
    let agreed = tokio::select! {
        agreed = tokio::time::timeout(times.handshake, agree(&stream)) => agreed,
        () = peer.closing.cancelled() => return,
    };
    match agreed {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => {
            return refuse_plain(stream, entrance.interface, times.head, watcher).await;
        }
        Ok(Err(_)) | Err(_) => return,
    }
    let stream = Impatient::new(stream, times.answer_idle);
    let shake = TlsAcceptor::from(encryption).accept(stream);
    let shaken = tokio::select! {
        shaken = tokio::time::timeout(times.handshake, shake) => shaken,
        () = peer.closing.cancelled() => return,
    };
    match shaken {
        Ok(Ok(stream)) => answer(stream, entrance.interface, peer, times.head, watcher).await,
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

async fn answer<S>(stream: S, interface: Interface, peer: Peer, head: Duration, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let answer = service_fn(move |request| {
        let answer = interface.clone().answer(request, peer.clone());
        async move { Ok::<_, std::convert::Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
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
