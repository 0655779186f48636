//! Bytes that get into the bucket while their body arrives.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use hyper::Method;

use super::store::{Fault, Store};
use super::{PREFIX, put, serve, start};
use crate::client::Client;
use crate::program::read_answer;

/// Bytes of the whole body, and of its beginning: both are more than one part of an upload.
const WHOLE: usize = 25_000_000;
const BEGINNING: usize = 20_000_000;

/// Bytes of a part of such an upload.
const PART: usize = 5 << 20;

/// Begins to send a body, until the parts that are whole are in the bucket. None is on its way then: the store of the
/// tests would keep one that comes after its upload has ended.
fn begin(client: &Client, store: &Store, body: &[u8], header: &str) -> TcpStream {
    let headers = format!(
        "Content-Type: text/plain\r\nContent-Location: fedora://long.txt\r\n{header}Content-Length: {WHOLE}\r\n"
    );
    let mut stream = client.begin("PUT", &client.place(), &headers);
    stream.write_all(&body[..BEGINNING]).expect("sent");
    // The upload itself, and its parts.
    until(|| store.unfinished() == 1 + BEGINNING / PART);
    stream
}

/// Waits until something is so.
fn until(is_so: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it is not so");
}

fn body() -> Vec<u8> {
    b"0123456789".repeat(WHOLE / 10)
}

fn is_empty(store: &Store) -> bool {
    store.unfinished() == 0 && store.keys(&format!("{PREFIX}/ocfl")).len() <= DECLARATIONS
}

/// Files of an OCFL storage root without objects.
const DECLARATIONS: usize = 3;

#[test]
fn a_body_is_in_the_bucket_soon_after_its_last_byte() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let body = body();
    let mut stream = begin(&client, &store, &body, "");
    stream.write_all(&body[BEGINNING..]).expect("sent");
    assert_eq!(read_answer(stream).0, 201);
    let (status, text) = client.get("/_flysystem/fedora/long.txt");
    assert_eq!((status, text.as_bytes() == body), (200, true));
    assert_eq!(store.unfinished(), 0);
}

#[test]
fn a_body_that_breaks_off_leaves_nothing_in_the_bucket() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    drop(begin(&client, &store, &body(), ""));
    until(|| is_empty(&store));
    assert_eq!(put(&client, "fedora://long.txt", "short"), 201);
}

#[test]
fn bytes_with_another_digest_leave_nothing_in_the_bucket() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let body = body();
    // That of no bytes.
    let digest = "Repr-Digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:\r\n";
    let mut stream = begin(&client, &store, &body, digest);
    stream.write_all(&body[BEGINNING..]).expect("sent");
    assert_eq!(read_answer(stream).0, 400);
    until(|| is_empty(&store));
}

#[test]
fn a_store_that_fails_meanwhile_is_asked_again_when_the_body_has_come() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let body = body();
    let mut stream = begin(&client, &store, &body[..], "");
    store.fail(Method::PUT, Fault::Status(403));
    stream
        .write_all(&body[BEGINNING..WHOLE - 10])
        .expect("sent");
    // The part that was refused is not sent again, but the whole is.
    until(|| store.unfinished() == 0);
    store.recover();
    stream.write_all(&body[WHOLE - 10..]).expect("sent");
    assert_eq!(read_answer(stream).0, 201);
    client.restart_by(|| serve(data.path()));
    assert_eq!(store.unfinished(), 0);
}
