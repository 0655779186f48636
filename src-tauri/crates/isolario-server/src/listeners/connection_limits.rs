//! What the limits of the configuration are for one connection.

use std::time::Duration;

use isolario_config::Limits;

/// Bytes of a body that are read at once. With more, a fast upload leaves the allocator with more memory than it uses.
const BUFFER: usize = 128 * 1024;

/// How long a client may take for each step of a connection, and how long a head may be.
#[derive(Clone, Copy)]
pub struct ConnectionLimits {
    pub(super) handshake: Duration,
    pub(super) head: Duration,
    pub(super) answer_idle: Duration,
    /// Of HTTP/2: a longer one is refused before it is a request.
    pub(super) head_bytes: u32,
    /// Of HTTP/1.1: bytes that are read at once. A head has to fit.
    pub(super) buffer: usize,
}

impl ConnectionLimits {
    /// As the limits of the configuration say.
    pub fn new(limits: &Limits) -> ConnectionLimits {
        // HTTP/2 counts 32 bytes more for each line (RFC 9113, 6.5.2). What is a little longer is refused in words.
        let head_bytes = limits.header_bytes.saturating_add(limits.url_bytes);
        let head_bytes = head_bytes.saturating_mul(2);
        ConnectionLimits {
            handshake: limits.handshake_time,
            head: limits.header_time,
            answer_idle: limits.answer_idle_time,
            head_bytes: u32::try_from(head_bytes).unwrap_or(u32::MAX),
            buffer: head_bytes.max(BUFFER),
        }
    }
}
