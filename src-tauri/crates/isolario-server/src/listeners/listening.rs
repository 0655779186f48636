//! Finding an address and a port to listen on.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};

use tokio::net::TcpListener;

/// How many ports are tried when one is taken.
const PORTS: u16 = 100;

/// Why nothing can listen at an address.
#[derive(Debug, thiserror::Error)]
#[error("Nothing can listen on {address}: {error}.")]
pub struct BindError {
    pub address: SocketAddr,
    pub error: std::io::Error,
}

/// Binds this very address.
///
/// # Errors
/// `BindError`.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| BindError { address, error })
}

/// Binds a port, or one of the next when it is taken.
///
/// # Errors
/// `BindError`.
pub async fn bind_from(address: IpAddr, first: u16) -> Result<TcpListener, BindError> {
    let mut port = first;
    loop {
        match bind(SocketAddr::new(address, port)).await {
            Err(BindError { error, .. })
                if error.kind() == ErrorKind::AddrInUse
                    && port - first < PORTS
                    && port < u16::MAX =>
            {
                port += 1;
            }
            outcome => return outcome,
        }
    }
}

/// Host and port under which this machine reaches a bound address.
pub fn reachable_at(address: SocketAddr) -> String {
    let mut local = address;
    if address.ip().is_unspecified() {
        local.set_ip(IpAddr::from([127, 0, 0, 1]));
    }
    local.to_string()
}
