//! `/api/v1/events`: how many streams there may be at the same time.

use std::io::{BufReader, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use crate::support::{ADMIN, PLAIN, Request, TestServer, wire};

/// Asks for a stream and reads the status line of the answer; the connection stays open.
fn open(server: &TestServer, request: &Request) -> (String, TcpStream) {
    use std::io::BufRead as _;
    let mut stream = wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("it listens");
    stream.write_all(&request.encode()).expect("sent");
    let mut status = String::new();
    let mut reader = BufReader::new(stream.try_clone().expect("the same connection"));
    reader.read_line(&mut status).expect("an answer");
    (status, stream)
}

fn events(server: &TestServer) -> Request<'_> {
    server.get("/api/v1/events")
}

#[test]
fn an_account_has_eight_streams_and_others_have_theirs() {
    let server = TestServer::start();
    let mut streams = Vec::new();
    for _ in 0..8 {
        let (status, stream) = open(&server, &events(&server).as_plain());
        assert!(status.contains(" 200 "), "{status}");
        streams.push(stream);
    }
    let refused = events(&server).as_plain().send();
    let words = "This account listens to changes 8 times already. End one of these first.";
    assert_eq!(refused.header("connection"), Some("close"));
    refused.expect_message(429, words);
    // What makes the account known has no say.
    let token = server.token(PLAIN.name, PLAIN.password);
    events(&server).bearer(&token).send().expect(429);
    let window = format!("Window {}", server.window_key());
    for _ in 0..10 {
        let window = events(&server).header("Authorization", window.as_str());
        let (status, stream) = open(&server, &window);
        assert!(status.contains(" 200 "), "{status}");
        streams.push(stream);
    }
    let (status, _stream) = open(&server, &events(&server).as_admin());
    assert!(status.contains(" 200 "), "{status}");

    drop(streams);
    until("there is room again", || {
        open(&server, &events(&server).as_plain())
            .0
            .contains(" 200 ")
    });
}

#[test]
fn short_requests_have_connections_that_streams_cannot_take() {
    let server = TestServer::start_with("[limits]\nconnections = 6");
    let mut streams = Vec::new();
    for person in [ADMIN, PLAIN, ADMIN] {
        let (status, stream) = open(&server, &events(&server).signed_in(person));
        assert!(status.contains(" 200 "), "{status}");
        streams.push(stream);
    }
    let refused = events(&server).as_admin().send().expect(503);
    assert!(refused.message().contains("listen to changes"));
    assert!(refused.header("retry-after").is_some());
    for _ in 0..4 {
        server.get("/user/3").as_plain().send().expect(200);
    }
}

/// Waits for something that has to happen.
#[track_caller]
fn until(what: &str, happened: impl Fn() -> bool) {
    for _ in 0..600 {
        if happened() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("it did not happen: {what}");
}

#[test]
fn administrators_see_who_listens() {
    let server = TestServer::start();
    let names = || -> Vec<String> {
        let status = server.get("/api/v1/server").as_admin().send().json();
        let people = status["people"].as_array().expect("a list").iter();
        let name = |one: &serde_json::Value| one["name"].as_str().expect("a name").to_owned();
        people.map(name).collect()
    };
    assert_eq!(names(), [ADMIN.name]);
    let (status, _stream) = open(&server, &events(&server).as_plain());
    assert!(status.contains(" 200 "), "{status}");
    assert_eq!(names(), [ADMIN.name, PLAIN.name]);
}
