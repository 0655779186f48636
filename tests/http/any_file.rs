//! Files that no list of extensions names, with the setting `[files] listed_extensions_only` on and off.

use serde_json::json;

use crate::binary::assert_sandboxed;
use crate::put_upload::{download, text_upload};
use crate::support::{Request, TestServer};

const LISTED_ONLY: &str = "[files]\nlisted_extensions_only = true\n";

/// Names, MIME types and bytes of files that no media type lists.
const FILES: [(&str, &str, &str); 7] = [
    ("table.csv", "text/csv", "a,b\n1,2\n"),
    ("letter.eml", "message/rfc822", "Subject: a\n\n<script>"),
    ("page.html", "text/html", "<script>alert(1)</script>"),
    ("drawing.svg", "image/svg+xml", "<svg onload='alert(1)'/>"),
    ("card.nef", "image/x-nikon-nef", "II*\0\u{8}\0\0\0"),
    ("README", "application/octet-stream", "%PDF-1.4 <script>"),
    ("a'b\"%20;è.x-y", "application/octet-stream", "GIF89a<html>"),
];

fn csv_to<'a>(server: &'a TestServer, media_type: &str, name: &str) -> Request<'a> {
    let nid = server.create_object("Any file");
    let place = server.upload_path(nid, media_type, "Original File");
    let request = server.put(&place).as_admin();
    let location = format!("public://any/{name}");
    request
        .header("Content-Location", location)
        .body("text/csv", "a,b\n")
}

#[test]
fn any_file_is_kept_as_it_is_and_runs_nowhere() {
    let server = TestServer::shared();
    for (name, mime, bytes) in FILES {
        let (_, request) = text_upload(server, &format!("public://any/{name}"));
        let mid = request.body(mime, bytes).send().expect(201).created();
        assert_eq!(download(server, mid), bytes.as_bytes(), "{name}");
        let media = server.media(mid);
        assert_eq!(media["field_mime_type"], json!([{"value": mime}]), "{name}");
        let url = media["field_media_file"][0]["url"].as_str().expect("one");
        let answer = server.get(&server.path_of(url)).send().expect(200);
        assert_sandboxed(&answer);
        let disposition = answer.header("content-disposition").unwrap_or_default();
        let inline = disposition.starts_with("inline");
        assert_eq!(inline, mime == "image/x-nikon-nef", "{name}: {disposition}");
        let renamed = json!({"bundle": [{"target_id": "file"}], "name": [{"value": "Renamed"}]});
        let path = format!("/media/{mid}");
        server
            .patch(&path)
            .as_admin()
            .json(renamed)
            .send()
            .expect(200);
    }
}

#[test]
fn other_media_types_keep_to_their_lists() {
    let server = TestServer::shared();
    for (media_type, list) in [
        ("image", "png gif jpg jpeg"),
        ("audio", "mp3 wav aac"),
        ("fits_technical_metadata", "xml"),
        ("extracted_text", "txt doc docx pdf"),
        ("remote_video", ""),
    ] {
        let refusal = format!("Invalid file extension.  Valid types are {list}");
        csv_to(server, media_type, "a.csv")
            .send()
            .expect_message(400, &refusal);
        csv_to(server, media_type, "a")
            .send()
            .expect_message(400, &refusal);
    }
}

#[test]
fn a_file_of_any_name_is_uploaded_before_its_media() {
    let server = TestServer::shared();
    for name in ["table.csv", "README"] {
        let upload = server.post("/file/upload/media/file/field_media_file");
        let disposition = format!("file; filename=\"{name}\"");
        let upload = upload.as_admin().header("Content-Disposition", disposition);
        let upload = upload.body("application/octet-stream", "a,b\n");
        let fid = upload.send().expect(201).value("fid");
        let media = json!({
            "bundle": [{"target_id": "file"}],
            "name": [{"value": name}],
            "field_media_file": [{"target_id": fid}],
        });
        let create = server.post("/entity/media?_format=json").as_admin();
        create.json(media).send().expect(201);
    }
}

#[test]
fn the_lists_hold_where_they_are_switched_on() {
    let server = TestServer::start_with(LISTED_ONLY);
    for name in ["a.csv", "a"] {
        let refusal = csv_to(&server, "file", name).send().expect(400).message();
        assert!(refusal.starts_with("Invalid file extension.  Valid types are txt rtf"));
    }
    csv_to(&server, "file", "a.txt").send().expect(201);
    for (server, any) in [(&server, false), (TestServer::shared(), true)] {
        let model = server.get("/api/v1/content-model").as_admin().send().json();
        assert_eq!(model["media_types"]["file"]["any_extension"], any);
        assert_eq!(model["media_types"]["image"]["any_extension"], false);
        let listed = &model["media_types"]["file"]["file_extensions"];
        assert_eq!(listed[0], "txt", "clients are told the same list");
    }
}

#[test]
fn a_file_without_bytes_is_refused_whatever_its_name() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://any/empty.csv");
    let refusal = request.body("text/csv", "").send().expect(400).message();
    assert!(refusal.starts_with("No bytes were copied"), "{refusal}");
}
