//! `/api/v1/events`: a stream that is open does not hold up the end, nor outlive a sign-in.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use isolario_program::app::{App, Options};
use isolario_program::commands::Progress;
use isolario_program::commands::{Command, run};

/// A server, and a stream of its administrator that has been answered.
async fn listening(data: &std::path::Path) -> (App, TcpStream) {
    let options = Options {
        data: Some(data.to_owned()),
        listen: Some(([127, 0, 0, 1], 0).into()),
        base_url: None,
        ..Options::default()
    };
    let server = App::start(options).await.expect("a server");
    run(
        &server.state().watch,
        password("the first one"),
        &Progress::default(),
    )
    .await;
    let address = server.address();
    let stream = tokio::task::spawn_blocking(move || open(address));
    (server, stream.await.expect("a stream"))
}

fn password(password: &str) -> Command {
    Command::SetPassword {
        name: "admin".into(),
        password: password.into(),
    }
}

/// A connection that gives up in the end: a stream that should end and does not is a failure, no wait.
fn connect(address: std::net::SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    let patience = std::time::Duration::from_secs(60);
    stream.set_read_timeout(Some(patience)).expect("a time-out");
    stream
}

fn open(address: std::net::SocketAddr) -> TcpStream {
    let mut stream = connect(address);
    let credentials = BASE64_STANDARD.encode("admin:the first one");
    write!(
        stream,
        "GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {credentials}\r\nConnection: close\r\n\r\n"
    )
    .expect("a request");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("an answer");
        head.extend(byte);
    }
    assert!(head.starts_with(b"HTTP/1.1 200 "));
    stream
}

/// Reads to the end and says whether it was a proper one: the last chunk, not a torn connection.
fn ended_well(mut stream: TcpStream) -> bool {
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).is_ok() && rest.ends_with(b"0\r\n\r\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_stream_ends_with_the_server() {
    let directory = tempfile::tempdir().expect("a folder");
    let (server, stream) = listening(directory.path()).await;
    let reader = tokio::task::spawn_blocking(move || ended_well(stream));
    server.stop().await;
    assert!(reader.await.expect("a reader"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_stream_ends_with_the_password_it_was_opened_with() {
    let directory = tempfile::tempdir().expect("a folder");
    let (server, stream) = listening(directory.path()).await;
    run(
        &server.state().watch,
        password("the second one"),
        &Progress::default(),
    )
    .await;
    let reader = tokio::task::spawn_blocking(move || ended_well(stream));
    // Something happens that would be told.
    let address = server.address();
    tokio::task::spawn_blocking(move || make_a_tag(address))
        .await
        .expect("a tag");
    assert!(reader.await.expect("a reader"));
    server.stop().await;
}

fn make_a_tag(address: std::net::SocketAddr) {
    let mut stream = connect(address);
    let credentials = BASE64_STANDARD.encode("admin:the second one");
    let body = r#"{"vid":[{"target_id":"tags"}],"name":[{"value":"News"}]}"#;
    write!(
        stream,
        "POST /taxonomy/term?_format=json HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {credentials}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    assert!(
        answer.starts_with(b"HTTP/1.1 201 "),
        "{}",
        String::from_utf8_lossy(&answer)
    );
}
