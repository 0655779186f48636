//! `PUT /node/{nid}/media/{media_type}/{use_tid}`: beyond the recorded exchanges.

use serde_json::json;

use crate::support::{Request, TestServer, png};

/// An upload of some text as Original File of a new object.
pub fn text_upload<'a>(server: &'a TestServer, location: &str) -> (i64, Request<'a>) {
    let nid = server.create_object("Upload");
    let request = server
        .put(&server.upload_path(nid, "file", "Original File"))
        .as_admin()
        .header("Content-Location", location);
    (nid, request)
}

/// How many media a node has.
pub fn media_count(server: &TestServer, nid: i64) -> usize {
    let list = server
        .get(&format!("/api/v1/items/{nid}/media"))
        .as_admin()
        .send()
        .expect(200)
        .json();
    list["media"].as_array().expect("a list").len()
}

/// The bytes of the source file of a media.
pub fn download(server: &TestServer, mid: i64) -> Vec<u8> {
    let media = server.media(mid);
    let source = media
        .as_object()
        .expect("an object")
        .iter()
        .find(|(name, items)| {
            name.starts_with("field_media_") && items[0]["target_type"] == "file"
        });
    let url = source.expect("a source field").1[0]["url"]
        .as_str()
        .expect("an address")
        .to_owned();
    server
        .get(&server.path_of(&url))
        .as_admin()
        .send()
        .expect(200)
        .body
}

#[test]
fn bytes_come_back_as_they_were_sent() {
    let server = TestServer::shared();
    let bytes: Vec<u8> = (0..300_000u32).map(|number| (number % 251) as u8).collect();
    for chunked in [false, true] {
        for scheme in ["public", "fedora"] {
            let (_, request) = text_upload(server, &format!("{scheme}://upload/{chunked}.txt"));
            let request = request.body("text/plain", bytes.clone());
            let request = if chunked { request.chunked() } else { request };
            let answer = request.send().expect(201);
            assert!(answer.body.is_empty());
            assert!(
                download(server, answer.created()) == bytes,
                "{scheme} {chunked}"
            );
        }
    }
}

#[test]
fn replacing_keeps_the_address_and_serves_the_new_bytes() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://upload/replaced.txt");
    let mid = request
        .clone()
        .body("text/plain", "first")
        .send()
        .expect(201)
        .created();
    let before = server.media(mid);
    let answer = request
        .body("text/plain", "second, longer")
        .send()
        .expect(204);
    assert!(answer.body.is_empty());
    let after = server.media(mid);
    assert_eq!(media_count(server, nid), 1);
    assert_eq!(
        before["field_media_file"][0]["url"],
        after["field_media_file"][0]["url"]
    );
    assert_eq!(after["field_file_size"], json!([{"value": 14}]));
    assert!(after["vid"][0]["value"].as_i64() > before["vid"][0]["value"].as_i64());
    assert_eq!(download(server, mid), b"second, longer");
}

#[test]
fn a_replacement_that_is_no_image_clears_the_size_in_both_places() {
    let server = TestServer::shared();
    let nid = server.create_object("No longer an image");
    let mid = server.upload_image(nid, "public://upload/image.png");
    let path = server.upload_path(nid, "image", "Original File");
    server
        .put(&path)
        .as_admin()
        .body("text/plain", "not an image")
        .send()
        .expect(204);
    let media = server.media(mid);
    assert_eq!(media["field_width"], json!([]));
    assert_eq!(media["field_height"], json!([]));
    assert!(media["field_media_image"][0]["width"].is_null(), "{media}");
    assert!(media["field_media_image"][0]["height"].is_null(), "{media}");
}

#[test]
fn a_taken_address_gets_the_next_free_name() {
    let server = TestServer::shared();
    let (_, first) = text_upload(server, "public://upload/taken.txt");
    let first = first.body("text/plain", "of the first").send().expect(201);
    let (_, second) = text_upload(server, "public://upload/taken.txt");
    let second = second
        .body("text/plain", "of the second")
        .send()
        .expect(201);
    assert_eq!(
        first.header("content-location"),
        Some("public://upload/taken.txt")
    );
    assert_eq!(
        second.header("content-location"),
        Some("public://upload/taken_0.txt")
    );
    assert_eq!(download(server, first.created()), b"of the first");
    assert_eq!(download(server, second.created()), b"of the second");
}

#[test]
fn names_in_any_script_are_kept() {
    let server = TestServer::shared();
    for name in [
        "Città & mare.txt",
        "漢字.txt",
        "100%.txt",
        "a+b#c?.txt",
        "quote'\".txt",
    ] {
        let (_, request) = text_upload(server, &format!("public://upload/{name}"));
        let mid = request
            .body("text/plain", name)
            .send()
            .expect(201)
            .created();
        assert_eq!(server.media(mid)["name"], json!([{"value": name}]));
        assert_eq!(download(server, mid), name.as_bytes());
    }
    let (_, request) = text_upload(server, "public://upload/%C3%A9t%C3%A9.txt");
    let answer = request
        .header("X-Content-Location-Encoding", "percent")
        .body("text/plain", "x")
        .send();
    assert_eq!(
        server.media(answer.expect(201).created())["name"],
        json!([{"value": "été.txt"}])
    );
}

