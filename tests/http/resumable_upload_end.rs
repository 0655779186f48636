//! How uploads in parts end: checked, accepted, refused, or not heard.

use serde_json::json;

use crate::put_upload::{download, media_count, text_upload};
use crate::resumable_upload::{begin, offset, part};
use crate::support::{Person, TestServer};

#[test]
fn parts_and_the_whole_are_checked() {
    // Of `hello world` and a line break, of `hello ` and of nothing.
    const WHOLE: &str = "sha-256=:qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7A+4XSmaGSpEc=:";
    const FIRST: &str = "sha-256=:XjI1qDRuWkWF+MWFYvUFK4/iajuxIuHpbHZ4SWTfxGE=:";
    const NOTHING: &str = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://parts/checked.txt");
    let request = request.header("Want-Repr-Digest", "md5=5, sha-512=1");
    let path = begin(server, &request.clone().header("Repr-Digest", WHOLE));
    let first = part(server, &path, 0, "?0", "hello ");
    first
        .clone()
        .header("Content-Digest", NOTHING)
        .send()
        .expect(400);
    first
        .clone()
        .header("Content-Digest", "sha-256=x y")
        .send()
        .expect(400);
    assert_eq!(offset(server, &path), 0);
    first.header("Content-Digest", FIRST).send().expect(204);
    let last = part(server, &path, 6, "?1", "world\n").send().expect(201);
    assert_eq!(
        last.header("repr-digest"),
        Some("md5=:b1kCrCNwJL3QwXbLkwY9xA==:")
    );

    let path = begin(server, &request.clone().header("Repr-Digest", NOTHING));
    part(server, &path, 0, "?0", "hello ").send().expect(204);
    let last = part(server, &path, 6, "?1", "world\n").send().expect(400);
    assert_eq!(last.header("upload-complete"), Some("?1"));
    server.head(&path).as_admin().send().expect(404);
    assert_eq!(media_count(server, nid), 1);

    let refused = request
        .clone()
        .header("Upload-Complete", "?0")
        .header("Content-Digest", FIRST);
    refused.body("text/plain", "other").send().expect(400);
    let refused = request
        .header("Upload-Complete", "?0")
        .header("Content-Encoding", "gzip");
    refused.body("text/plain", "").send().expect(415);
}

#[test]
fn the_last_part_is_refused_as_the_whole_would_be() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://parts/refused.txt");
    request
        .clone()
        .header("Upload-Complete", "?0")
        .header("If-Match", "\"1\"")
        .body("text/plain", "")
        .send()
        .expect(412);
    server
        .put(&format!("/node/{nid}/media/zzz/1"))
        .as_admin()
        .header("Upload-Complete", "?0")
        .send()
        .expect(404);
    let uploading = begin(server, &request);
    server
        .delete(&format!("/node/{nid}?_format=json"))
        .as_admin()
        .send()
        .expect(204);
    let last = part(server, &uploading, 0, "?1", "text").send().expect(404);
    assert_eq!(last.header("upload-complete"), Some("?1"));
    assert!(
        last.message()
            .contains("islandora.media_source_put_to_node"),
        "{}",
        last.message()
    );
    server.head(&uploading).as_admin().send().expect(404);

    let (_, request) = text_upload(server, "public://parts/empty.txt");
    let path = begin(server, &request);
    part(server, &path, 0, "?1", "")
        .send()
        .expect_message(400, "No bytes were copied to public://parts/empty.txt");
}

#[test]
fn permission_is_asked_for_again_at_the_end() {
    const TEMPORARY: Person = Person {
        uid: 4,
        name: "temporary",
        password: "a temporary password",
        permissions: &[
            "access content",
            "create media",
            "edit own islandora_object content",
            "create islandora_object content",
        ],
    };
    let server = TestServer::start();
    server.introduce(TEMPORARY);
    let nid = server
        .post("/node?_format=json")
        .signed_in(TEMPORARY)
        .json(server.object("Lent"))
        .send()
        .expect(201)
        .created();
    let request = server
        .put(&server.upload_path(nid, "file", "Original File"))
        .signed_in(TEMPORARY);
    let path = begin(
        &server,
        &request.header("Content-Location", "public://parts/lent.txt"),
    );
    let owner = json!({"type": [{"target_id": "islandora_object"}], "uid": [{"target_id": 1}]});
    server
        .patch(&format!("/node/{nid}?_format=json"))
        .as_admin()
        .json(owner)
        .send()
        .expect(200);
    let last = server.patch(&path).signed_in(TEMPORARY);
    let last = last
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?1");
    let last = last
        .body("application/partial-upload", "late")
        .send()
        .expect(403);
    assert_eq!(last.header("upload-complete"), Some("?1"));
    assert_eq!(media_count(&server, nid), 0);
}

#[test]
fn an_answer_that_was_lost_is_given_again() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://parts/lost.txt");
    let path = begin(server, &request);
    let first = part(server, &path, 0, "?1", "heard").send().expect(201);
    let state = server.head(&path).as_admin().send().expect(204);
    assert_eq!(state.header("upload-complete"), Some("?1"));
    assert_eq!(state.header("upload-offset"), Some("5"));
    let second = part(server, &path, 5, "?1", "").send().expect(201);
    assert_eq!(second.header("location"), first.header("location"));
    part(server, &path, 5, "?0", "more").send().expect(409);
    assert_eq!(media_count(server, nid), 1);
    assert_eq!(download(server, first.created()), b"heard");
}
