//! The bytes of files at their public paths.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::support::{Response, TestServer, png};

/// Uploads some bytes and gives their public path.
fn publish(server: &TestServer, scheme: &str, name: &str, mime: &str, bytes: &str) -> String {
    let nid = server.create_object("With bytes");
    let request = server
        .put(&server.upload_path(nid, "file", "Original File"))
        .as_admin();
    let location = format!("{scheme}://binary/{name}");
    let mid = request
        .header("Content-Location", location)
        .body(mime, bytes)
        .send()
        .expect(201)
        .created();
    let media = server.media(mid);
    server.path_of(
        media["field_media_file"][0]["url"]
            .as_str()
            .expect("an address"),
    )
}

fn range(server: &TestServer, path: &str, range: &str) -> Response {
    server.get(path).header("Range", range).send()
}

#[test]
fn both_schemes_have_their_public_path() {
    let server = TestServer::shared();
    assert_eq!(
        publish(server, "public", "a b.txt", "text/plain", "x"),
        "/sites/default/files/binary/a%20b.txt"
    );
    assert_eq!(
        publish(server, "fedora", "a b.txt", "text/plain", "x"),
        "/_flysystem/fedora/binary/a%20b.txt"
    );
}

#[test]
fn parts_are_served() {
    let server = TestServer::shared();
    let path = publish(server, "public", "range.txt", "text/plain", "0123456789");
    assert_eq!(
        server.get(&path).send().expect(200).header("accept-ranges"),
        Some("bytes")
    );
    for (asked, bytes, content_range) in [
        ("bytes=0-3", "0123", "bytes 0-3/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=8-99", "89", "bytes 8-9/10"),
    ] {
        let answer = range(server, &path, asked).expect(206);
        assert_eq!(answer.text(), bytes, "{asked}");
        assert_eq!(
            answer.header("content-range"),
            Some(content_range),
            "{asked}"
        );
        assert_eq!(
            answer.header("content-length"),
            Some(bytes.len().to_string().as_str()),
            "{asked}"
        );
    }
    let answer = range(server, &path, "bytes=10-").expect(416);
    assert_eq!(answer.header("content-range"), Some("bytes */10"));
    for nonsense in ["bytes=5-2", "lines=1-2", "bytes=a-b", "bytes=--1"] {
        let answer = range(server, &path, nonsense);
        assert!(
            [200, 416].contains(&answer.status),
            "{nonsense}: {}",
            answer.status
        );
    }
}

#[test]
fn a_file_without_bytes_is_served() {
    let server = TestServer::shared();
    let upload = server.post("/file/upload/media/file/field_media_file?_format=json");
    let upload = upload
        .as_admin()
        .header("Content-Disposition", "file; filename=\"empty.txt\"");
    let file = upload.body("application/octet-stream", "").send();
    let path = server.path_of(
        file.expect(201).json()["uri"][0]["url"]
            .as_str()
            .expect("an address"),
    );
    let whole = server.get(&path).as_admin().send().expect(200);
    assert_eq!(whole.header("content-length"), Some("0"));
    let part = server.get(&path).as_admin().header("Range", "bytes=0-");
    part.send().expect(416);
}

#[test]
fn a_part_of_something_else_is_not_served() {
    let server = TestServer::shared();
    let path = publish(server, "public", "ifrange.txt", "text/plain", "0123456789");
    let etag = server.get(&path).send().expect(200).etag().to_owned();
    let ask = |etag: &str| {
        server
            .get(&path)
            .header("Range", "bytes=0-0")
            .header("If-Range", etag)
            .send()
    };
    ask(&etag).expect(206);
    ask("\"other\"").expect(200);
}

#[test]
fn bytes_that_are_known_are_not_sent_again() {
    let server = TestServer::shared();
    let path = publish(server, "public", "known.txt", "text/plain", "known");
    let first = server.get(&path).send().expect(200);
    let modified = first.header("last-modified").expect("a date").to_owned();
    server
        .get(&path)
        .header("If-None-Match", first.etag())
        .send()
        .expect(304);
    server
        .get(&path)
        .header("If-Modified-Since", modified)
        .send()
        .expect(304);
    server
        .get(&path)
        .header("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")
        .send()
        .expect(200);
}

#[test]
fn head_tells_the_same_without_the_bytes() {
    let server = TestServer::shared();
    let path = publish(server, "public", "head.txt", "text/plain", "twelve bytes");
    let head = server.head(&path).send().expect(200);
    assert!(head.body.is_empty());
    assert_eq!(head.header("content-length"), Some("12"));
    assert_eq!(head.etag(), server.get(&path).send().etag());
}

#[test]
fn uploaded_pages_do_not_run_here() {
    let server = TestServer::shared();
    for (name, mime) in [
        ("page.txt", "text/html"),
        ("drawing.txt", "image/svg+xml"),
        ("page.xml", "application/xhtml+xml"),
        ("data.xml", "application/xml"),
        ("style.xml", "application/xslt+xml"),
        ("code.txt", "text/javascript"),
        ("utf-7.txt", "TEXT/HTML; charset=utf-7"),
        ("mail.txt", "message/rfc822"),
    ] {
        let path = publish(server, "public", name, mime, "<script>alert(1)</script>");
        let answer = server.get(&path).send().expect(200);
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.contains("sandbox"), "{mime}: {policy:?}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{mime}"
        );
        let disposition = answer.header("content-disposition").unwrap_or_default();
        assert!(
            disposition.starts_with("attachment"),
            "{mime}: {disposition:?}"
        );
    }
}

