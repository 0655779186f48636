//! The other end of a connection.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::http::Extensions;
use tokio_util::sync::CancellationToken;

/// The other end of a connection, and the connection itself; left with each of its requests.
#[derive(Debug, Clone)]
pub struct Peer {
    pub address: SocketAddr,
    /// Whether the connection is TLS.
    pub encrypted: bool,
    /// Cancelled when the connection is to end; answers that would never end, end then.
    pub closing: CancellationToken,
}

impl Peer {
    /// The address of a request's peer. Requests from within the program come from this machine.
    pub fn address_of(extensions: &Extensions) -> IpAddr {
        let peer = extensions.get::<Peer>();
        peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.address.ip())
    }

    /// Whether a request came encrypted.
    pub fn is_encrypted(extensions: &Extensions) -> bool {
        extensions.get::<Peer>().is_some_and(|peer| peer.encrypted)
    }
}
