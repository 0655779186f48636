//! Connections that break or stall at every stage of an upload.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::clock::Clock;
use crate::client::Client;
use crate::program::{Serving, read_answer};

const FILE: &str = "/_flysystem/fedora/a.txt";
const URI: &str = "Content-Type: text/plain\r\nContent-Location: fedora://a.txt\r\n";

/// How a client goes away.
#[derive(Debug, Clone, Copy)]
enum End {
    /// It says that it has no more to send.
    Finished,
    /// It hangs up.
    Closed,
    /// Its machine has lost the connection.
    Reset,
}

impl End {
    fn of(self, stream: TcpStream) {
        match self {
            End::Finished => {
                let _ = stream.shutdown(Shutdown::Write);
                read_to_end(stream);
            }
            End::Closed => drop(stream),
            End::Reset => {
                let now = Some(Duration::ZERO);
                SockRef::from(&stream).set_linger(now).expect("a socket");
            }
        }
    }
}

/// Whether there is an answer is not asked.
fn read_to_end(mut stream: TcpStream) {
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
}

/// The request for the same bytes in both framings, in the pieces after which it may end.
fn requests(text: &str) -> [Vec<String>; 2] {
    let (first, rest) = text.split_at(text.len() / 2);
    let (middle, last) = rest.split_at(rest.len() - 1);
    let pieces = [first, middle, last];
    let length = format!("{URI}Content-Length: {}\r\n", text.len());
    let chunked = format!("{URI}Transfer-Encoding: chunked\r\n");
    let mut by_length = vec![length];
    by_length.extend(pieces.map(str::to_owned));
    let mut in_chunks = vec![chunked];
    for piece in pieces {
        in_chunks.push(format!("{:x}\r\n", piece.len()));
        in_chunks.push(piece.to_owned());
        in_chunks.push("\r\n".to_owned());
    }
    in_chunks.push("0\r\n\r\n".to_owned());
    [by_length, in_chunks]
}

/// Sends the head and so many of the pieces after it.
fn send(client: &Client, place: &str, pieces: &[String], count: usize) -> TcpStream {
    let mut stream = client.begin("PUT", place, &pieces[0]);
    for piece in &pieces[1..=count] {
        stream.write_all(piece.as_bytes()).expect("sent");
    }
    stream
}

fn until_empty(staging: &Path) {
    for _ in 0..10_000 {
        if staging.read_dir().expect("there").next().is_none() {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("an upload that broke off is still on disk");
}

#[test]
fn an_upload_that_breaks_off_anywhere_changes_nothing() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let place = client.place();
    assert_eq!(client.put(&place, "fedora://a.txt", "kept").0, 201);
    for pieces in requests(&"lost".repeat(50_000)) {
        for end in [End::Finished, End::Closed, End::Reset] {
            for count in 0..pieces.len() - 1 {
                end.of(send(&client, &place, &pieces, count));
                let seen = client.get(FILE);
                assert_eq!(seen, (200, "kept".into()), "{end:?} after {count} pieces");
            }
            let head = &pieces[0][..pieces[0].len() / 2];
            let mut stream = client.serving.connect();
            write!(stream, "PUT {place} HTTP/1.1\r\n{head}").expect("sent");
            end.of(stream);
        }
    }
    until_empty(&data.path().join("staging"));
    assert_eq!(client.get(FILE), (200, "kept".into()));
    assert_eq!(client.put(&place, "fedora://a.txt", "new").0, 204);
    assert_eq!(client.get(FILE), (200, "new".into()));
}

#[test]
fn an_upload_whose_sender_does_not_wait_is_whole_or_not_at_all() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let place = client.place();
    let old = "old".repeat(30_000);
    let mut allowed = vec![old.clone()];
    assert_eq!(client.put(&place, "fedora://a.txt", &old).0, 201);
    for (number, end) in [End::Finished, End::Closed, End::Reset]
        .into_iter()
        .enumerate()
    {
        let new = format!("{number}").repeat(90_000);
        allowed.push(new.clone());
        let [by_length, in_chunks] = requests(&new);
        for pieces in [by_length, in_chunks] {
            end.of(send(&client, &place, &pieces, pieces.len() - 1));
            let (status, body) = client.get(FILE);
            assert_eq!(status, 200);
            assert!(allowed.contains(&body), "{} bytes nobody sent", body.len());
        }
    }
    until_empty(&data.path().join("staging"));
    assert!(crate::validators::valid_objects(data.path()) == 1);
}

#[test]
fn stalled_uploads_hinder_nobody_and_may_go_on() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let place = client.place();
    let text = "late".repeat(50_000);
    let mut stalled = Vec::new();
    for pieces in requests(&text) {
        for count in 0..pieces.len() - 1 {
            stalled.push((
                send(&client, &place, &pieces, count),
                pieces[count + 1..].concat(),
            ));
        }
    }
    assert_eq!(client.put(&place, "fedora://a.txt", "first").0, 201);
    assert_eq!(client.put(&place, "fedora://a.txt", "second").0, 204);
    assert_eq!(client.get(FILE), (200, "second".into()));
    for (mut stream, rest) in stalled {
        stream.write_all(rest.as_bytes()).expect("sent");
        assert_eq!(read_answer(stream).0, 204);
        assert_eq!(client.get(FILE), (200, text.clone()));
    }
    until_empty(&data.path().join("staging"));
}

#[test]
fn a_sender_that_stays_silent_is_told_and_forgotten() {
    let data = tempfile::tempdir().expect("a directory");
    let clock = Clock::fast(100);
    let client = Client::of(Serving::spawn(clock.isolario(data.path())));
    let place = client.place();
    let [by_length, in_chunks] = requests("never whole");
    for (pieces, count) in [
        (&by_length, 0),
        (&by_length, 2),
        (&in_chunks, 1),
        (&in_chunks, 5),
    ] {
        let (status, body) = read_answer(send(&client, &place, pieces, count));
        assert_eq!(status, 408, "{body}");
        assert!(body.contains("No bytes arrived for 120 seconds."), "{body}");
        assert!(body.contains("Nothing was changed."), "{body}");
    }
    until_empty(&data.path().join("staging"));
    assert_eq!(client.get(FILE).0, 404);
}
