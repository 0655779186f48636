//! `/media/{mid}` and `/entity/media`: beyond the recorded exchanges.

use serde_json::{Value, json};

use crate::support::content_model::{assert_shows, bundles, fields, sample};
use crate::support::{TestServer, merge, png};

/// A file uploaded for a source field; its id.
fn upload(server: &TestServer, bundle: &Value, field: &Value) -> i64 {
    let extension = field["file_extensions"][0].as_str().unwrap_or("txt");
    let path = format!(
        "/file/upload/media/{}/{}",
        bundle["id"].as_str().expect("an id"),
        field["name"].as_str().expect("a name")
    );
    server
        .post(&path)
        .as_admin()
        .header(
            "Content-Disposition",
            format!("file; filename=\"sample.{extension}\""),
        )
        .body("application/octet-stream", png(7, 5))
        .send()
        .expect(201)
        .value("fid")
        .as_i64()
        .expect("a fid")
}

/// The least body that makes a media of a type.
fn body_of(server: &TestServer, bundle: &Value) -> Value {
    let source = bundle["source_field"]
        .as_str()
        .expect("media types have a source");
    let field = fields(bundle)
        .iter()
        .find(|field| field["name"] == source)
        .expect("the source is a field");
    let item = match field["type"].as_str() {
        Some("string") => json!({"value": "https://www.youtube.com/watch?v=abc"}),
        _ => json!({"target_id": upload(server, bundle, field), "alt": "words"}),
    };
    json!({"bundle": [{"target_id": bundle["id"]}], "name": [{"value": "Sample"}], source: [item]})
}

#[test]
fn every_media_type_is_created_read_changed_and_deleted() {
    let server = TestServer::shared();
    for bundle in bundles("media") {
        let body = body_of(server, &bundle);
        let created = server
            .post("/entity/media?_format=json")
            .as_admin()
            .json(body.clone())
            .send()
            .expect(201);
        let path = format!("/media/{}?_format=json", created.created());
        let read = server.get(&path).as_admin().send().expect(200);
        assert_eq!(created.json(), read.json(), "{}", bundle["id"]);

        // the interface says `type` where other clients say `bundle`
        for key in ["bundle", "type"] {
            let change = json!({key: body["bundle"], "name": [{"value": key}]});
            let changed = server
                .patch(&path)
                .as_admin()
                .json(change)
                .send()
                .expect(200);
            assert_eq!(changed.value("name"), key);
            assert_eq!(server.get(&path).as_admin().send().json(), changed.json());
        }
        server.delete(&path).as_admin().send().expect(204);
        server.get(&path).as_admin().send().expect(404);
    }
}

#[test]
fn every_field_of_every_media_type_keeps_what_it_is_given() {
    let server = TestServer::shared();
    for bundle in bundles("media") {
        let mut body = body_of(server, &bundle);
        let mut expected = Vec::new();
        for field in fields(&bundle)
            .iter()
            .filter(|field| field["name"] != bundle["source_field"])
        {
            if let Some((items, members)) = sample(server, field) {
                let name = field["name"]
                    .as_str()
                    .expect("fields have names")
                    .to_owned();
                body[&name] = items;
                expected.push((name, members));
            }
        }
        let mid = server
            .post("/entity/media?_format=json")
            .as_admin()
            .json(body)
            .send()
            .expect(201)
            .created();
        let read = server.media(mid);
        for (name, members) in expected {
            assert_shows(
                &format!("{} {name}", bundle["id"]),
                &read[&name][0],
                &members,
            );
        }
    }
}

#[test]
fn an_image_knows_its_size() {
    let server = TestServer::shared();
    let nid = server.create_object("With an image");
    let media = server.media(server.upload_image(nid, "public://media/size.png"));
    assert_eq!(media["field_width"], json!([{"value": 7}]));
    assert_eq!(media["field_height"], json!([{"value": 5}]));
    assert_eq!(
        media["field_file_size"],
        json!([{"value": png(7, 5).len()}])
    );
    assert_eq!(media["field_mime_type"], json!([{"value": "image/png"}]));
    assert_eq!(media["name"], json!([{"value": "size.png"}]));
}

#[test]
fn every_change_is_a_revision() {
    let server = TestServer::shared();
    let nid = server.create_object("With a media");
    let mid = server.upload_image(nid, "public://media/revised.png");
    let before = server.media(mid)["vid"][0]["value"]
        .as_i64()
        .expect("a vid");
    let change = json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Renamed"}]});
    let after = server
        .patch(&format!("/media/{mid}"))
        .as_admin()
        .json(change)
        .send()
        .expect(200);
    assert!(after.value("vid").as_i64().expect("a vid") > before);
}

#[test]
fn a_media_needs_its_type_its_name_and_its_source() {
    let server = TestServer::shared();
    let whole = body_of(
        server,
        &bundles("media")
            .into_iter()
            .find(|bundle| bundle["id"] == "document")
            .expect("documents exist"),
    );
    let post = |body: Value| {
        server
            .post("/entity/media?_format=json")
            .as_admin()
            .json(body)
            .send()
    };
    post(merge(
        whole.clone(),
        json!({"name": [], "field_media_document": []}),
    ))
    .expect_violations(&[
        "name: This value should not be null.",
        "field_media_document: This value should not be null.",
    ]);
    post(merge(
        whole.clone(),
        json!({"bundle": [{"target_id": "zzz"}]}),
    ))
    .expect_message(
        422,
        "\"zzz\" is not a valid bundle type for denormalization.",
    );
    server
        .patch("/media/99999999")
        .as_admin()
        .json(json!({"name": [{"value": "x"}]}))
        .send()
        .expect(404);
}

#[test]
fn neither_bundle_nor_type_is_a_422() {
    let server = TestServer::shared();
    let nid = server.create_object("Bundle wanted");
    let mid = server.upload_image(nid, "public://media/wanted.png");
    server
        .patch(&format!("/media/{mid}"))
        .as_admin()
        .json(json!({"name": [{"value": "x"}]}))
        .send()
        .expect(422);
}

#[test]
fn a_file_of_the_wrong_kind_is_refused() {
    let server = TestServer::shared();
    let nid = server.create_object("Wrong kind");
    let mid = server.upload_image(nid, "public://media/wrong.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    let body = json!({"bundle": [{"target_id": "document"}], "name": [{"value": "x"}], "field_media_document": [{"target_id": fid}]});
    let answer = server
        .post("/entity/media")
        .as_admin()
        .json(body)
        .send()
        .expect(422)
        .message();
    assert!(
        answer.contains(
            "field_media_document.0: Only files with the following extensions are allowed: "
        ),
        "{answer}"
    );
}

#[test]
fn a_file_that_is_hidden_from_somebody_is_not_theirs_to_attach() {
    let server = TestServer::shared();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let mid = server.upload_image(nid, "public://media/not-theirs.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    let body = json!({
        "bundle": [{"target_id": "image"}],
        "name": [{"value": "Mine now"}],
        "field_media_image": [{"target_id": fid, "alt": ""}],
    });
    let path = "/entity/media?_format=json";
    let refused = server.post(path).as_depositor().json(body.clone()).send();
    let words = format!(
        "field_media_image.0.target_id: The referenced entity (file: {fid}) does not exist."
    );
    refused.expect_violations(&[&words]);
    let bytes = "/sites/default/files/media/not-theirs.png";
    assert_ne!(server.get(bytes).as_depositor().send().status, 200);
    server.post(path).as_admin().json(body).send().expect(201);
}
