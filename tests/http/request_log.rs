//! The request log: every request through every door, and nothing secret.

use serde_json::json;

use crate::support::TestServer;

#[test]
fn an_upload_is_noted_with_who_and_through_which_door() {
    let server = TestServer::shared();
    let nid = server.create_object("Logged");
    server.upload_image(nid, "public://log/a.png");
    let path = format!("PUT /node/{nid}/media/image/");
    server.until_logged(&[&path, " 201 ", "user=1", "door=rest"]);
    server
        .get(&format!("/node/{nid}?_format=json"))
        .send()
        .expect(200);
    server.until_logged(&[&format!("GET /node/{nid} 200"), "user=0"]);
}

#[test]
fn nothing_secret_is_written_down() {
    let server = TestServer::start();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    server.upload_image(nid, "public://log/hidden.png");
    let media = server
        .get(&format!("/api/v1/items/{nid}/media"))
        .as_admin()
        .send()
        .expect(200)
        .json();
    let url = media["media"][0]["file"]["view_url"]
        .as_str()
        .expect("an address")
        .to_owned();
    server.get(&server.path_of(&url)).send().expect(200);
    server
        .get("/user/3")
        .basic("plain", "a wrong password")
        .send()
        .expect(401);
    server.get("/nope?password=geheim").send().expect(404);
    server.until_logged(&["GET /nope "]);
    let log = server.log();
    for secret in ["ticket", "geheim", "a wrong password", "Basic ", "token="] {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}
