//! Requests whose answer may never come.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use serde_json::Value;

/// A server, and in whose name it is asked.
pub struct Server {
    pub address: SocketAddr,
    authorization: String,
    /// To which the last answer came.
    port: AtomicU16,
}

/// An answer that came whole.
pub struct Answer {
    pub status: u16,
    /// In lower case.
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// The value of a header; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        let value = |line| str::strip_prefix(line, name)?.strip_prefix(": ");
        self.head.split("\r\n").find_map(value).unwrap_or_default()
    }

    /// Path of what was made.
    pub fn location(&self) -> String {
        let (_, after) = self.header("location").split_once("://").expect("a URL");
        after[after.find('/').expect("a path")..].to_owned()
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Answer {
        let said = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{said}");
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

impl Server {
    pub fn new(address: SocketAddr, authorization: &str) -> Server {
        Server {
            address,
            authorization: authorization.to_owned(),
            port: AtomicU16::new(0),
        }
    }

    /// The port of ours to which the last answer came.
    pub fn port(&self) -> u16 {
        self.port.load(Ordering::Relaxed)
    }

    /// Sends a request; `None` when there is no whole answer.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        let stuck = Some(Duration::from_secs(120));
        stream.set_read_timeout(stuck).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n",
            self.address,
            self.authorization,
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(body).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let own = stream.local_addr().ok()?.port();
        self.port.store(own, Ordering::Relaxed);
        parse(&answer)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", b"").expect("an answer")
    }

    /// Id of a term.
    pub fn term(&self, vocabulary: &str, name: &str) -> i64 {
        let query = name.replace(' ', "%20");
        let answer = self.get(&format!("/api/v1/terms?vocabulary={vocabulary}&q={query}"));
        let answer = answer.json();
        let mut terms = answer["terms"].as_array().expect("a list").iter();
        let term = terms.find(|term| term["name"] == name);
        term.and_then(|term| term["tid"].as_i64())
            .expect("the term")
    }
}

fn parse(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let body = answer[end + 4..].to_vec();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let answer = Answer { status, head, body };
    let length = answer.header("content-length").parse::<usize>().ok();
    let is_whole = length.is_none_or(|length| length == answer.body.len());
    is_whole.then_some(answer)
}
