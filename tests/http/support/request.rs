//! Requests that read like the requests they make.

use std::net::Ipv4Addr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::people::{ADMIN, DEPOSITOR, PLAIN};
use super::{Person, Response, TestServer, wire};

/// A request in the making.
#[derive(Clone)]
pub struct Request<'a> {
    server: &'a TestServer,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
    chunked: bool,
    from: Ipv4Addr,
}

impl<'a> Request<'a> {
    pub(super) fn new(server: &'a TestServer, method: &str, path: &str) -> Request<'a> {
        Request {
            server,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: None,
            chunked: false,
            from: Ipv4Addr::LOCALHOST,
        }
    }

    /// Signed in by Basic as the administrator.
    #[allow(clippy::wrong_self_convention, reason = "a sentence, not a conversion")]
    pub fn as_admin(self) -> Request<'a> {
        self.signed_in(ADMIN)
    }

    /// Signed in by Basic as the depositor.
    #[allow(clippy::wrong_self_convention, reason = "a sentence, not a conversion")]
    pub fn as_depositor(self) -> Request<'a> {
        self.signed_in(DEPOSITOR)
    }

    /// Signed in by Basic as somebody without rights.
    #[allow(clippy::wrong_self_convention, reason = "a sentence, not a conversion")]
    pub fn as_plain(self) -> Request<'a> {
        self.signed_in(PLAIN)
    }

    /// Signed in by Basic.
    pub fn signed_in(self, person: Person) -> Request<'a> {
        self.basic(person.name, person.password)
    }

    /// With these Basic credentials.
    pub fn basic(self, name: &str, password: &str) -> Request<'a> {
        let pair = BASE64_STANDARD.encode(format!("{name}:{password}"));
        self.header("Authorization", format!("Basic {pair}"))
    }

    /// With a bearer token.
    pub fn bearer(self, token: &str) -> Request<'a> {
        self.header("Authorization", format!("Bearer {token}"))
    }

    /// With a header, as these very bytes.
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Request<'a> {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// With a JSON body.
    pub fn json(self, body: Value) -> Request<'a> {
        self.body("application/json", body.to_string())
    }

    /// With a body and its Content-Type.
    pub fn body(self, mime: &str, body: impl Into<Vec<u8>>) -> Request<'a> {
        self.header("Content-Type", mime).bytes(body)
    }

    /// With a body and no Content-Type.
    pub fn bytes(mut self, body: impl Into<Vec<u8>>) -> Request<'a> {
        self.body = Some(body.into());
        self
    }

    /// The body goes in chunks, without its length.
    pub fn chunked(mut self) -> Request<'a> {
        self.chunked = true;
        self
    }

    /// From another loopback address.
    pub fn from(mut self, address: Ipv4Addr) -> Request<'a> {
        self.from = address;
        self
    }

    /// Sends it and waits for the answer.
    #[track_caller]
    pub fn send(self) -> Response {
        let line = format!("{} {}", self.method, self.path);
        let stream = wire::connect(self.server.address(), self.from).expect("the server listens");
        let mut response = wire::exchange(stream, &self.encode(), self.method == "HEAD")
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        response.request = line;
        response
    }

    /// The request as it goes over the wire.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = format!("{} {} HTTP/1.1\r\n", self.method, self.path).into_bytes();
        if !self.has("host") {
            out.extend(format!("Host: {}\r\n", self.server.address()).bytes());
        }
        for (name, value) in &self.headers {
            out.extend(name.bytes());
            out.extend(b": ");
            out.extend(value);
            out.extend(b"\r\n");
        }
        out.extend(b"Connection: close\r\n");
        self.encode_body(&mut out);
        out
    }

    fn encode_body(&self, out: &mut Vec<u8>) {
        let body = self.body.as_deref().unwrap_or_default();
        if self.chunked {
            out.extend(b"Transfer-Encoding: chunked\r\n\r\n");
            for chunk in body.chunks(7) {
                out.extend(format!("{:x}\r\n", chunk.len()).bytes());
                out.extend(chunk);
                out.extend(b"\r\n");
            }
            out.extend(b"0\r\n\r\n");
            return;
        }
        let expects_body = matches!(self.method.as_str(), "POST" | "PUT" | "PATCH");
        if (self.body.is_some() || expects_body) && !self.has("content-length") {
            out.extend(format!("Content-Length: {}\r\n", body.len()).bytes());
        }
        out.extend(b"\r\n");
        out.extend(body);
    }

    fn has(&self, name: &str) -> bool {
        self.headers
            .iter()
            .any(|(key, _)| key.eq_ignore_ascii_case(name))
    }
}
