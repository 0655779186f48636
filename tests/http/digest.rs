//! Checksums that are sent with bytes, and those that are asked for (RFC 9530), at every address that
//! takes or gives bytes.

use crate::put_upload::{download, media_count, text_upload};
use crate::support::{Request, Response, TestServer};

const HELLO: &str = "hello world\n";
const SHA512: &str = "sha-512=:2zl0qX8kB7fK4a5jfAAwaHoRkTJ01XhJJVjjnBbAF96E6s3Ixi/jTuThK0sUKIF/Cbaidgw/imZM6ulNJDSlkw==:";
const SHA256: &str = "sha-256=:qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7A+4XSmaGSpEc=:";
const MD5: &str = "md5=:b1kCrCNwJL3QwXbLkwY9xA==:";
/// Of nothing.
const OTHER_SHA256: &str = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";

fn hello(request: &Request<'_>, headers: &[(&str, &str)]) -> Response {
    let mut request = request.clone();
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.body("text/plain", HELLO).send()
}

#[test]
fn bytes_with_another_digest_than_promised_change_nothing() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://digest/promised.txt");
    let refused = [
        ("Content-Digest", OTHER_SHA256.to_owned()),
        ("Repr-Digest", OTHER_SHA256.to_owned()),
        ("Repr-Digest", format!("{SHA256}, sha-512=:YWJj:")),
        ("Repr-Digest", format!("{SHA512}, {OTHER_SHA256}")),
        ("Repr-Digest", "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:".to_owned()),
        ("Digest", "SHA-256=nonsense".to_owned()),
        (
            "Digest",
            "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=".to_owned(),
        ),
    ];
    for (name, value) in &refused {
        let message = hello(&request, &[(name, value)]).expect(400).message();
        assert!(message.contains("igest"), "{message}");
        assert_eq!(media_count(server, nid), 0, "{name}: {value}");
    }
    let mid = hello(&request, &[("Content-Digest", SHA256)])
        .expect(201)
        .created();
    let before = server.media(mid)["vid"].clone();
    for (name, value) in &refused {
        hello(&request, &[(name, value)]).expect(400);
    }
    assert_eq!(server.media(mid)["vid"], before);
    assert_eq!(download(server, mid), HELLO.as_bytes());
}

#[test]
fn every_digest_that_is_right_is_accepted() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://digest/right.txt");
    hello(
        &request,
        &[("Content-Digest", MD5), ("Repr-Digest", SHA256)],
    )
    .expect(201);
    hello(
        &request,
        &[("Repr-Digest", SHA512), ("Repr-Digest", SHA256)],
    )
    .expect(204);
    hello(
        &request,
        &[(
            "Digest",
            "SHA-256=qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7A+4XSmaGSpEc=",
        )],
    )
    .expect(204);
}

#[test]
fn digests_of_unknown_algorithms_promise_nothing() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://digest/unknown.txt");
    hello(&request, &[("Content-Digest", "crc32c=:YWJj:, unixsum=5")]).expect(201);
    hello(&request, &[("Repr-Digest", &format!("sha-3=?1, {SHA256}"))]).expect(204);
    hello(&request, &[("Digest", "CRC32c=abc,UNIXsum=30637")]).expect(204);
}

#[test]
fn malformed_fields_are_refused() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://digest/malformed.txt");
    for value in [
        "sha-256",
        "sha-256=:a",
        "Sha-256=:YWJj:",
        "=",
        "sha-256=:YWJj:,",
        "x=:YWJj",
    ] {
        for name in ["Content-Digest", "Repr-Digest"] {
            hello(&request, &[(name, value)]).expect(400);
        }
    }
    assert_eq!(media_count(server, nid), 0);
}

#[test]
fn a_stored_file_is_offered_with_the_digest_that_is_wanted() {
    let server = TestServer::shared();
    for scheme in ["public", "fedora"] {
        let (_, request) = text_upload(server, &format!("{scheme}://digest/wanted.txt"));
        let made = hello(
            &request,
            &[("Repr-Digest", SHA256), ("Want-Repr-Digest", "md5=10")],
        );
        let made = made.expect(201);
        assert_eq!(made.header("repr-digest"), Some(MD5));
        let path = match scheme {
            "public" => "/sites/default/files/digest/wanted.txt",
            _ => "/_flysystem/fedora/digest/wanted.txt",
        };
        for (wanted, given) in [
            ("sha-512=1", Some(SHA512)),
            ("sha-256=10, sha-512=3", Some(SHA256)),
            ("md5=5, sha-256=4", Some(MD5)),
            ("unixsum=10", Some(SHA512)),
            ("unixsum=10, sha-512=0", None),
            ("not a dictionary,,", None),
        ] {
            let ask = |method| {
                let request = server.request(method, path).as_admin();
                request.header("Want-Repr-Digest", wanted)
            };
            let whole = ask("GET").send().expect(200);
            let part = ask("GET").header("Range", "bytes=2-4").send().expect(206);
            let head = ask("HEAD").send().expect(200);
            assert_eq!(part.body, b"llo");
            for answer in [whole, part, head] {
                assert_eq!(
                    answer.header("repr-digest"),
                    given,
                    "{} {wanted}",
                    answer.request
                );
            }
        }
        let unasked = server.get(path).as_admin().send().expect(200);
        assert_eq!(unasked.header("repr-digest"), None);
    }
}

#[test]
fn a_digest_that_nobody_asked_for_in_time_is_given_as_sha_512() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://digest/late.txt");
    assert_eq!(hello(&request, &[]).expect(201).header("repr-digest"), None);
    let get = server
        .get("/sites/default/files/digest/late.txt")
        .as_admin();
    let get = get.header("Want-Repr-Digest", "sha-256=10, md5=5");
    assert_eq!(get.send().expect(200).header("repr-digest"), Some(SHA512));
    let replaced = hello(&request, &[("Want-Repr-Digest", "sha-256=10")]).expect(204);
    assert_eq!(replaced.header("repr-digest"), Some(SHA256));
}

#[test]
fn encoded_bytes_are_refused_at_every_address() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://digest/encoded.txt");
    let mid = hello(&request, &[("Content-Encoding", "Identity")])
        .expect(201)
        .created();
    let before = server.media(mid)["vid"].clone();
    let field = server
        .post("/file/upload/media/file/field_media_file")
        .as_admin();
    let field = field.header("Content-Disposition", "file; filename=\"encoded.txt\"");
    for request in [
        request,
        server.put(&format!("/media/{mid}/source")).as_admin(),
        server
            .put(&format!("/media/add_derivative/{mid}/field_media_file"))
            .as_admin()
            .header("Content-Location", "public://digest/derived.txt"),
        field,
    ] {
        for coding in ["gzip", "identity, br", "x-unknown"] {
            let mime = "application/octet-stream";
            let request = request.clone().header("Content-Encoding", coding);
            let answer = request.body(mime, HELLO).send().expect(415);
            assert_eq!(answer.header("accept-encoding"), Some("identity"));
            assert!(answer.message().contains("Content-Encoding"));
        }
    }
    assert_eq!(server.media(mid)["vid"], before);
    assert_eq!(media_count(server, nid), 1);
}