#[test]
fn bad_addresses_are_refused_and_nothing_is_written() {
    let server = TestServer::shared();
    let long = format!("public://{}.txt", "x".repeat(300));
    let locations = [
        "",
        "a.txt",
        "/a.txt",
        "public:/a.txt",
        "public://",
        "public:///a.txt",
        "public://../a.txt",
        "public://x/../../a.txt",
        "public://x/./a.txt",
        "public://x//a.txt",
        "public://x\\a.txt",
        "http://example.org/a.txt",
        "file:///etc/passwd.txt",
        "zzz://a.txt",
        "private://a.txt",
        "temporary://a.txt",
        "public://.htaccess.txt/",
        &long,
    ];
    let nid = server.create_object("Stays empty");
    let path = server.upload_path(nid, "file", "Original File");
    for location in locations {
        let request = server
            .put(&path)
            .as_admin()
            .header("Content-Location", location);
        let answer = request.body("text/plain", "text").send();
        assert!(
            answer.status == 400,
            "{location}: {} {}",
            answer.status,
            answer.text()
        );
        assert!(!answer.message().is_empty(), "{location}");
    }
    assert_eq!(media_count(server, nid), 0);
}

#[test]
fn an_upload_needs_its_headers_and_some_bytes() {
    let server = TestServer::shared();
    let (nid, request) = text_upload(server, "public://upload/needs.txt");
    request
        .clone()
        .bytes("x")
        .send()
        .expect_message(400, "Missing Content-Type header");
    request
        .body("text/plain", "")
        .send()
        .expect_message(400, "No bytes were copied to public://upload/needs.txt");
    let path = server.upload_path(nid, "file", "Original File");
    let answer = server
        .put(&path)
        .as_admin()
        .body("text/plain", "x")
        .send()
        .expect(400);
    assert!(
        answer.message().contains("Content-Location"),
        "{}",
        answer.message()
    );
    assert_eq!(media_count(server, nid), 0);
}

#[test]
fn only_who_may_change_the_node_and_create_media_uploads() {
    let server = TestServer::shared();
    let nid = server.create_object("Guarded");
    let path = server.upload_path(nid, "file", "Original File");
    let request = server
        .put(&path)
        .header("Content-Location", "public://upload/guarded.txt")
        .body("text/plain", "x");
    request
        .clone()
        .send()
        .expect_message(401, "No authentication credentials provided.");
    let refusal = request.clone().as_plain().send().expect(403).message();
    assert!(!refusal.is_empty());
    request.as_depositor().send().expect(201);
}

#[test]
fn unknown_places_are_404_before_anything_else() {
    let server = TestServer::shared();
    let nid = server.create_object("Known");
    let tid = server.term("islandora_media_use", "Original File");
    for (path, parameter) in [
        (format!("/node/99999999/media/file/{tid}"), "node"),
        (format!("/node/{nid}/media/zzz/{tid}"), "media_type"),
        (format!("/node/{nid}/media/file/99999999"), "taxonomy_term"),
        ("/node/99999999/media/zzz/abc".to_owned(), "node"),
        (format!("/node/{nid}/media/zzz/abc"), "media_type"),
        (format!("/node/{nid}/media/file/abc"), "taxonomy_term"),
    ] {
        let message = format!(
            "The \"{parameter}\" parameter was not converted for the path \"/node/{{node}}/media/{{media_type}}/{{taxonomy_term}}\" (route name: \"islandora.media_source_put_to_node\")"
        );
        server
            .put(&path)
            .body("text/plain", "x")
            .send()
            .expect_message(404, &message);
    }
    let other = server.term("islandora_models", "Image");
    let wrong = server
        .put(&format!("/node/{nid}/media/file/{other}"))
        .as_admin();
    wrong
        .header("Content-Location", "public://upload/x.txt")
        .body("text/plain", "x")
        .send()
        .expect(422);
}

#[test]
fn a_second_use_is_a_second_media() {
    let server = TestServer::shared();
    let nid = server.create_object("Two uses");
    let first = server.upload_image(nid, "public://upload/one.png");
    let second = server
        .put(&server.upload_path(nid, "image", "Service File"))
        .as_admin();
    let second = second
        .header("Content-Location", "public://upload/two.png")
        .body("image/png", png(20, 10))
        .send();
    assert_ne!(second.expect(201).created(), first);
    assert_eq!(media_count(server, nid), 2);
}
