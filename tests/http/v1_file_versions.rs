//! `/api/v1/files/{fid}/versions`: the bytes that a file had stay reachable for those who may see the
//! revisions that showed them.

use serde_json::{Value, json};

use crate::binary::assert_sandboxed;
use crate::support::{Request, TestServer, png};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

/// A media whose bytes have been replaced once.
struct Replaced {
    mid: i64,
    fid: i64,
    /// Its first revision.
    first: i64,
}

fn replaced(server: &TestServer, location: &str) -> Replaced {
    let nid = server.create_object("Replaced");
    let mid = server.upload_image(nid, location);
    let media = server.media(mid);
    let source = server.put(&format!("/media/{mid}/source")).as_admin();
    source.body("image/png", png(20, 10)).send().expect(204);
    Replaced {
        mid,
        fid: media["field_media_image"][0]["target_id"]
            .as_i64()
            .expect("a file"),
        first: media["vid"][0]["value"].as_i64().expect("a vid"),
    }
}

fn content(fid: i64, version: i64) -> String {
    format!("/api/v1/files/{fid}/versions/{version}/content")
}

#[test]
fn a_revision_names_the_bytes_it_showed() {
    let server = TestServer::shared();
    for location in ["public://versions/a.png", "fedora://versions/a.png"] {
        let Replaced { mid, fid, first } = replaced(server, location);
        let state = get(server
            .get(&format!("/api/v1/media/{mid}/revisions/{first}"))
            .as_admin());
        let file = &state["files"][0];
        assert_eq!(
            (&file["fid"], &file["version"], &file["width"]),
            (&json!(fid), &json!(1), &json!(7))
        );
        let url = server.path_of(file["url"].as_str().expect("a url"));
        // The address carries a ticket: a picture needs no other credentials.
        let former = server.get(&url).send().expect(200);
        assert_eq!(former.header("content-type"), Some("image/png"));
        assert_eq!(former.body, png(7, 5));
        let list = get(server
            .get(&format!("/api/v1/files/{fid}/versions"))
            .as_admin());
        assert_eq!(
            (
                &list["versions"][0]["version"],
                &list["versions"][0]["current"]
            ),
            (&json!(2), &json!(true))
        );
        assert_eq!(list["versions"][1]["user"]["name"], "admin");
        assert_eq!(
            server.get(&content(fid, 2)).send().expect(200).body,
            png(20, 10)
        );
        let changes = format!(
            "/api/v1/media/{mid}/revisions/{}/changes",
            server.media(mid)["vid"][0]["value"]
        );
        let changes = get(server.get(&changes).as_admin());
        let versions = [
            &changes["files"][0]["before"]["version"],
            &changes["files"][0]["after"]["version"],
        ];
        assert_eq!(versions, [1, 2]);
    }
}

#[test]
fn former_bytes_are_sent_like_all_others() {
    let server = TestServer::shared();
    let Replaced { fid, .. } = replaced(server, "public://versions/range.png");
    let path = content(fid, 1);
    let whole = server.get(&path).as_admin().send().expect(200);
    let part = server
        .get(&path)
        .as_admin()
        .header("Range", "bytes=1-3")
        .send()
        .expect(206);
    assert_eq!(part.body, b"PNG");
    let tag = whole.etag().to_owned();
    server
        .get(&path)
        .as_admin()
        .header("If-None-Match", tag)
        .send()
        .expect(304);
    let head = server.head(&path).as_admin().send().expect(200);
    assert_eq!(
        head.header("content-length"),
        Some(png(7, 5).len().to_string().as_str())
    );
    assert_sandboxed(&whole);
    assert_sandboxed(&part);
    assert_sandboxed(&head);
    let saved = server
        .get(&format!("{path}?download=1"))
        .as_admin()
        .send()
        .expect(200);
    assert_eq!(
        saved.header("content-disposition"),
        Some("attachment; filename=\"range.png\"")
    );
    for version in ["0", "3", "-1", "x", "99999999999999999999"] {
        let path = format!("/api/v1/files/{fid}/versions/{version}/content");
        server.get(&path).as_admin().send().expect(404);
    }
}

