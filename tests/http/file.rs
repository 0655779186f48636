//! `/entity/file/{fid}`: beyond the recorded exchanges.

use serde_json::json;

use crate::support::TestServer;

/// A file of a published image; its id and the id of the media.
fn file(server: &TestServer, name: &str) -> (i64, i64) {
    let nid = server.create_object("With a file");
    let mid = server.upload_image(nid, &format!("public://file/{name}"));
    let fid = server.media(mid)["field_media_image"][0]["target_id"]
        .as_i64()
        .expect("a file");
    (fid, mid)
}

#[test]
fn a_file_is_read_and_deleted_and_nothing_else() {
    let server = TestServer::shared();
    let (fid, mid) = file(server, "only.png");
    let path = format!("/entity/file/{fid}?_format=json");
    let body = server.get(&path).send().expect(200).json();
    assert_eq!(body["uri"][0]["value"], "public://file/only.png");
    assert_eq!(body["uri"][0]["url"], "/sites/default/files/file/only.png");
    for method in ["PATCH", "PUT", "POST"] {
        let answer = server
            .request(method, &path)
            .as_admin()
            .json(json!({}))
            .send()
            .expect(405);
        let allow = answer.header("allow").unwrap_or_default();
        assert!(
            allow.contains("GET") && allow.contains("DELETE") && !allow.contains("PATCH"),
            "{allow}"
        );
    }
    server.delete(&path).send().expect(401);
    server.delete(&path).as_plain().send().expect(403);
    server.delete(&path).as_admin().send().expect(204);
    server.get(&path).send().expect(404);
    server
        .get("/sites/default/files/file/only.png")
        .as_admin()
        .send()
        .expect(404);
    assert_eq!(server.media(mid)["field_media_image"][0]["target_id"], fid);
}

#[test]
fn a_file_stays_when_its_media_is_deleted() {
    let server = TestServer::shared();
    let (fid, mid) = file(server, "stays.png");
    server
        .delete(&format!("/media/{mid}"))
        .as_admin()
        .send()
        .expect(204);
    server
        .get(&format!("/entity/file/{fid}"))
        .as_admin()
        .send()
        .expect(200);
}

#[test]
fn a_file_of_a_hidden_media_is_hidden() {
    let server = TestServer::shared();
    let (fid, mid) = file(server, "hidden.png");
    let hide = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
    server
        .patch(&format!("/media/{mid}"))
        .as_admin()
        .json(hide)
        .send()
        .expect(200);
    server
        .get(&format!("/entity/file/{fid}"))
        .send()
        .expect(401);
    server
        .get(&format!("/entity/file/{fid}"))
        .as_plain()
        .send()
        .expect(403);
    server
        .get("/sites/default/files/file/hidden.png")
        .send()
        .expect(404);
    server
        .get("/sites/default/files/file/hidden.png")
        .as_plain()
        .send()
        .expect(404);
    server
        .get("/sites/default/files/file/hidden.png")
        .as_admin()
        .send()
        .expect(200);
}

#[test]
fn a_media_whose_file_was_deleted_keeps_its_number_and_links_to_nothing() {
    let server = TestServer::shared();
    let (fid, mid) = file(server, "dangling.png");
    server
        .delete(&format!("/entity/file/{fid}"))
        .as_admin()
        .send()
        .expect(204);
    let answer = server
        .get(&format!("/media/{mid}?_format=json"))
        .as_admin()
        .send()
        .expect(200);
    let item = answer.json()["field_media_image"][0].clone();
    assert_eq!(
        (&item["target_id"], &item["width"], &item["height"]),
        (&json!(fid), &json!(7), &json!(5))
    );
    assert!(
        item.get("url").is_none() && item.get("target_uuid").is_none(),
        "{item}"
    );
    assert!(
        !answer.links().iter().any(|link| link.contains("describes")),
        "{:?}",
        answer.links()
    );
}
