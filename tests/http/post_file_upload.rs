//! `POST /file/upload/media/{media_type}/{field}`: beyond the recorded exchanges.

use serde_json::json;

use crate::support::{Response, TestServer, png};

fn upload(server: &TestServer, path: &str, disposition: &str) -> Response {
    server
        .post(path)
        .as_admin()
        .header("Content-Disposition", disposition)
        .body("application/octet-stream", png(7, 5))
        .send()
}

const IMAGE: &str = "/file/upload/media/image/field_media_image?_format=json";

#[test]
fn an_uploaded_file_becomes_a_media() {
    let server = TestServer::shared();
    let file = upload(server, IMAGE, "file; filename=\"step.png\"")
        .expect(201)
        .json();
    assert_eq!(file["status"], json!([{"value": false}]));
    assert_eq!(file["filesize"], json!([{"value": png(7, 5).len()}]));
    let body = json!({
        "bundle": [{"target_id": "image"}],
        "name": [{"value": "In two steps"}],
        "field_media_image": [{"target_id": file["fid"][0]["value"], "alt": "words"}],
    });
    let media = server
        .post("/entity/media")
        .as_admin()
        .json(body)
        .send()
        .expect(201)
        .json();
    assert_eq!(media["field_width"], json!([{"value": 7}]));
    let path = format!("/entity/file/{}", file["fid"][0]["value"]);
    assert_eq!(
        server.get(&path).as_admin().send().value("status"),
        json!(true)
    );
}

#[test]
fn a_name_is_cut_to_its_last_part() {
    let server = TestServer::shared();
    for name in ["../../escape.png", "/etc/escape.png", "a/b/escape.png"] {
        let file = upload(server, IMAGE, &format!("file; filename=\"{name}\""))
            .expect(201)
            .json();
        let uri = file["uri"][0]["value"].as_str().expect("an address");
        let name = uri.rsplit('/').next().unwrap_or_default();
        assert!(name.starts_with("escape") && !uri.contains(".."), "{uri}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let server = TestServer::shared();
    upload(server, IMAGE, "file").expect_message(
        400,
        "No filename found in \"Content-Disposition\" header. A file name in the format \"filename=FILENAME\" must be provided",
    );
    upload(server, IMAGE, "file; filename=\"a.php\"").expect_message(
        422,
        "Unprocessable Entity: file validation failed.\nOnly files with the following extensions are allowed: png gif jpg jpeg.",
    );
    let disposition = "file; filename=\"a.png\"";
    upload(server, "/file/upload/media/image/zzz", disposition)
        .expect_message(404, "Field \"zzz\" does not exist");
    upload(server, "/file/upload/media/image/field_width", disposition)
        .expect_message(403, "\"field_width\" is not a file field");
    upload(
        server,
        "/file/upload/media/zzz/field_media_image",
        disposition,
    )
    .expect(404);
    upload(
        server,
        "/file/upload/zzz/image/field_media_image",
        disposition,
    )
    .expect_refusal();
}