#[test]
fn former_bytes_are_for_those_who_may_see_the_revision() {
    let server = TestServer::shared();
    let Replaced { fid, mid, .. } = replaced(server, "public://versions/policy.png");
    for request in [
        server.get(&content(fid, 1)),
        server.get(&content(fid, 1)).as_plain(),
    ] {
        request.send().expect(404);
    }
    let list = get(server
        .get(&format!("/api/v1/files/{fid}/versions"))
        .as_plain());
    assert_eq!(list["versions"].as_array().map(Vec::len), Some(1), "{list}");
    server
        .get(&format!("/api/v1/media/{mid}/revisions"))
        .as_plain()
        .send()
        .expect(403);
    let hide = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
    server
        .patch(&format!("/media/{mid}"))
        .as_admin()
        .json(hide)
        .send()
        .expect(200);
    server
        .get(&format!("/api/v1/files/{fid}/versions"))
        .as_plain()
        .send()
        .expect(404);
    server.get(&content(fid, 2)).send().expect(404);
    server.get(&content(fid, 1)).as_admin().send().expect(200);
}

#[test]
fn a_revert_brings_the_former_bytes_back() {
    let server = TestServer::start();
    for location in ["public://revert/a.png", "fedora://revert/a.png"] {
        let Replaced { mid, fid, first } = replaced(&server, location);
        let replaced = server.media(mid);
        assert_eq!(replaced["field_width"], json!([{"value": 20}]));
        let revert = format!("/api/v1/media/{mid}/revisions/{first}/revert");
        server.post(&revert).as_plain().send().expect(403);
        let answer = server.post(&revert).as_admin().send().expect(200).json();
        assert_eq!(answer["field_media_image"][0]["width"], 7);
        assert_eq!(
            (&answer["field_width"], &answer["uuid"]),
            (&json!([{"value": 7}]), &replaced["uuid"])
        );
        let url = server.path_of(
            answer["field_media_image"][0]["url"]
                .as_str()
                .expect("a url"),
        );
        assert_eq!(server.get(&url).send().expect(200).body, png(7, 5));
        let list = get(server
            .get(&format!("/api/v1/files/{fid}/versions"))
            .as_admin());
        let sums: Vec<&Value> = list["versions"]
            .as_array()
            .expect("versions")
            .iter()
            .map(|one| &one["sha512"])
            .collect();
        assert_eq!((sums.len(), sums[0]), (3, sums[2]));
        assert_ne!(sums[0], sums[1]);
        for (version, bytes) in [(1, png(7, 5)), (2, png(20, 10)), (3, png(7, 5))] {
            assert_eq!(
                server
                    .get(&content(fid, version))
                    .as_admin()
                    .send()
                    .expect(200)
                    .body,
                bytes
            );
        }
    }
    let objects = server.files_below("../ocfl");
    let stored = objects.iter().filter(|path| path.ends_with("/a.png"));
    assert_eq!(
        stored.count(),
        2,
        "the object holds no bytes twice: {objects:?}"
    );
}

#[test]
fn bytes_that_nobody_shows_leave_the_public_tree() {
    let server = TestServer::start();
    let Replaced { mid, fid, .. } = replaced(&server, "public://away/a.png");
    assert_eq!(server.files_below("public"), ["away/a.r2.png"]);
    assert_eq!(server.files_below("retired").len(), 1);
    server
        .delete(&format!("/entity/file/{fid}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.files_below("public"), Vec::<String>::new());
    assert_eq!(server.files_below("retired").len(), 2);
    server.get(&content(fid, 1)).as_admin().send().expect(404);
    server
        .post(&format!("/api/v1/trash/file/{fid}/restore"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.files_below("public"), ["away/a.r2.png"]);
    assert_eq!(
        server
            .get(&content(fid, 1))
            .as_admin()
            .send()
            .expect(200)
            .body,
        png(7, 5)
    );
    server
        .delete(&format!("/entity/file/{fid}"))
        .as_admin()
        .send()
        .expect(204);
    server
        .delete(&format!("/api/v1/trash/file/{fid}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.stored_files(), 0);
    assert_eq!(server.media(mid)["field_media_image"][0]["target_id"], fid);
    let nid = server.create_object("Later");
    let later = server.media(server.upload_image(nid, "public://away/a.png"));
    let url = later["field_media_image"][0]["url"]
        .as_str()
        .expect("a url");
    assert!(
        url.ends_with("/away/a_0.png"),
        "an address is never given again: {url}"
    );
}

#[test]
fn purged_objects_leave_the_storage_root() {
    let server = TestServer::start();
    let Replaced { fid, .. } = replaced(&server, "fedora://away/a.png");
    let before = server.files_below("../ocfl").len();
    server
        .delete(&format!("/entity/file/{fid}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(
        server.files_below("../ocfl").len(),
        before,
        "the object waits in the trash"
    );
    server.delete("/api/v1/trash").as_admin().send().expect(200);
    let left = server.files_below("../ocfl");
    assert!(
        left.iter().all(|path| !path.contains("inventory")),
        "{left:?}"
    );
}
