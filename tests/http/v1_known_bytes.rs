//! `/api/v1/known-bytes`: what the repository has already.

use serde_json::{Value, json};

use crate::support::TestServer;

/// SHA-512 and size of the one file of an item.
fn file_of(server: &TestServer, nid: i64) -> (String, i64) {
    let path = format!("/api/v1/items/{nid}/media");
    let list = server.get(&path).as_admin().send().expect(200).json();
    let file = &list["media"][0]["file"];
    let sha512 = file["sha512"].as_str().expect("a checksum").to_owned();
    (sha512, list["media"][0]["size"].as_i64().expect("a size"))
}

fn known(server: &TestServer, query: &str, admin: bool) -> Value {
    let request = server.get(&format!("/api/v1/known-bytes?{query}"));
    let request = if admin { request.as_admin() } else { request };
    request.send().expect(200).json()
}

#[test]
fn bytes_are_known_by_size_and_then_by_checksum() {
    let server = TestServer::start();
    let nid = server.create_object("Harbour");
    server.upload_image(nid, "public://harbour.png");
    let (sha512, size) = file_of(&server, nid);
    let sizes = known(&server, &format!("sizes={},{size}", size + 1), false);
    assert_eq!(sizes, json!({ "sizes": [size], "known": [] }));
    let other = "0".repeat(128);
    let answer = known(&server, &format!("sha512={other},{sha512}"), false);
    let harbour = json!([{ "sha512": sha512, "nid": nid, "title": "Harbour" }]);
    assert_eq!(answer, json!({ "sizes": [], "known": harbour }));
    let gone = format!("/node/{nid}?_format=json");
    server
        .request("DELETE", &gone)
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(
        known(&server, &format!("sha512={sha512}"), true)["known"],
        json!([])
    );
}

#[test]
fn bytes_of_what_somebody_may_not_see_are_not_known_to_them() {
    let server = TestServer::start();
    let hidden = json!({ "status": [{ "value": false }] });
    let nid = server.create_object_with("A secret", hidden);
    server.upload_image(nid, "public://secret.png");
    let (sha512, size) = file_of(&server, nid);
    let query = format!("sizes={size}&sha512={sha512}");
    assert_eq!(
        known(&server, &query, false),
        json!({ "sizes": [], "known": [] })
    );
    let answer = known(&server, &query, true);
    assert_eq!(answer["sizes"], json!([size]));
    assert_eq!(answer["known"][0]["nid"], nid);
}

#[test]
fn what_is_no_size_and_no_checksum_is_refused() {
    let server = TestServer::shared();
    let many_sizes = format!("sizes={}", vec!["7"; 201].join(","));
    let many_sums = format!("sha512={}", vec!["a".repeat(128); 41].join(","));
    let shouted = format!("sha512={}", "A".repeat(128));
    for wrong in [
        "sizes=x",
        "sizes=-1",
        "sha512=abc",
        &many_sizes,
        &many_sums,
        &shouted,
    ] {
        let path = format!("/api/v1/known-bytes?{wrong}");
        server.get(&path).send().expect(400);
    }
}

#[test]
fn who_brings_files_may_ask_whether_they_fit() {
    let server = TestServer::shared();
    let asked = server.get("/api/v1/disk-space");
    let answer = asked.as_depositor().send().expect(200).json();
    let [free, usable] = ["free", "for_uploads"].map(|name| answer[name].as_u64().expect(name));
    assert!(0 < usable && usable < free);
    server.get("/api/v1/disk-space").send().expect(401);
}
