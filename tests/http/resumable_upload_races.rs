//! Uploads in parts under which something changes: they are given up, their node or their user goes.

use std::io::{BufReader, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpStream};

use serde_json::json;

use crate::put_upload::{download, media_count, text_upload};
use crate::resumable_upload::{begin, begun, offset, part};
use crate::support::{Person, Request, Response, TestServer, wire};

/// Sends a request but for the last bytes of its body.
fn send_but(server: &TestServer, request: &Request<'_>, missing: usize) -> TcpStream {
    let encoded = request.encode();
    let mut stream =
        wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
    let some = &encoded[..encoded.len() - missing];
    stream.write_all(some).expect("the server reads");
    stream
}

fn answer(stream: TcpStream) -> Response {
    wire::read_response(&mut BufReader::new(stream), false).expect("an answer")
}

/// Waits until no bytes of uploads in parts are left on disk.
fn until_no_parts(server: &TestServer) {
    for _ in 0..600 {
        if server.uploads_in_parts() == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{} uploads are left", server.uploads_in_parts());
}

#[test]
fn a_beginning_that_breaks_off_leaves_no_upload() {
    // All of them may come in at the same time.
    let server = TestServer::start_with("[limits]\nuploads = 200\n");
    let (_, request) = text_upload(&server, "public://parts/begun.txt");
    let request = request.header("Upload-Complete", "?0");
    let whole = request.clone().body("text/plain", "x".repeat(300_000));
    // One more than somebody may leave unfinished.
    for _ in 0..101 {
        let stream = send_but(&server, &whole, 100_000);
        stream.shutdown(Shutdown::Both).expect("an open connection");
    }
    until_no_parts(&server);
    let path = begun(&server, request.body("text/plain", "").send());
    assert_eq!(offset(&server, &path), 0);
}

#[test]
fn giving_up_ends_the_part_that_is_on_its_way() {
    let server = TestServer::start();
    let (nid, request) = text_upload(&server, "public://parts/given_up.txt");
    let path = begin(&server, &request);
    let last = send_but(&server, &part(&server, &path, 0, "?1", "some more"), 5);
    server.delete(&path).as_admin().send().expect(204);
    let refused = answer(last);
    // Whichever of the two the server heard first.
    assert!([404, 409].contains(&refused.status), "{}", refused.text());
    server.head(&path).as_admin().send().expect(404);
    server.delete(&path).as_admin().send().expect(404);
    until_no_parts(&server);
    assert_eq!(media_count(&server, nid), 0);
}

#[test]
fn a_node_that_goes_while_the_last_part_comes_gets_no_media() {
    let server = TestServer::start();
    let (nid, request) = text_upload(&server, "public://parts/orphan.txt");
    let path = begin(&server, &request);
    let mut last = send_but(&server, &part(&server, &path, 0, "?1", "some more"), 5);
    let node = format!("/node/{nid}?_format=json");
    server.delete(&node).as_admin().send().expect(204);
    last.write_all(b" more").expect("the server reads");
    let refused = answer(last);
    assert_eq!(refused.status, 404, "{}", refused.text());
    assert_eq!(refused.header("upload-complete"), Some("?1"));
    server.head(&path).as_admin().send().expect(404);
    until_no_parts(&server);
    server.until_staging_is_empty();
    assert_eq!(server.stored_files(), 0);
}

/// May fill nodes of their own.
pub const LODGER: Person = Person {
    uid: 4,
    name: "lodger",
    password: "a lodger's password",
    permissions: &[
        "access content",
        "create media",
        "create islandora_object content",
        "edit own islandora_object content",
    ],
};

/// An upload to an object of the lodger; the object's id, and where the upload goes on.
fn begun_by_lodger(server: &TestServer, uri: &str) -> (i64, String) {
    server.introduce(LODGER);
    let node = server.post("/node?_format=json").signed_in(LODGER);
    let nid = node.json(server.object("Let")).send().expect(201).created();
    let place = server.put(&server.upload_path(nid, "file", "Original File"));
    let place = place.signed_in(LODGER);
    (nid, begin(server, &place.header("Content-Location", uri)))
}

/// The next bytes, from the lodger.
fn from_lodger<'a>(server: &'a TestServer, path: &str, complete: &str, bytes: &str) -> Request<'a> {
    let request = server.patch(path).signed_in(LODGER);
    let at = if complete == "?0" { "0" } else { "4" };
    let request = request.header("Upload-Offset", at);
    let request = request.header("Upload-Complete", complete);
    request.body("application/partial-upload", bytes)
}

#[test]
fn an_upload_waits_for_its_user_to_be_let_in_again() {
    let server = TestServer::start();
    let (nid, path) = begun_by_lodger(&server, "public://parts/let.txt");
    let lodger = |change| {
        server
            .patch("/api/v1/users/4")
            .as_admin()
            .json(change)
            .send()
    };
    from_lodger(&server, &path, "?0", "some").send().expect(204);

    lodger(json!({"active": false})).expect(200);
    let refused = from_lodger(&server, &path, "?1", " more").send();
    assert!([401, 403].contains(&refused.status), "{}", refused.text());
    // Nor is it anybody else's.
    part(&server, &path, 4, "?1", " more").send().expect(404);
    assert_eq!(media_count(&server, nid), 0);

    lodger(json!({"active": true})).expect(200);
    let last = from_lodger(&server, &path, "?1", " more")
        .send()
        .expect(201);
    assert_eq!(download(&server, last.created()), b"some more");
}

#[test]
fn a_permission_that_is_taken_away_between_parts_ends_the_upload() {
    let server = TestServer::start();
    let (nid, path) = begun_by_lodger(&server, "public://parts/barred.txt");
    from_lodger(&server, &path, "?0", "some").send().expect(204);
    let no_roles = server.patch("/api/v1/users/4").as_admin();
    no_roles.json(json!({"roles": []})).send().expect(200);
    let last = from_lodger(&server, &path, "?1", " more")
        .send()
        .expect(403);
    assert_eq!(last.header("upload-complete"), Some("?1"));
    until_no_parts(&server);
    assert_eq!(media_count(&server, nid), 0);
}

#[test]
fn after_its_last_byte_an_upload_takes_no_more() {
    let server = TestServer::start();
    let (nid, request) = text_upload(&server, "public://parts/ended.txt");
    let path = begin(&server, &request);
    let last = part(&server, &path, 0, "?1", "all").chunked();
    last.send().expect(201);
    part(&server, &path, 3, "?0", "more").send().expect(409);
    part(&server, &path, 3, "?1", "").send().expect(201);
    assert_eq!(media_count(&server, nid), 1);
}
