//! Uploads under which something changes while their bytes come.

use std::io::Write as _;

use crate::resumable_upload_races::{answer, send_but};
use crate::support::{Response, TestServer};
use crate::upload::media_count;

/// Uploads to a node for a use, with a change before the last bytes.
fn upload_during(
    server: &TestServer,
    (nid, use_tid): (i64, i64),
    condition: Option<&str>,
    change: impl FnOnce(),
) -> Response {
    let request = server.put(&format!("/node/{nid}/media/file/{use_tid}"));
    let mut request = request
        .as_admin()
        .header("Content-Location", "public://changes/a.txt");
    if let Some(tag) = condition {
        request = request.header("If-Match", tag);
    }
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
        let refused = upload_during(&server, (nid, use_tid), None, change);
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
        let made = upload_during(&server, (nid, use_tid), None, || {}).expect(201);
        let media = format!("/media/{}?_format=json", made.created());
        let etag = server.get(&media).send().expect(200).etag().to_owned();
        let condition = if condition == "*" { "*" } else { &etag };
        let change = || delete(&server, &media);
        let refused = upload_during(&server, (nid, use_tid), Some(condition), change);
        assert_eq!(refused.status, 412, "{}", refused.text());
        assert_eq!(media_count(&server, nid), 0);
    }
}
