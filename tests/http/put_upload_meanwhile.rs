//! Uploads under which something changes while their bytes come.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Ipv4Addr;

use serde_json::json;

use crate::put_upload::media_count;
use crate::resumable_upload::begin;
use crate::resumable_upload_races::LODGER;
use crate::support::{ADMIN, Person, Request, Response, TestServer, wire};

/// The beginning of a request that uploads to a node for a use.
fn put<'a>(server: &'a TestServer, nid: i64, use_tid: i64, person: Person) -> Request<'a> {
    let request = server.put(&format!("/node/{nid}/media/file/{use_tid}"));
    let request = request.signed_in(person);
    request.header("Content-Location", "public://changes/a.txt")
}

const LONG: usize = 100_000;

/// Bytes that do not come all at once.
fn long() -> String {
    "x".repeat(LONG)
}

/// Sends a request that ends in such bytes, with a change when the server has let them in.
fn send_during(server: &TestServer, request: &Request<'_>, change: impl FnOnce()) -> Response {
    let request = request.clone().header("Expect", "100-continue").encode();
    let (head, body) = request.split_at(request.len() - LONG);
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    stream.write_all(head).expect("the server reads");
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("an answer");
    assert!(line.starts_with("HTTP/1.1 100"), "{line}");
    stream
        .write_all(&body[..LONG / 2])
        .expect("the server reads");
    change();
    stream
        .write_all(&body[LONG / 2..])
        .expect("the server reads");
    // What is left of the interim answer is its empty line.
    reader.read_line(&mut line).expect("an answer");
    wire::read_response(&mut reader, false).expect("an answer")
}

fn delete(server: &TestServer, path: &str) {
    server.delete(path).as_admin().send().expect(204);
}

#[test]
fn a_use_or_node_that_goes_meanwhile_is_not_found() {
    let server = TestServer::start();
    for goes in ["node", "taxonomy/term"] {
        let nid = server.create_object("Under change");
        let use_tid = server.create_term("islandora_media_use", "Passing use");
        let id = if goes == "node" { nid } else { use_tid };
        let request = put(&server, nid, use_tid, ADMIN).body("text/plain", long());
        let change = || delete(&server, &format!("/{goes}/{id}?_format=json"));
        let refused = send_during(&server, &request, change);
        assert_eq!(refused.status, 404, "{goes}: {}", refused.text());
        server.until_staging_is_empty();
        assert_eq!(server.stored_files(), 0);
    }
}

#[test]
fn whoever_expects_a_media_makes_none_when_it_goes_meanwhile() {
    let server = TestServer::start();
    let nid = server.create_object("Expected");
    let use_tid = server.term("islandora_media_use", "Original File");
    for condition in ["its tag", "*"] {
        let request = put(&server, nid, use_tid, ADMIN).body("text/plain", long());
        let made = request.clone().send().expect(201);
        let media = format!("/media/{}?_format=json", made.created());
        let etag = server.get(&media).send().expect(200).etag().to_owned();
        let condition = if condition == "*" { "*" } else { &etag };
        let request = request.header("If-Match", condition);
        let refused = send_during(&server, &request, || delete(&server, &media));
        assert_eq!(refused.status, 412, "{}", refused.text());
        assert_eq!(media_count(&server, nid), 0);
    }
}

/// A node of the lodger's own and a use, on a server that knows nobody but the usual people and the lodger.
fn own_node() -> (TestServer, i64, i64) {
    let server = TestServer::start();
    server.introduce(LODGER);
    let node = server.post("/node?_format=json").signed_in(LODGER);
    let node = node.json(server.object("Let")).send().expect(201);
    let use_tid = server.term("islandora_media_use", "Original File");
    (server, node.created(), use_tid)
}

/// Whatever an administrator does to the lodger's account meanwhile, nothing comes of the bytes.
fn refuse_lodger(make: impl for<'s> Fn(&'s TestServer, i64, i64) -> Request<'s>) {
    for change in [json!({"active": false}), json!({"roles": []})] {
        let (server, nid, use_tid) = own_node();
        let request = make(&server, nid, use_tid);
        let change = || {
            let account = server.patch("/api/v1/users/4").as_admin();
            account.json(change).send().expect(200);
        };
        let refused = send_during(&server, &request, change);
        assert_eq!(refused.status, 403, "{}", refused.text());
        server.until_staging_is_empty();
        assert_eq!((media_count(&server, nid), server.stored_files()), (0, 0));
    }
}

#[test]
fn an_account_that_changes_meanwhile_is_asked_for_as_it_is_then() {
    refuse_lodger(|server, nid, use_tid| {
        put(server, nid, use_tid, LODGER).body("text/plain", long())
    });
}

#[test]
fn so_it_is_with_a_file_that_no_media_uses_yet() {
    refuse_lodger(|server, _, _| {
        let request = server.post("/file/upload/media/file/field_media_file?_format=json");
        let request = request.signed_in(LODGER);
        let request = request.header("Content-Disposition", "file; filename=\"a.txt\"");
        request.body("application/octet-stream", long())
    });
}

#[test]
fn so_it_is_with_the_last_part() {
    refuse_lodger(|server, nid, use_tid| {
        let path = begin(server, &put(server, nid, use_tid, LODGER));
        let last = server.patch(&path).signed_in(LODGER);
        let last = last.header("Upload-Offset", "0");
        let last = last.header("Upload-Complete", "?1");
        last.body("application/partial-upload", long())
    });
}
