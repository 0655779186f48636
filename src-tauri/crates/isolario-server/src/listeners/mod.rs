//! The sockets that the interface is served on: this machine's, and the local network's.

mod connection_limiter;
mod connections;
mod encryption;
mod idle_timeout;
pub mod lan;
mod lan_certificate;
mod lan_port;
mod listening;

pub use connection_limiter::ConnectionLimiter;
pub use connections::{ConnectionTimeouts, ListenerContext, accept};
pub use listening::{BindError, bind, bind_from, reachable_at};