/// The headers that keep stored bytes from acting as a page of this origin.
#[track_caller]
pub fn assert_sandboxed(answer: &Response) {
    let policy = answer.header("content-security-policy").unwrap_or_default();
    let directives: Vec<&str> = policy.split(';').map(str::trim).collect();
    for wanted in [
        "sandbox",
        "default-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
    ] {
        assert!(directives.contains(&wanted), "{}: {policy}", answer.request);
    }
    assert!(!policy.contains("http"), "{}: {policy}", answer.request);
    let sniffing = answer.header("x-content-type-options");
    assert_eq!(sniffing, Some("nosniff"), "{}", answer.request);
}

#[test]
fn stored_bytes_are_sandboxed_whatever_they_are_and_however_they_are_sent() {
    let server = TestServer::shared();
    for (name, mime) in [
        ("sandbox-pdf.txt", "application/pdf"),
        ("sandbox-image.txt", "image/png"),
        ("sandbox-film.txt", "video/mp4"),
        ("sandbox-plain.txt", "text/plain; charset=utf-8"),
        ("sandbox-page.txt", "text/html"),
    ] {
        let path = publish(server, "public", name, mime, "0123456789");
        let whole = server.get(&path).send().expect(200);
        let etag = whole.etag().to_owned();
        assert_sandboxed(&whole);
        assert_sandboxed(&range(server, &path, "bytes=2-4").expect(206));
        assert_sandboxed(&server.head(&path).send().expect(200));
        let known = server.get(&path).header("If-None-Match", etag);
        assert_sandboxed(&known.send().expect(304));
        let saved = server.get(&format!("{path}?download=1"));
        assert_sandboxed(&saved.send().expect(200));
    }
}

#[test]
fn pictures_films_text_and_pdf_are_shown_and_pages_are_saved() {
    let server = TestServer::shared();
    for (name, mime, shown) in [
        ("shown.txt", "image/png", true),
        ("film.txt", "video/mp4", true),
        ("sound.txt", "audio/mpeg", true),
        ("plain.txt", "text/plain; charset=utf-8", true),
        ("pdf.txt", "application/pdf", true),
        ("saved.txt", "text/html", false),
        ("odd.txt", "application/octet-stream", false),
    ] {
        let path = publish(server, "public", name, mime, "x");
        let answer = server.get(&path).send().expect(200);
        let disposition = answer.header("content-disposition").unwrap_or_default();
        let inline = disposition.starts_with("inline");
        assert_eq!(inline, shown, "{mime}: {disposition}");
    }
}

#[test]
fn the_picture_of_the_repository_is_sandboxed_as_other_bytes() {
    let server = TestServer::start();
    let picture = json!({"picture": STANDARD.encode(png(7, 5))});
    let change = server.patch("/api/v1/repository").as_admin().json(picture);
    change.send().expect(200);
    let picture = server.get("/api/v1/repository/picture");
    assert_sandboxed(&picture.send().expect(200));
}

#[test]
fn stored_bytes_are_no_script_of_any_page() {
    let server = TestServer::shared();
    let path = publish(
        server,
        "public",
        "script.txt",
        "text/javascript",
        "alert(1)",
    );
    let fetch = |purpose: &str| server.get(&path).header("Sec-Fetch-Dest", purpose).send();
    for purpose in ["script", "style", "worker", "serviceworker", "xslt"] {
        fetch(purpose).expect_message(403, "Stored files are not run as a part of any page.");
    }
    for purpose in ["image", "audio", "video", "track", "document", "empty"] {
        assert_eq!(fetch(purpose).expect(200).text(), "alert(1)");
    }
}

#[test]
fn a_download_has_the_name_of_the_file() {
    let server = TestServer::shared();
    let path = publish(server, "public", "Città.txt", "text/plain", "x");
    let answer = server.get(&path).send().expect(200);
    let disposition = answer.header("content-disposition").unwrap_or_default();
    assert!(
        disposition.contains("filename*=UTF-8''Citt%C3%A0.txt"),
        "{disposition}"
    );
}

#[test]
fn bytes_of_a_hidden_node_are_hidden() {
    let server = TestServer::shared();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    server.upload_image(nid, "public://binary/hidden.png");
    let path = "/sites/default/files/binary/hidden.png";
    server.get(path).send().expect(404);
    server.get(path).as_plain().send().expect(404);
    server.get(path).as_admin().send().expect(200);
}

#[test]
fn a_ticket_shows_a_hidden_picture_and_no_other() {
    let server = TestServer::shared();
    let nid = server.create_object_with("Ticketed", json!({"status": [{"value": false}]}));
    server.upload_image(nid, "public://binary/ticketed.png");
    server.upload_image(
        server.create_object_with("Other", json!({"status": [{"value": false}]})),
        "public://binary/other.png",
    );
    let list = server
        .get(&format!("/api/v1/items/{nid}/media"))
        .as_admin()
        .send()
        .expect(200)
        .json();
    let url = list["media"][0]["file"]["view_url"]
        .as_str()
        .expect("an address")
        .to_owned();
    let path = server.path_of(&url);
    assert_eq!(
        server.get(&path).send().expect(200).header("content-type"),
        Some("image/png")
    );
    server
        .get(&path.replace("ticketed.png", "other.png"))
        .send()
        .expect(404);
    server
        .get(&path.replace("ticket=", "ticket=x"))
        .send()
        .expect(404);
}

#[test]
fn only_files_that_somebody_uploaded_are_there() {
    let server = TestServer::shared();
    for path in [
        "/sites/default/files/nope.txt",
        "/_flysystem/fedora/nope.txt",
        "/_flysystem/public/x.txt",
        "/sites/default/files/isolario.db",
    ] {
        server.get(path).as_admin().send().expect(404);
    }
}
