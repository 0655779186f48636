//! The address under which the client reached us.

use std::sync::Arc;

/// Scheme and host without a trailing slash, from the allow-listed `Host` header.
#[derive(Debug, Clone)]
pub struct BaseUrl(pub Arc<str>);

impl BaseUrl {
    /// Whether the way to that address is encrypted, by ourselves or by a proxy.
    pub fn is_encrypted(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// An absolute address for a path that starts with `/`.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}
