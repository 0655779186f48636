//! Uploads under which something changes while their bytes come.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::resumable_upload::begin;
use crate::resumable_upload_races::{LODGER, answer, send_but};
use crate::support::{ADMIN, Person, Request, Response, TestServer};
use crate::upload::media_count;

/// The beginning of a request that uploads to a node for a use.
fn put<'a>(server: &'a TestServer, nid: i64, use_tid: i64, person: Person) -> Request<'a> {
    let request = server.put(&format!("/node/{nid}/media/file/{use_tid}"));
    let request = request.signed_in(person);
    request.header("Content-Location", "public://changes/a.txt")
}

/// Uploads, with a change before the last bytes.
fn upload_during(server: &TestServer, request: Request<'_>, change: impl FnOnce()) -> Response {
    let mut stream = send_but(server, &request.body("text/plain", "x".repeat(100_000)), 10);
    // Asked for on another connection, so that the first bytes have been taken in.
    server.get("/api/v1/session").send().expect(200);
    change();
    stream.write_all(b"xxxxxxxxxx").expect("the server reads");
    answer(stream)
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
        let change = || delete(&server, &format!("/{goes}/{id}?_format=json"));
        let refused = upload_during(&server, put(&server, nid, use_tid, ADMIN), change);
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
        let made = put(&server, nid, use_tid, ADMIN)
            .body("text/plain", "made")
            .send()
            .expect(201);
        let media = format!("/media/{}?_format=json", made.created());
        let etag = server.get(&media).send().expect(200).etag().to_owned();
        let condition = if condition == "*" { "*" } else { &etag };
        let request = put(&server, nid, use_tid, ADMIN).header("If-Match", condition);
        let change = || delete(&server, &media);
        let refused = upload_during(&server, request, change);
        assert_eq!(refused.status, 412, "{}", refused.text());
        assert_eq!(media_count(&server, nid), 0);
    }
}

/// What an administrator may do to an account while its user uploads.
fn changes() -> [Value; 2] {
    [json!({"active": false}), json!({"roles": []})]
}

/// A node of the lodger's own, on a server that knows nobody but the usual people and the lodger.
fn own_node() -> (TestServer, i64) {
    let server = TestServer::start();
    server.introduce(LODGER);
    let node = server.post("/node?_format=json").signed_in(LODGER);
    let node = node.json(server.object("Let")).send().expect(201);
    (server, node.created())
}

#[test]
fn an_account_that_changes_meanwhile_is_asked_for_as_it_is_then() {
    for change in changes() {
        let (server, nid) = own_node();
        let use_tid = server.term("islandora_media_use", "Original File");
        let change = || {
            let account = server.patch("/api/v1/users/4").as_admin();
            account.json(change).send().expect(200);
        };
        let refused = upload_during(&server, put(&server, nid, use_tid, LODGER), change);
        assert!([401, 403].contains(&refused.status), "{}", refused.text());
        server.until_staging_is_empty();
        assert_eq!((media_count(&server, nid), server.stored_files()), (0, 0));
    }
}

#[test]
fn so_it_is_with_the_last_part() {
    for change in changes() {
        let (server, nid) = own_node();
        let use_tid = server.term("islandora_media_use", "Original File");
        let path = begin(&server, &put(&server, nid, use_tid, LODGER));
        let last = server.patch(&path).signed_in(LODGER);
        let last = last
            .header("Upload-Offset", "0")
            .header("Upload-Complete", "?1");
        let last = last.body("application/partial-upload", "x".repeat(100_000));
        let mut stream = send_but(&server, &last, 10);
        server.get("/api/v1/session").send().expect(200);
        let account = server.patch("/api/v1/users/4").as_admin();
        account.json(change).send().expect(200);
        stream.write_all(b"xxxxxxxxxx").expect("the server reads");
        let refused = answer(stream);
        assert!([401, 403].contains(&refused.status), "{}", refused.text());
        assert_eq!((media_count(&server, nid), server.stored_files()), (0, 0));
    }
}
