//! Uploads in parts: `PUT` with `Upload-Complete: ?0`, then `/api/v1/uploads/{id}`
//! (draft-ietf-httpbis-resumable-upload-11).

use serde_json::json;

use crate::put_upload::{download, media_count, text_upload};
use crate::support::{Request, Response, TestServer};

/// Path of the upload that an answer has begun.
pub fn begun(server: &TestServer, answer: Response) -> String {
    let answer = answer.expect(201);
    assert_eq!(answer.header("upload-complete"), Some("?0"));
    let path = server.path_of(answer.header("location").expect("a Location"));
    assert!(path.starts_with("/api/v1/uploads/"), "{path}");
    path
}

/// Begins an upload of no bytes yet.
pub fn begin(server: &TestServer, request: &Request<'_>) -> String {
    let request = request.clone().header("Upload-Complete", "?0");
    begun(server, request.body("text/plain", "").send())
}

/// A part at an offset, the last one or not.
pub fn part<'a>(
    server: &'a TestServer,
    path: &str,
    offset: usize,
    complete: &str,
    bytes: &str,
) -> Request<'a> {
    let request = server.patch(path).as_admin();
    let request = request.header("Upload-Offset", offset.to_string());
    let request = request.header("Upload-Complete", complete);
    request.body("application/partial-upload", bytes)
}

/// How many bytes of an upload are on disk.
pub fn offset(server: &TestServer, path: &str) -> usize {
    let answer = server.head(path).as_admin().send().expect(204);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer
        .header("upload-offset")
        .expect("an offset")
        .parse()
        .expect("a number")
}

#[test]
fn parts_become_the_file_with_the_last_one() {
    let server = TestServer::shared();
    for scheme in ["public", "fedora"] {
        let (nid, request) = text_upload(server, &format!("{scheme}://parts/whole.txt"));
        let path = begin(server, &request.clone().header("Upload-Length", "11"));
        for (at, bytes) in [(0, "one "), (4, "two ")] {
            let answer = part(server, &path, at, "?0", bytes).send().expect(204);
            assert_eq!(answer.header("upload-complete"), Some("?0"));
            assert_eq!(answer.header("upload-offset"), Some(&*(at + 4).to_string()));
            assert_eq!(offset(server, &path), at + 4);
        }
        assert_eq!(media_count(server, nid), 0);
        let last = part(server, &path, 8, "?1", "six").send().expect(201);
        assert_eq!(last.header("upload-complete"), Some("?1"));
        assert!(
            last.header("content-location")
                .is_some_and(|uri| uri.starts_with(scheme))
        );
        assert_eq!(download(server, last.created()), b"one two six");

        let again = begin(server, &request);
        let last = part(server, &again, 0, "?1", "replaced").send().expect(204);
        assert_eq!(last.header("upload-complete"), Some("?1"));
        assert_eq!(media_count(server, nid), 1);
    }
}

#[test]
fn the_request_that_begins_may_bring_bytes() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/first.txt");
    let request = request
        .header("Upload-Complete", "?0")
        .header("Upload-Length", "10");
    for chunked in [false, true] {
        let first = request.clone().body("text/plain", "first");
        let first = if chunked { first.chunked() } else { first };
        let answer = first.send();
        assert_eq!(answer.header("upload-offset"), Some("5"));
        assert_eq!(answer.header("upload-length"), Some("10"));
        assert!(
            answer
                .header("upload-limit")
                .is_some_and(|limit| limit.contains("max-age="))
        );
        let path = begun(server, answer);
        let get = server.get(&path).as_admin().send().expect(204);
        assert_eq!(get.header("upload-length"), Some("10"));
        let last = part(server, &path, 5, "?1", " half");
        let last = if chunked { last.chunked() } else { last };
        let status = last.send().status;
        assert!(matches!(status, 201 | 204), "{status}");
    }
}

#[test]
fn every_address_of_uploads_takes_parts() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/everywhere.txt");
    let mid = request
        .body("text/plain", "whole")
        .send()
        .expect(201)
        .created();
    for address in [
        format!("/media/{mid}/source"),
        format!("/media/add_derivative/{mid}/field_media_file"),
    ] {
        let request = server.put(&address).as_admin();
        let request = request.header("Content-Location", "public://parts/derived.txt");
        let path = begin(server, &request);
        part(server, &path, 0, "?1", &address).send().expect(204);
        assert_eq!(download(server, mid), address.as_bytes());
    }
}

#[test]
fn a_part_goes_behind_what_is_there() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/offset.txt");
    let path = begin(server, &request);
    part(server, &path, 0, "?0", "four").send().expect(204);
    for (at, complete) in [(0, "?0"), (3, "?1"), (5, "?0")] {
        let answer = part(server, &path, at, complete, "more").send().expect(409);
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(answer.header("upload-offset"), Some("4"));
        assert_eq!(answer.header("upload-complete"), Some("?0"));
        let problem = answer.json();
        assert_eq!(
            problem["type"],
            "https://iana.org/assignments/http-problem-types#mismatching-upload-offset"
        );
        assert_eq!(
            (&problem["expected-offset"], &problem["provided-offset"]),
            (&json!(4), &json!(at))
        );
        assert!(!answer.message().is_empty());
    }
    assert_eq!(offset(server, &path), 4);
}

