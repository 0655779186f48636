//! The request log: every request by every origin, and nothing secret.

use std::net::Ipv4Addr;

use serde_json::json;

use crate::support::TestServer;

#[test]
fn an_upload_is_noted_with_who_and_by_which_origin() {
    let server = TestServer::shared();
    let nid = server.create_object("Logged");
    server.upload_image(nid, "public://log/a.png");
    let path = format!("PUT /node/{nid}/media/image/");
    server.until_logged(&[&path, " 201 ", "user=1", "origin=rest"]);
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

#[test]
fn no_request_is_longer_in_the_log_than_it_may_be() {
    let server = TestServer::start();
    let method = "M".repeat(21_000);
    let refused = server.request(&method, "/node/1").send();
    refused.expect_message(400, "The method is longer than 32 bytes.");
    let line = server.until_logged(&["MMMM", "/node/1", " 400 "]);
    assert!(line.len() < 300, "{} bytes", line.len());
    let path = format!("/{}", "p".repeat(20_000));
    server.get(&path).send().expect(414);
    let line = server.until_logged(&["/pppp", " 414 "]);
    assert!(line.len() < 2_500, "{} bytes", line.len());
    let path = format!("/{}", "q".repeat(200));
    server.get(&path).send().expect(404);
    server.until_logged(&[&format!("GET {path} 404 ")]);
}

#[test]
fn failed_sign_ins_are_kept_apart_with_their_address() {
    let server = TestServer::start();
    let there = Ipv4Addr::new(127, 4, 4, 4);
    for name in ["plain", "nobody of that name"] {
        let guess = server.get("/user/3").from(there).basic(name, "a guess");
        guess.send().expect(401);
    }
    let form = json!({"name": "plain", "pass": "another guess"});
    let form = server.post("/user/login").from(there).json(form);
    form.send().expect(400);
    for _ in 0..210 {
        server.get("/nowhere").send().expect(404);
    }
    let told = server.get("/api/v1/server/requests").as_admin().send();
    let told = told.expect(200).json();
    let failed = told["failed_sign_ins"].as_array().expect("a list").clone();
    let users: Vec<_> = failed.iter().map(|failed| failed["user"].clone()).collect();
    let plain = json!({"uid": 3, "name": "plain"});
    assert_eq!(users, [plain.clone(), json!(null), plain]);
    assert!(failed.iter().all(|failed| failed["from"] == "127.4.4.4"));

    server.until_logged_in("sign-ins.log", &["from=127.4.4.4", "user=0"]);
    let log = server.log_of("sign-ins.log");
    assert_eq!(log.matches("user=3").count(), 2, "{log}");
    assert!(!log.contains("guess") && !log.contains("nobody"), "{log}");
}
