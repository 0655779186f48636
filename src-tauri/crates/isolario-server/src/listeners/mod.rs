//! The sockets that the interface is served on: this machine's, and the local network's.

mod connection_limiter;
mod connection_limits;
mod connections;
mod encryption;
mod http2;
mod idle_timeout;
pub mod lan;
mod lan_certificate;
mod lan_port;
mod listening;
mod open_streams;
mod stalled_streams;
mod turns;

pub use connection_limiter::ConnectionLimiter;
pub use connection_limits::ConnectionLimits;
pub use connections::{ListenerContext, accept};
pub use listening::{BindError, bind, bind_from, reachable_at};
