//! What the limits of the configuration are for one connection.

use std::time::Duration;

use isolario_config::Limits;

/// How long a client may take for each step of a connection, and how long a head may be.
#[derive(Clone, Copy)]
pub struct ConnectionLimits {
    pub(super) handshake: Duration,
    pub(super) head: Duration,
    pub(super) answer_idle: Duration,
    /// Of HTTP/2: a longer one is refused before it is a request.
    pub(super) head_bytes: u32,
}

impl ConnectionLimits {
    /// As the limits of the configuration say.
    pub fn new(limits: &Limits) -> ConnectionLimits {
        // HTTP/2 counts 32 bytes more for each line (RFC 9113, 6.5.2). What is a little longer is refused in words.
        let head_bytes = limits.header_bytes.saturating_add(limits.url_bytes);
        ConnectionLimits {
            handshake: limits.handshake_time,
            head: limits.header_time,
            answer_idle: limits.answer_idle_time,
            head_bytes: u32::try_from(head_bytes.saturating_mul(2)).unwrap_or(u32::MAX),
        }
    }
}
