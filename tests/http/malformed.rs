//! What is hardly HTTP: every such connection is answered with a refusal or closed, and the server
//! goes on.

use std::io::{BufReader, Write as _};
use std::net::{Ipv4Addr, Shutdown};

use crate::support::{TestServer, wire};

/// The status of the answer to raw bytes; nothing if the server just hangs up.
fn status_of(server: &TestServer, bytes: &[u8]) -> Option<u16> {
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    // it may hang up before it has read everything
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let answer = wire::read_response(&mut BufReader::new(stream), false);
    answer.ok().map(|answer| answer.status)
}

#[track_caller]
fn assert_refused(server: &TestServer, what: &str, bytes: &[u8]) {
    let status = status_of(server, bytes);
    assert!(
        status.is_none_or(|status| (400..500).contains(&status)),
        "{what}: {status:?}"
    );
    server.get("/api/v1/session").send().expect(200);
}

#[test]
fn what_is_no_request_is_refused() {
    let server = TestServer::shared();
    let host = format!("Host: {}\r\n", server.address());
    let long = "x".repeat(2_000_000);
    let many: String = (0..5_000)
        .map(|number| format!("X-{number}: 1\r\n"))
        .collect();
    for (what, request) in [
        ("noise", "\x01\x02\x03\r\n\r\n".to_owned()),
        ("no version", format!("GET /\r\n{host}\r\n")),
        ("a far version", format!("GET / HTTP/9.9\r\n{host}\r\n")),
        ("no host", "GET /node HTTP/1.1\r\n\r\n".to_owned()),
        (
            "two hosts",
            format!("GET /node HTTP/1.1\r\n{host}Host: evil.example\r\n\r\n"),
        ),
        (
            "an absolute target elsewhere",
            "GET http://evil.example/node HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
        ),
        ("a long path", format!("GET /{long} HTTP/1.1\r\n{host}\r\n")),
        (
            "a long header",
            format!("GET / HTTP/1.1\r\n{host}X-Long: {long}\r\n\r\n"),
        ),
        (
            "many headers",
            format!("GET / HTTP/1.1\r\n{host}{many}\r\n"),
        ),
        (
            "a folded header",
            format!("GET / HTTP/1.1\r\n{host}X-Folded: a\r\n b\r\n\r\n"),
        ),
        (
            "a header without a colon",
            format!("GET / HTTP/1.1\r\n{host}nonsense\r\n\r\n"),
        ),
    ] {
        assert_refused(server, what, request.as_bytes());
    }
}

#[test]
fn a_body_of_unclear_length_is_refused_and_nothing_is_made_of_it() {
    let server = TestServer::shared();
    let before = total(server);
    let body = server.object("Smuggled").to_string();
    let length = body.len();
    let credentials = "Authorization: Basic YWRtaW46YW4gYWRtaW4ncyBwYXNzd29yZA==\r\nContent-Type: application/json\r\n";
    let head = format!(
        "POST /node HTTP/1.1\r\nHost: {}\r\n{credentials}",
        server.address()
    );
    for (what, rest) in [
        (
            "two lengths",
            format!("Content-Length: {length}\r\nContent-Length: 5\r\n\r\n{body}"),
        ),
        (
            "a negative length",
            format!("Content-Length: -1\r\n\r\n{body}"),
        ),
        (
            "a length that is none",
            format!("Content-Length: 0x10\r\n\r\n{body}"),
        ),
        (
            "a body that ends early",
            format!("Content-Length: {}\r\n\r\n{body}", length + 10),
        ),
        (
            "a chunk of no size",
            format!("Transfer-Encoding: chunked\r\n\r\nzz\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "chunks without an end",
            format!("Transfer-Encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\n"),
        ),
        (
            "an unknown coding",
            format!("Transfer-Encoding: gzip\r\n\r\n{body}"),
        ),
    ] {
        assert_refused(server, what, format!("{head}{rest}").as_bytes());
    }
    assert_eq!(total(server), before);
}

/// How many objects are called as the ones that must not come to be.
fn total(server: &TestServer) -> serde_json::Value {
    let list = server
        .get("/api/v1/items?q=Smuggled")
        .as_admin()
        .send()
        .expect(200)
        .json();
    list["total"].clone()
}
