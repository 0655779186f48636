//! `/api/v1/items/{nid}/pages`: who may have the pages of a file made, and of what. What becomes of them is for the
//! program to show, which alone starts processes (tests/cli/derivatives/pages.rs).

use serde_json::{Value, json};

use crate::support::{Person, Response, TestServer};

const TIFF: &[u8] = include_bytes!("../samples/pictures/pages.tif");

/// May add items and give them files, and change nothing of others.
const CREATOR: Person = Person {
    uid: 4,
    name: "creator",
    password: "a creator's password",
    permissions: &[
        "access content",
        "view media",
        "create islandora_object content",
        "create file media",
    ],
};

/// May add items, but no files.
const DESCRIBER: Person = Person {
    uid: 5,
    name: "describer",
    password: "a describer's password",
    permissions: &[
        "access content",
        "view media",
        "create islandora_object content",
        "edit any islandora_object content",
    ],
};

/// An item of a model, with an original of three pages.
fn book(server: &TestServer, model: &str, more: Value) -> i64 {
    let mut fields = more;
    fields["field_model"] = json!([{"target_id": server.term("islandora_models", model)}]);
    let nid = server.create_object_with("Atlas", fields);
    upload(server, nid, "image/tiff", TIFF);
    nid
}

#[track_caller]
fn upload(server: &TestServer, nid: i64, mime: &str, bytes: &[u8]) -> i64 {
    let upload = server.put(&server.upload_path(nid, "file", "Original File"));
    let upload = upload
        .as_admin()
        .header("Content-Location", "public://atlas.tif");
    upload
        .body(mime, bytes.to_vec())
        .send()
        .expect(201)
        .created()
}

fn path(nid: i64) -> String {
    format!("/api/v1/items/{nid}/pages")
}

/// Has the pages made, as the administrator.
fn make(server: &TestServer, nid: i64, body: Value) -> Response {
    server.post(&path(nid)).as_admin().json(body).send()
}

#[test]
fn what_has_no_pages_is_refused_in_words() {
    let server = TestServer::start();
    let nid = server.create_object("Nothing");
    let refused = |nid: i64| make(&server, nid, json!({})).expect(422).json();
    let words = "The item has no TIFF or PDF as its original file.";
    assert_eq!(refused(nid)["message"], words);
    server.upload_image(nid, "public://a.png");
    assert_eq!(refused(nid)["message"], words);
    let collection = book(&server, "Collection", json!({}));
    assert_eq!(refused(collection)["message"], "A collection has no pages.");
    make(&server, 99_999, json!({})).expect(404);
    let none = server.get(&path(nid)).as_admin().send().expect(200).json();
    let expected = json!({"pages": null, "made": 0, "may_make": false, "batch": null});
    assert_eq!(none, expected);
}

#[test]
fn the_title_of_a_page_holds_its_number() {
    let server = TestServer::start();
    let nid = book(&server, "Image", json!({}));
    for title in [
        "{title}",
        "",
        "{page}\n",
        &format!("{{page}}{}", "x".repeat(250)),
    ] {
        let answer = make(&server, nid, json!({"title": title}))
            .expect(422)
            .json();
        assert_eq!(answer["code"], "invalid_fields", "{title:?}");
        assert_eq!(answer["violations"][0]["field"], "title", "{title:?}");
    }
    make(&server, nid, json!({"name": "x"})).expect(422);
    make(&server, nid, json!([])).expect(422);
    let plain = server
        .post(&path(nid))
        .as_admin()
        .body("text/plain", b"{}".to_vec());
    plain.send().expect(415);
    let begun = make(&server, nid, json!({"title": "{page} of {title}"}))
        .expect(202)
        .json();
    let change = &begun["change"];
    assert_eq!(
        (&change["act"], &change["pattern"]),
        (&json!("make_pages"), &json!("{page} of {title}"))
    );
    let other = book(&server, "Image", json!({}));
    let empty = server.post(&path(other)).as_admin().send();
    let empty = empty.expect(202).json();
    assert_eq!(empty["change"]["pattern"], "{title}, page {page}");
}

#[test]
fn the_policy_is_asked_for_items_files_and_the_item_itself() {
    let server = TestServer::start();
    server.introduce(CREATOR);
    server.introduce(DESCRIBER);
    let (image, paged) = (
        book(&server, "Image", json!({})),
        book(&server, "Paged Content", json!({})),
    );
    let hidden = book(
        &server,
        "Paged Content",
        json!({"status": [{"value": false}]}),
    );
    let ask = |person: Person, nid: i64| server.post(&path(nid)).signed_in(person).send();
    ask(CREATOR, paged).expect(202);
    ask(CREATOR, hidden).expect(404);
    let image_answer = ask(CREATOR, image).expect(403).json();
    let words = "The 'edit any islandora_object content' permission is required.";
    assert_eq!(image_answer["message"], words, "its model would change");
    let no_files = ask(DESCRIBER, paged).expect(403).json();
    assert!(
        no_files["message"]
            .as_str()
            .is_some_and(|words| words.contains("create file media")),
        "{no_files}"
    );
    server.post(&path(paged)).send().expect(401);
    let may = |person: Person, nid: i64| {
        let answer = server.get(&path(nid)).signed_in(person).send();
        answer.expect(200).json()["may_make"].as_bool()
    };
    assert_eq!(
        [may(CREATOR, paged), may(CREATOR, image)],
        [Some(true), Some(false)]
    );
    assert_eq!(
        [may(DESCRIBER, paged), may(DESCRIBER, image)],
        [Some(false); 2]
    );
}

#[test]
fn a_hidden_original_is_like_none() {
    let server = TestServer::start();
    server.introduce(CREATOR);
    let nid = server.create_object_with("Atlas", json!({}));
    let mid = upload(&server, nid, "application/pdf", b"%PDF-1.4\n");
    let hide = json!({"bundle": [{"target_id": "file"}], "status": [{"value": false}]});
    server
        .patch(&format!("/media/{mid}?_format=json"))
        .as_admin()
        .json(hide)
        .send()
        .expect(200);
    server
        .post(&path(nid))
        .signed_in(CREATOR)
        .send()
        .expect(422);
    server.post(&path(nid)).as_admin().send().expect(202);
}

#[test]
fn where_derivatives_are_switched_off_no_pages_are_made() {
    let server = TestServer::start_with("[derivatives]\nenabled = false\n");
    let nid = book(&server, "Image", json!({}));
    let answer = make(&server, nid, json!({})).expect(409).json();
    assert_eq!(answer["code"], "conflict");
    server.get(&path(nid)).as_admin().send().expect(200);
}
