//! Uploads in parts over connections that break off, stall, or are given up for a newer one.

use std::io::{BufReader, Write as _};
use std::net::{Ipv4Addr, TcpStream};

use crate::put_upload::{download, media_count, text_upload};
use crate::resumable_upload::{begin, offset, part};
use crate::support::{Request, Response, TestServer, wire};

/// Sends the head of a part of so many bytes, and some of the bytes.
fn send_some(server: &TestServer, path: &str, size: usize, bytes: &str) -> TcpStream {
    let request = part(server, path, 0, "?1", bytes).header("Content-Length", size.to_string());
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream
        .write_all(&request.encode())
        .expect("the server reads");
    stream
}

/// Sends what is missing of the whole, as a client does: from where the server is, as often as it takes.
/// An older request may arrive in between, but it never gets further than its few bytes.
fn finish(server: &TestServer, path: &str, whole: &str) -> Response {
    for _ in 0..100 {
        let kept = offset(server, path);
        let answer = part(server, path, kept, "?1", &whole[kept..]).send();
        if answer.status != 409 {
            return answer.expect(201);
        }
    }
    panic!("{path} never went on");
}

/// Sends a part whose chunks end in nonsense after the first one, and hears the answer.
fn send_nonsense(server: &TestServer, request: Request<'_>) -> Response {
    let part = request.chunked().encode();
    let head = part.len() - b"0\r\n\r\n".len();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream.write_all(&part[..head]).expect("the server reads");
    stream
        .write_all(b"4\r\nkept\r\nnonsense\r\n")
        .expect("the server reads");
    wire::read_response(&mut BufReader::new(stream), false).expect("an answer")
}

#[test]
fn an_upload_goes_on_after_its_connection_broke() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://parts/broken.txt");
    let whole: String = (0..60_000)
        .map(|number| char::from(b'a' + (number % 23) as u8))
        .collect();
    let path = begin(server, &request);
    drop(send_some(server, &path, whole.len(), &whole[..40_000]));
    assert_eq!(media_count(server, nid), 0);
    let answer = finish(server, &path, &whole);
    assert_eq!(download(server, answer.created()), whole.as_bytes());
}

#[test]
fn bytes_that_came_before_a_break_are_kept() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/kept.txt");
    let path = begin(server, &request);
    let answer = send_nonsense(server, part(server, &path, 0, "?0", ""));
    assert_eq!(
        (answer.status, answer.header("upload-offset")),
        (400, Some("4"))
    );
    assert_eq!(offset(server, &path), 4);
}

#[test]
fn a_newer_request_ends_the_one_that_stalls() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://parts/stalled.txt");
    let path = begin(server, &request);
    let older = send_some(server, &path, "some more".len(), "some");
    let newer = finish(server, &path, "some more");
    let answer = wire::read_response(&mut BufReader::new(older), false).expect("an answer");
    assert_eq!(answer.status, 409, "{}", answer.text());
    assert_eq!(download(server, newer.created()), b"some more");
    assert_eq!(media_count(server, nid), 1);
}

#[test]
fn of_parts_at_the_same_time_one_is_appended() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/race.txt");
    let path = begin(server, &request);
    let parts = ["a", "b", "c", "d", "e", "f"].map(|letter| letter.repeat(50_000));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let send = |bytes| {
            let path = &path;
            scope.spawn(move || part(server, path, 0, "?0", bytes).send().status)
        };
        let sent: Vec<_> = parts.iter().map(|bytes| send(bytes)).collect();
        sent.into_iter()
            .map(|sending| sending.join().expect("an answer"))
            .collect()
    });
    assert!(
        statuses.iter().all(|status| matches!(status, 204 | 409)),
        "{statuses:?}"
    );
    // Whoever was ended halfway left bytes too; nobody's bytes are mixed with another's.
    let kept = offset(server, &path);
    let last = part(server, &path, kept, "?1", "|").send().expect(201);
    let whole = String::from_utf8(download(server, last.created())).expect("letters");
    let letters = whole.trim_end_matches('|');
    assert_eq!(letters.len(), kept);
    assert!(
        letters
            .bytes()
            .all(|byte| Some(byte) == letters.bytes().next()),
        "mixed"
    );
}

#[test]
fn a_part_that_was_to_be_checked_counts_whole_or_not_at_all() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/unchecked.txt");
    let path = begin(server, &request);
    let digest = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
    let request = part(server, &path, 0, "?0", "").header("Content-Digest", digest);
    let answer = send_nonsense(server, request);
    assert_eq!(
        (answer.status, answer.header("upload-offset")),
        (400, Some("0"))
    );
    assert_eq!(offset(server, &path), 0);
    let answer = finish(server, &path, "kept after all");
    assert_eq!(download(server, answer.created()), b"kept after all");
}
