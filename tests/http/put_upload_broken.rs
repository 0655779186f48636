//! Uploads whose connection breaks off, or whose bytes come slowly.

use std::io::Write as _;
use std::net::{Ipv4Addr, Shutdown};

use crate::put_upload::{download, media_count, text_upload};
use crate::support::{TestServer, wire};

#[test]
fn an_upload_that_breaks_off_leaves_nothing() {
    let server = TestServer::start();
    let (nid, request) = text_upload(&server, "public://upload/broken.txt");
    let before = server.stored_files();
    let half = request
        .header("Content-Length", "1000000")
        .body("text/plain", "x".repeat(200_000))
        .encode();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream.write_all(&half).expect("the server reads");
    stream.shutdown(Shutdown::Both).expect("an open connection");
    drop(stream);

    // whatever the broken one left behind would be in the way of the same upload, or beside it
    let request = server
        .put(&server.upload_path(nid, "file", "Original File"))
        .as_admin();
    let answer = request
        .header("Content-Location", "public://upload/broken.txt")
        .body("text/plain", "whole")
        .send();
    assert_eq!(download(&server, answer.expect(201).created()), b"whole");
    server.until_staging_is_empty();
    assert_eq!(server.stored_files(), before + 1);
}

#[test]
fn a_file_is_not_seen_before_it_is_whole() {
    let server = TestServer::start();
    let (nid, request) = text_upload(&server, "public://upload/slow.txt");
    let whole = request.body("text/plain", "x".repeat(100_000)).encode();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream
        .write_all(&whole[..whole.len() - 10])
        .expect("the server reads");
    assert_eq!(media_count(&server, nid), 0);
    server
        .get("/sites/default/files/upload/slow.txt")
        .as_admin()
        .send()
        .expect(404);
    stream
        .write_all(&whole[whole.len() - 10..])
        .expect("the server reads");
    let answer =
        wire::read_response(&mut std::io::BufReader::new(stream), false).expect("an answer");
    assert_eq!(answer.status, 201);
    assert_eq!(media_count(&server, nid), 1);
}

#[test]
fn a_replacement_that_breaks_off_changes_nothing() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://upload/kept.txt");
    let mid = request
        .clone()
        .body("text/plain", "kept")
        .send()
        .expect(201)
        .created();
    let half = request
        .header("Content-Length", "1000")
        .body("text/plain", "lost")
        .encode();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream.write_all(&half).expect("the server reads");
    drop(stream);
    assert_eq!(download(server, mid), b"kept");
    server.until_staging_is_empty();
    assert_eq!(download(server, mid), b"kept");
}
