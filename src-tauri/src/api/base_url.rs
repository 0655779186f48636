//! The address under which the client reached us.

/// Scheme and host without a trailing slash, from the allow-listed `Host` header.
#[derive(Debug, Clone)]
pub struct BaseUrl(pub String);

impl BaseUrl {
    /// An absolute address for a path that starts with `/`.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}