#[test]
fn what_is_said_of_the_length_has_to_agree() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://parts/length.txt");
    let inconsistent = |answer: Response| {
        let problem = answer.expect(400).json();
        let kind = problem["type"].as_str().unwrap_or_default();
        assert!(kind.ends_with("#inconsistent-upload-length"), "{problem}");
    };
    let path = begin(server, &request.clone().header("Upload-Length", "6"));
    inconsistent(part(server, &path, 0, "?0", "too long").send());
    inconsistent(part(server, &path, 0, "?1", "short").send());
    inconsistent(
        part(server, &path, 0, "?0", "six")
            .header("Upload-Length", "7")
            .send(),
    );
    inconsistent(part(server, &path, 0, "?1", "short").chunked().send());
    let rest = offset(server, &path);
    part(server, &path, rest, "?0", "").send().expect(204);
    // Only while they come it shows that these are too many: nothing can be made of them.
    inconsistent(part(server, &path, rest, "?0", "too long").chunked().send());
    server.head(&path).as_admin().send().expect(404);

    let whole = request.header("Upload-Complete", "?1");
    inconsistent(
        whole
            .clone()
            .header("Upload-Length", "3")
            .body("text/plain", "four")
            .send(),
    );
    assert_eq!(media_count(server, nid), 0);
    let answer = whole
        .header("Upload-Length", "4")
        .body("text/plain", "four")
        .send();
    assert_eq!(answer.expect(201).header("upload-complete"), Some("?1"));
}

#[test]
fn only_who_began_goes_on() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/whose.txt");
    let path = begin(server, &request);
    for method in ["HEAD", "PATCH", "DELETE"] {
        let request = server.request(method, &path);
        let request = request
            .header("Upload-Offset", "0")
            .header("Upload-Complete", "?1");
        let request = request.body("application/partial-upload", "x");
        request.clone().as_depositor().send().expect(404);
        request.clone().as_plain().send().expect(404);
        request.send().expect(401);
    }
    part(server, &path, 0, "?1", "mine").send().expect(201);
}

#[test]
fn what_is_given_up_is_gone() {
    let server = TestServer::start();
    let (nid, request) = text_upload(&server, "public://parts/gone.txt");
    let path = begin(&server, &request);
    part(&server, &path, 0, "?0", "bytes").send().expect(204);
    assert_eq!(server.uploads_in_parts(), 1);
    assert!(
        server
            .delete(&path)
            .as_admin()
            .send()
            .expect(204)
            .body
            .is_empty()
    );
    assert_eq!(server.uploads_in_parts(), 0);
    for request in [server.head(&path), server.delete(&path)] {
        request.as_admin().send().expect(404);
    }
    part(&server, &path, 5, "?1", "").send().expect(404);
    assert_eq!(media_count(&server, nid), 0);
}

#[test]
fn a_part_says_what_it_is() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://parts/says.txt");
    let path = begin(server, &request);
    let patch = || server.patch(&path).as_admin();
    let answer = patch()
        .body("application/octet-stream", "x")
        .send()
        .expect(415);
    assert_eq!(
        answer.header("accept-patch"),
        Some("application/partial-upload")
    );
    for (name, value) in [("Upload-Offset", "0"), ("Upload-Complete", "?1")] {
        patch()
            .header(name, value)
            .body("application/partial-upload", "x")
            .send()
            .expect(400);
    }
    for (at, complete) in [("-1", "?1"), ("x", "?1"), ("0", "1"), ("0", "true")] {
        let request = patch()
            .header("Upload-Offset", at)
            .header("Upload-Complete", complete);
        request
            .body("application/partial-upload", "x")
            .send()
            .expect(400);
    }
    let encoded = part(server, &path, 0, "?1", "x").header("Content-Encoding", "br");
    assert_eq!(
        encoded.send().expect(415).header("accept-encoding"),
        Some("identity")
    );
    for unknown in ["", "x", "../x", "00000000000000000000000000000000"] {
        server
            .head(&format!("/api/v1/uploads/{unknown}"))
            .as_admin()
            .send()
            .expect(404);
    }
    server.put(&path).as_admin().send().expect(405);
    assert_eq!(offset(server, &path), 0);
}

#[test]
fn addresses_of_uploads_say_that_they_take_parts() {
    let server = TestServer::shared();
    let (nid, _) = text_upload(server, "public://parts/options.txt");
    for path in [
        server.upload_path(nid, "file", "Original File"),
        "/media/1/source".into(),
    ] {
        let answer = server.request("OPTIONS", &path).send().expect(200);
        assert_eq!(answer.header("allow"), Some("PUT"));
        assert_eq!(
            answer.header("upload-limit"),
            Some("min-size=0, max-age=604800")
        );
    }
    let other = server.request("OPTIONS", "/node/1").send().expect(200);
    assert_eq!(other.header("upload-limit"), None);
    let file = server
        .post("/file/upload/media/file/field_media_file")
        .as_admin();
    let file = file
        .header("Content-Disposition", "file; filename=\"a.txt\"")
        .header("Upload-Complete", "?0");
    file.body("application/octet-stream", "half")
        .send()
        .expect(400);
}

#[test]
fn nobody_leaves_uploads_without_end() {
    let server = TestServer::start();
    let (_, request) = text_upload(&server, "public://parts/many.txt");
    let paths: Vec<String> = (0..100).map(|_| begin(&server, &request)).collect();
    let one_more = request
        .clone()
        .header("Upload-Complete", "?0")
        .body("text/plain", "");
    one_more.send().expect(429);
    assert_eq!(server.uploads_in_parts(), 100);
    server.delete(&paths[0]).as_admin().send().expect(204);
    begin(&server, &request);
}
