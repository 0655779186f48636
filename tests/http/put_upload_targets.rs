//! Uploads to places that are not quite what they were, or never were.

use serde_json::json;

use crate::put_upload::{download, media_count, text_upload};
use crate::resumable_upload::{begin, part};
use crate::support::{Request, TestServer};

fn text_to<'a>(server: &'a TestServer, path: &str, location: &str) -> Request<'a> {
    let request = server.put(path).as_admin();
    let request = request.body("text/plain", "some text");
    match location {
        "" => request,
        location => request.header("Content-Location", location),
    }
}

#[test]
fn a_media_whose_file_was_deleted_gets_a_new_one() {
    let server = TestServer::shared();
    let nid = server.create_object("Lost its file");
    let place = server.upload_path(nid, "file", "Original File");
    let mid = text_to(server, &place, "public://places/lost.txt")
        .send()
        .expect(201)
        .created();
    let fid = server.media(mid)["field_media_file"][0]["target_id"].clone();
    server
        .delete(&format!("/entity/file/{fid}"))
        .as_admin()
        .send()
        .expect(204);

    let refusal = text_to(server, &place, "").send().expect(400).message();
    assert!(refusal.contains("Content-Location"), "{refusal}");
    let again = text_to(server, &place, "public://places/lost.txt")
        .send()
        .expect(201);
    assert_eq!(again.created(), mid);
    assert_eq!(
        again.header("content-location"),
        Some("public://places/lost_0.txt")
    );
    let media = server.media(mid);
    assert_ne!(media["field_media_file"][0]["target_id"], fid);
    assert_eq!(
        media["name"],
        json!([{"value": "lost.txt"}]),
        "the name was given before"
    );
}

#[test]
fn a_track_is_added_to_a_video_and_then_replaced() {
    let server = TestServer::shared();
    let nid = server.create_object("Film");
    let place = server.upload_path(nid, "video", "Original File");
    let film = server
        .put(&place)
        .as_admin()
        .header("Content-Location", "fedora://places/film.mp4")
        .body("video/mp4", "moving pictures");
    let mid = film.send().expect(201).created();
    let put = |field: &str, location: &str| {
        let path = format!("/media/add_derivative/{mid}/{field}");
        text_to(server, &path, location).send()
    };
    put("field_mime_type", "public://places/film.vtt")
        .expect_message(400, "\"field_mime_type\" is not a file field");
    put("field_track", "").expect_message(400, "Missing Content-Location header");
    put("field_track", "public://places/film.exe")
        .expect_message(400, "Invalid file extension.  Valid types are vtt");
    put("field_track", "public://places/film.vtt").expect(201);
    let before = server.media(mid);
    put("field_track", "public://places/film.vtt").expect(204);
    let after = server.media(mid);
    assert_eq!(after["field_track"], before["field_track"]);
    assert_eq!(after["field_mime_type"], json!([{"value": "video/mp4"}]));
    assert_eq!(after["field_file_size"], json!([{"value": 15}]));
}

#[test]
fn a_part_of_a_path_may_be_a_file() {
    let server = TestServer::start();
    let nid = server.create_object("A directory that is a file");
    for (term, path) in [
        ("Original File", "places/below.txt"),
        ("Service File", "places/below.txt/a.txt"),
    ] {
        let place = server.upload_path(nid, "file", term);
        text_to(&server, &place, &format!("public://{path}"))
            .send()
            .expect(201);
        let served = server.get(&format!("/sites/default/files/{path}"));
        served.send().expect(200);
    }
    assert_eq!(server.stored_files(), 2);
}

#[test]
fn whoever_expects_a_media_creates_none() {
    let server = TestServer::shared();
    let nid = server.create_object("Expected");
    let place = server.upload_path(nid, "file", "Original File");
    for anything in ["\"1-abc\"", "*"] {
        text_to(server, &place, "public://places/expected.txt")
            .header("If-Match", anything)
            .send()
            .expect(412);
    }
    text_to(server, &place, "public://places/expected.txt")
        .send()
        .expect(201);
}

#[test]
fn a_content_type_must_be_one() {
    let server = TestServer::shared();
    let nid = server.create_object("Of no type");
    let place = server.upload_path(nid, "file", "Original File");
    for mime in ["text", "text/", "text/pl ain", "/", "é/é"] {
        server
            .put(&place)
            .as_admin()
            .header("Content-Location", "public://places/type.txt")
            .body(mime, "x")
            .send()
            .expect(400);
    }
}

#[test]
fn a_part_of_a_file_is_never_taken_for_the_whole() {
    let server = TestServer::shared();
    let (nid, create) = text_upload(server, "public://places/range.txt");
    let made = text_upload(server, "public://places/range-made.txt").1;
    let mid = made
        .body("text/plain", "0123456789")
        .send()
        .expect(201)
        .created();
    let path = begin(server, &create);
    let two_steps = server
        .post("/file/upload/media/file/field_media_file?_format=json")
        .as_admin()
        .header("Content-Disposition", "file; filename=\"range.txt\"");
    let put = |path: &str| server.put(path).as_admin();
    for range in ["bytes 5-9/10", "bytes 0-9/10", "bytes 5-9/*", "nonsense"] {
        let refused = |request: Request<'_>| {
            let answer = request.header("Content-Range", range).send().expect(400);
            let told = answer.message();
            assert!(told.contains("Content-Range"), "{told}");
        };
        refused(create.clone().body("text/plain", "56789"));
        let parts = create.clone().header("Upload-Complete", "?0");
        refused(parts.body("text/plain", "56789"));
        let source = put(&format!("/media/{mid}/source"));
        refused(source.body("text/plain", "56789"));
        let derivative = put(&format!("/media/add_derivative/{mid}/field_media_file"));
        let derivative = derivative.header("Content-Location", "public://places/range-made.txt");
        refused(derivative.body("text/plain", "56789"));
        refused(two_steps.clone().body("application/octet-stream", "56789"));
        refused(part(server, &path, 0, "?1", "56789"));
    }
    assert_eq!(media_count(server, nid), 0);
    assert_eq!(download(server, mid), b"0123456789");
}
