//! `PUT /media/{mid}/source`: beyond the recorded exchanges.

use serde_json::json;

use crate::support::{Person, TestServer, png};

#[test]
fn new_bytes_make_a_new_revision_of_the_media() {
    let server = TestServer::shared();
    let nid = server.create_object("Source");
    let mid = server.upload_image(nid, "public://source/a.png");
    let before = server.media(mid);
    let path = format!("/media/{mid}/source");
    let answer = server
        .put(&path)
        .as_admin()
        .body("image/png", png(20, 10))
        .send()
        .expect(204);
    assert!(answer.body.is_empty());
    let after = server.media(mid);
    assert_eq!(after["field_width"][0]["value"], 20);
    assert_eq!(after["field_media_image"][0]["width"], 20);
    assert_eq!(
        before["field_media_image"][0]["target_id"],
        after["field_media_image"][0]["target_id"]
    );
    assert!(after["vid"][0]["value"].as_i64() > before["vid"][0]["value"].as_i64());
}

#[test]
fn an_empty_body_changes_nothing() {
    let server = TestServer::shared();
    let nid = server.create_object("Source");
    let mid = server.upload_image(nid, "public://source/kept.png");
    let before = server.media(mid);
    let answer = server
        .put(&format!("/media/{mid}/source"))
        .as_admin()
        .body("image/png", "")
        .send()
        .expect(400);
    assert!(
        answer.message().starts_with("No bytes were copied to "),
        "{}",
        answer.message()
    );
    assert_eq!(server.media(mid), before);
    let bytes = server
        .get("/sites/default/files/source/kept.png")
        .send()
        .expect(200)
        .body;
    assert_eq!(bytes, png(7, 5));
}

#[test]
fn a_stale_etag_is_a_412() {
    let server = TestServer::shared();
    let nid = server.create_object("Source");
    let mid = server.upload_image(nid, "public://source/raced.png");
    let etag = server
        .get(&format!("/media/{mid}?_format=json"))
        .as_admin()
        .send()
        .etag()
        .to_owned();
    let put = || {
        server
            .put(&format!("/media/{mid}/source"))
            .as_admin()
            .header("If-Match", etag.clone())
            .body("image/png", png(20, 10))
            .send()
    };
    put().expect(204);
    put().expect(412);
}

#[test]
fn a_derivative_goes_to_the_field_it_is_for() {
    let server = TestServer::shared();
    let nid = server.create_object("Derivative");
    let mid = server.upload_image(nid, "public://source/original.png");
    let put = |field: &str| {
        server
            .put(&format!("/media/add_derivative/{mid}/{field}"))
            .as_admin()
            .header("Content-Location", "public://source/derived.png")
            .body("image/png", png(20, 10))
            .send()
    };
    put("field_zzz").expect_message(400, "Media does not have destination field field_zzz");
    let answer = put("field_media_image");
    assert!(
        [201, 204].contains(&answer.status),
        "{} {}",
        answer.status,
        answer.text()
    );
    assert_eq!(server.media(mid)["field_media_image"][0]["width"], 20);
    let path = format!("/media/add_derivative/{mid}/field_media_image");
    let unaddressed = server.put(&path).as_admin().body("image/png", png(7, 5));
    unaddressed
        .send()
        .expect_message(400, "Missing Content-Location header");
    assert_eq!(server.media(mid)["field_media_image"][0]["width"], 20);
}

const COLLAGIST: Person = Person {
    uid: 4,
    name: "collagist",
    password: "scissors and glue",
    permissions: &[
        "create media",
        "create islandora_object content",
        "edit own islandora_object content",
    ],
};

#[test]
fn bytes_that_anothers_media_shows_too_cannot_be_replaced_through_ones_own() {
    let server = TestServer::start();
    server.introduce(COLLAGIST);
    let mid = server.upload_image(server.create_object("Theirs"), "public://source/shared.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    let created = server.post("/node?_format=json").signed_in(COLLAGIST);
    let nid = created
        .json(server.object("Own"))
        .send()
        .expect(201)
        .created();
    let body = json!({
        "bundle": [{"target_id": "image"}],
        "name": [{"value": "Collage"}],
        "field_media_image": [{"target_id": fid, "alt": ""}],
        "field_media_of": [{"target_id": nid}],
        "field_media_use": [{"target_id": server.term("islandora_media_use", "Original File")}],
    });
    let created = server
        .post("/entity/media?_format=json")
        .signed_in(COLLAGIST);
    created.json(body).send().expect(201);
    let path = server.upload_path(nid, "image", "Original File");
    let replaced = server.put(&path).signed_in(COLLAGIST);
    let answer = replaced.body("image/png", png(20, 10)).send();
    answer.expect_message(403, "The 'update media' permission is required.");
    let bytes = server.get("/sites/default/files/source/shared.png").send();
    assert_eq!(bytes.expect(200).body, png(7, 5));
}
