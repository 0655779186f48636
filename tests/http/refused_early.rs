//! Refusals that are made before the body has come: a client that listens only when it has sent
//! everything hears them all the same.

use std::io::{BufReader, Read as _, Write as _};
use std::net::Ipv4Addr;

use serde_json::json;

use crate::put_upload::text_upload;
use crate::resumable_upload::begin;
use crate::support::{PLAIN, Request, Response, TestServer, wire};

/// More than the buffers of a connection hold.
const LONG: usize = 16 * 1024 * 1024;

/// Sends everything, and only then listens.
fn send_then_listen(server: &TestServer, request: &Request<'_>) -> Response {
    let encoded = request.encode();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    let sent = stream.write_all(&encoded);
    sent.unwrap_or_else(|error| panic!("the server hung up: {error}"));
    wire::read_response(&mut BufReader::new(stream), false).expect("an answer")
}

#[test]
fn every_early_refusal_is_heard_by_who_sends_first() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://early/a.txt");
    let path = begin(server, &request);
    let use_tid = server.term("islandora_media_use", "Original File");
    let long = |request: Request<'static>, mime: &str| request.body(mime, "x".repeat(LONG));
    let bytes = |request| long(request, "text/plain");
    let part = || {
        let request = server.patch(&path).as_admin();
        request.header("Upload-Complete", "?0")
    };
    let place = server.upload_path(server.create_object("Early"), "file", "Original File");
    let refusals = [
        ("no credentials", 401, bytes(server.put(&place))),
        (
            "no permission",
            403,
            bytes(server.put(&place).signed_in(PLAIN)),
        ),
        (
            "no node",
            404,
            bytes(
                server
                    .put(&format!("/node/999999/media/file/{use_tid}"))
                    .as_admin(),
            ),
        ),
        (
            "no Content-Location",
            400,
            bytes(server.put(&place).as_admin()),
        ),
        ("no route", 404, bytes(server.put("/nowhere").as_admin())),
        ("no such method", 405, bytes(server.post(&place).as_admin())),
        (
            "a body too large to be JSON",
            413,
            long(server.post("/api/v1/users").as_admin(), "application/json"),
        ),
        ("no upload", 404, {
            let request = server.patch(&format!("/api/v1/uploads/{}", "0".repeat(32)));
            let request = request.as_admin().header("Upload-Complete", "?0");
            long(
                request.header("Upload-Offset", "0"),
                "application/partial-upload",
            )
        }),
        ("a wrong offset", 409, {
            let request = part().header("Upload-Offset", "5");
            long(request, "application/partial-upload")
        }),
        ("no part", 415, bytes(part().header("Upload-Offset", "0"))),
        ("a part too long", 400, {
            let request = part().header("Upload-Offset", "0");
            let request = request.header("Upload-Length", "5");
            long(request, "application/partial-upload")
        }),
    ];
    for (why, status, request) in refusals {
        let answer = send_then_listen(server, &request);
        assert_eq!(answer.status, status, "{why}: {}", answer.text());
        assert!(!answer.message().is_empty(), "{why}");
    }
}

#[test]
fn the_connection_goes_on_after_an_early_refusal() {
    let server = TestServer::shared();
    let going_on = |request: Request<'_>| {
        let text = String::from_utf8(request.encode()).expect("text");
        text.replacen("Connection: close\r\n", "", 1)
    };
    let refused = server.post("/node").json(json!("x".repeat(LONG)));
    let accepted = server.post("/node").as_admin();
    let accepted = going_on(accepted.json(server.object("Early")));
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    let refused = going_on(refused);
    stream.write_all(refused.as_bytes()).expect("read away");
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let answer = wire::read_response(&mut reader, false).expect("an answer");
    assert_eq!(answer.status, 401);
    stream.write_all(accepted.as_bytes()).expect("read");
    let answer = wire::read_response(&mut reader, false).expect("an answer");
    assert_eq!(answer.status, 201, "{}", answer.text());
}

#[test]
fn who_waits_for_permission_to_send_is_refused_at_once() {
    let server = TestServer::shared();
    let request =
        server.put(&server.upload_path(server.create_object("Early"), "file", "Original File"));
    let request = request.header("Expect", "100-continue");
    let head = request.body("text/plain", "x".repeat(LONG)).encode();
    let head = &head[..head.len() - LONG];
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream.write_all(head).expect("read");
    let mut answer = String::new();
    // Nothing of the body has come, nor is it waited for.
    stream
        .read_to_string(&mut answer)
        .expect("the server hangs up");
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}
