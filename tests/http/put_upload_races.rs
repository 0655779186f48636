//! Uploads and downloads that meet each other, and clients that hang up.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::Ipv4Addr;

use crate::support::{Request, Response, TestServer, wire};

const FILE_USE: &str = "Original File";

fn upload<'a>(server: &'a TestServer, nid: i64, location: &str, bytes: Vec<u8>) -> Request<'a> {
    upload_as(server, nid, "file", location, bytes)
}

fn upload_as<'a>(
    server: &'a TestServer,
    nid: i64,
    media_type: &str,
    location: &str,
    bytes: Vec<u8>,
) -> Request<'a> {
    let request = server
        .put(&server.upload_path(nid, media_type, FILE_USE))
        .as_admin();
    request
        .header("Content-Location", location)
        .body("text/plain", bytes)
}

/// The public path of the file of a media.
fn path_of_file(server: &TestServer, mid: i64) -> String {
    let media = server.media(mid);
    server.path_of(
        media["field_media_file"][0]["url"]
            .as_str()
            .expect("an address"),
    )
}

fn media_of(server: &TestServer, nid: i64) -> Vec<i64> {
    let list = server
        .get(&format!("/api/v1/items/{nid}/media"))
        .as_admin()
        .send()
        .expect(200)
        .json();
    let media = list["media"].as_array().expect("a list").clone();
    media
        .iter()
        .filter_map(|media| media["mid"].as_i64())
        .collect()
}

/// Sends requests at the same moment; their answers in order.
fn all_at_once(requests: Vec<Request<'_>>) -> Vec<Response> {
    let start = std::sync::Barrier::new(requests.len());
    std::thread::scope(|scope| {
        let senders: Vec<_> = requests
            .into_iter()
            .map(|request| {
                scope.spawn(|| {
                    start.wait();
                    request.send()
                })
            })
            .collect();
        senders
            .into_iter()
            .map(|sender| sender.join().expect("a sender"))
            .collect()
    })
}

#[test]
fn one_of_many_uploads_for_one_use_creates_and_the_others_replace() {
    let server = TestServer::shared();
    let nid = server.create_object("Wanted by many");
    let bodies: Vec<Vec<u8>> = (b'a'..b'i').map(|letter| vec![letter; 100_000]).collect();
    let requests = bodies
        .iter()
        .map(|body| upload(server, nid, "public://races/one.txt", body.clone()));
    let answers = all_at_once(requests.collect());
    let created = answers.iter().filter(|answer| answer.status == 201).count();
    let replaced = answers.iter().filter(|answer| answer.status == 204).count();
    assert_eq!((created, replaced), (1, bodies.len() - 1));
    let media = media_of(server, nid);
    assert_eq!(media.len(), 1);
    let kept = server
        .get(&path_of_file(server, media[0]))
        .send()
        .expect(200)
        .body;
    assert!(
        bodies.contains(&kept),
        "{} bytes that nobody sent",
        kept.len()
    );
}

#[test]
fn many_uploads_for_one_address_get_one_each() {
    let server = TestServer::shared();
    let nodes: Vec<i64> = (0..8)
        .map(|number| server.create_object(&format!("Rival {number}")))
        .collect();
    let body = |nid: &i64| format!("bytes of {nid}").into_bytes();
    let requests = nodes
        .iter()
        .map(|nid| upload(server, *nid, "public://races/same.txt", body(nid)));
    let answers = all_at_once(requests.collect());
    let mut addresses = Vec::new();
    for (nid, answer) in nodes.iter().zip(answers) {
        let answer = answer.expect(201);
        let path = path_of_file(server, answer.created());
        assert_eq!(server.get(&path).send().expect(200).body, body(nid));
        addresses.push(path);
    }
    addresses.sort();
    addresses.dedup();
    assert_eq!(addresses.len(), nodes.len());
}

#[test]
fn a_download_has_the_old_bytes_whole_while_they_are_replaced() {
    let server = TestServer::shared();
    let nid = server.create_object("Replaced while read");
    let old: Vec<u8> = (0..8_000_000_u32).map(|at| (at % 251) as u8).collect();
    let mid = upload(server, nid, "public://races/read.txt", old.clone())
        .send()
        .expect(201)
        .created();
    let path = path_of_file(server, mid);

    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream
        .write_all(&server.get(&path).encode())
        .expect("the server reads");
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).expect("a header");
    }
    let mut read = vec![0; 1000];
    reader.read_exact(&mut read).expect("the beginning");
    upload(server, nid, "", b"new".to_vec()).send().expect(204);
    reader.read_to_end(&mut read).expect("the rest");

    assert!(read == old, "{} bytes", read.len());
    assert_eq!(server.get(&path).send().expect(200).body, b"new");
}

#[test]
fn a_part_of_replaced_bytes_is_not_mixed_with_new_ones() {
    let server = TestServer::shared();
    let nid = server.create_object("Resumed");
    let mid = upload(
        server,
        nid,
        "public://races/resumed.txt",
        b"0123456789".to_vec(),
    )
    .send()
    .expect(201)
    .created();
    let path = path_of_file(server, mid);
    let etag = server.get(&path).send().expect(200).etag().to_owned();
    upload(server, nid, "", b"abcdefghij".to_vec())
        .send()
        .expect(204);
    let resumed = server
        .get(&path)
        .header("Range", "bytes=5-")
        .header("If-Range", etag.clone())
        .send();
    assert_eq!(resumed.expect(200).text(), "abcdefghij");
    server
        .get(&path)
        .header("If-Match", etag)
        .send()
        .expect(412);
}

#[test]
fn whoever_asks_first_need_not_send_what_is_refused() {
    let server = TestServer::shared();
    let nid = server.create_object("Asked first");
    let request = upload_as(server, nid, "image", "public://races/asked.exe", Vec::new());
    let request = request
        .header("Expect", "100-continue")
        .header("Content-Length", "10000000000")
        .encode();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream.write_all(&request).expect("the server reads");
    let mut status = String::new();
    BufReader::new(stream)
        .read_line(&mut status)
        .expect("an answer");
    assert!(status.starts_with("HTTP/1.1 400"), "{status}");
}

#[test]
fn whoever_sends_before_listening_hears_why_it_was_refused() {
    let server = TestServer::shared();
    let nid = server.create_object("Refused at length");
    let answer = upload_as(
        server,
        nid,
        "image",
        "public://races/long.exe",
        vec![b'x'; 20_000_000],
    )
    .send()
    .expect(400);
    assert!(
        answer.message().starts_with("Invalid file extension."),
        "{}",
        answer.message()
    );
}

#[test]
fn a_client_that_hangs_up_at_the_end_leaves_all_or_nothing() {
    let server = TestServer::start();
    let nodes: Vec<i64> = (0..20)
        .map(|number| server.create_object(&format!("Left {number}")))
        .collect();
    for nid in &nodes {
        let request = upload(
            &server,
            *nid,
            &format!("public://races/{nid}.txt"),
            vec![b'x'; 50_000],
        );
        let mut stream =
            wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
        stream
            .write_all(&request.encode())
            .expect("the server reads");
    }
    server.until_staging_is_empty();
    let mut kept = 0;
    for nid in nodes {
        for mid in media_of(&server, nid) {
            kept += 1;
            assert_eq!(
                server
                    .get(&path_of_file(&server, mid))
                    .send()
                    .expect(200)
                    .body
                    .len(),
                50_000
            );
        }
    }
    assert_eq!(server.stored_files(), kept);
}
