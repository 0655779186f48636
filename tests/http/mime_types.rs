//! MIME types of stored bytes: read, written anew, and sent in no other form.

use serde_json::json;

use crate::put_upload::text_upload;
use crate::resumable_upload::{begun, part};
use crate::support::{Request, TestServer};

/// What does not name one MIME type with parameters of the form name=value.
const WRONG: [&str; 12] = [
    "application/pdf;x, text/html",
    "application/pdf, text/html",
    "application/pdf; x=1, text/html",
    "application/pdf; x",
    "application/pdf; =1",
    "application/pdf; x=",
    "application/pdf; x=\"1",
    "application/pdf; x=\"1\" y",
    "text/plain; charset=utf-8; Charset=utf-7",
    "text/plain; charset = utf-8",
    "text/plain; charset=\"\u{e9}\"",
    "image/*",
];

/// The MIME type of the source file of a media.
fn stored_mime(server: &TestServer, mid: i64) -> serde_json::Value {
    let fid = &server.media(mid)["field_media_file"][0]["target_id"];
    let file = server.get(&format!("/entity/file/{fid}?_format=json"));
    file.as_admin().send().value("filemime")
}

/// A request to every address that takes bytes together with their MIME type.
fn places<'a>(server: &'a TestServer, name: &str) -> [(&'static str, Request<'a>); 4] {
    let location = format!("public://mime/{name}.txt");
    let (_, create) = text_upload(server, &location);
    let (_, made) = text_upload(server, &format!("public://mime/{name}-made.txt"));
    let mid = made
        .body("text/plain", "first")
        .send()
        .expect(201)
        .created();
    let put = |path: String| {
        let request = server.put(&path).as_admin();
        request.header("Content-Location", location.clone())
    };
    [
        ("create", create.clone()),
        ("begin", create.header("Upload-Complete", "?0")),
        ("source", put(format!("/media/{mid}/source"))),
        (
            "derivative",
            put(format!("/media/add_derivative/{mid}/field_media_file")),
        ),
    ]
}

#[test]
fn what_is_not_one_mime_type_is_refused_in_words() {
    let server = TestServer::shared();
    for (what, request) in places(server, "wrong") {
        for mime in WRONG {
            let answer = request.clone().body(mime, "<script>").send();
            let told = answer.expect(400).message();
            assert!(told.contains("MIME type"), "{what}: {mime}: {told}");
        }
        let twice = request.header("Content-Type", "application/pdf");
        twice.body("text/html", "<script>").send().expect(400);
    }
    let path = "/sites/default/files/mime/wrong.txt";
    server.get(path).as_admin().send().expect(404);
}

#[test]
fn a_mime_type_is_written_anew() {
    let server = TestServer::shared();
    for (number, (sent, kept)) in [
        ("Text/HTML", "text/html"),
        ("text/plain;Charset=UTF-8", "text/plain; charset=UTF-8"),
        (
            " text/plain ;; format=\"flowed\" ; ",
            "text/plain; format=flowed",
        ),
        (
            "video/webm; codecs=\"vp8, \\opus\"",
            "video/webm; codecs=\"vp8, opus\"",
        ),
        ("image/svg+xml; x=\"\"", "image/svg+xml; x=\"\""),
    ]
    .into_iter()
    .enumerate()
    {
        let (_, request) = text_upload(server, &format!("public://mime/anew-{number}.txt"));
        let mid = request.body(sent, "x").send().expect(201).created();
        assert_eq!(stored_mime(server, mid), json!(kept));
        let bytes = format!("/sites/default/files/mime/anew-{number}.txt");
        let answer = server.get(&bytes).send().expect(200);
        assert_eq!(answer.header("content-type"), Some(kept));
    }
}

#[test]
fn an_upload_in_parts_has_its_type_written_anew() {
    let server = TestServer::shared();
    let (_, request) = text_upload(server, "public://mime/parts.txt");
    let request = request.header("Upload-Complete", "?0");
    let path = begun(server, request.body("Text/Plain ;x=1", "").send());
    let last = part(server, &path, 0, "?1", "all");
    let mid = last.send().expect(201).created();
    assert_eq!(stored_mime(server, mid), json!("text/plain; x=1"));
}

#[test]
fn a_type_that_was_stored_badly_is_sent_as_plain_bytes() {
    let server = TestServer::start();
    for (name, stored, sent) in [
        (
            "list",
            "application/pdf;x, text/html",
            "application/octet-stream",
        ),
        ("half", "image/png; x", "application/octet-stream"),
        ("nothing", "", "application/octet-stream"),
        ("case", "Text/HTML", "text/html"),
    ] {
        let (_, request) = text_upload(&server, &format!("public://mime/{name}.txt"));
        let mid = request.body("text/plain", "<script>").send().expect(201);
        let mid = mid.created();
        let media = server.media(mid);
        let fid = media["field_media_file"][0]["target_id"].as_i64();
        server.store_mime(fid.expect("a file"), stored);

        let path = format!("/sites/default/files/mime/{name}.txt");
        let answer = server.get(&path).send().expect(200);
        assert_eq!(answer.header("content-type"), Some(sent), "{name}");
        let disposition = answer.header("content-disposition").unwrap_or_default();
        assert!(
            disposition.starts_with("attachment"),
            "{name}: {disposition}"
        );
        assert_eq!(stored_mime(&server, mid), json!(sent), "{name}");
        let media = server.get(&format!("/media/{mid}?_format=json")).as_admin();
        let links = media.send().expect(200).links().join(", ");
        let described = format!("rel=\"describes\"; type=\"{sent}\"");
        assert!(links.contains(&described), "{name}: {links}");
    }
}
