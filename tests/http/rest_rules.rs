//! What `config.toml` says about formats, ways to sign in and tokens.

use crate::support::TestServer;

#[test]
fn a_way_to_sign_in_that_is_off_is_refused() {
    let server = TestServer::start_with(
        "[rest.PATCH]\nformats = [\"json\"]\nauthentication = [\"jwt_auth\"]\n",
    );
    let nid = server.create_object("Rules");
    let patch = || {
        let body = serde_json::json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "x"}]});
        server.patch(&format!("/node/{nid}")).json(body)
    };
    patch().as_admin().send().expect_message(
        403,
        "The used authentication method is not allowed on this route.",
    );
    let token = server
        .get("/jwt/token")
        .as_admin()
        .send()
        .expect(200)
        .json();
    patch()
        .bearer(token["token"].as_str().expect("a token"))
        .send()
        .expect(200);
}

#[test]
fn uploads_take_every_way_to_sign_in_whatever_the_rules_say() {
    let rules: String = ["GET", "POST", "PATCH", "DELETE"]
        .iter()
        .map(|method| format!("[rest.{method}]\nformats = [\"json\"]\nauthentication = [\"cookie\", \"basic_auth\"]\n"))
        .collect();
    let server = TestServer::start_with(&rules);
    let nid = server.create_object("Rules");
    let token = server
        .get("/jwt/token")
        .as_admin()
        .send()
        .expect(200)
        .json();
    let put = |path: String| {
        server
            .put(&path)
            .bearer(token["token"].as_str().expect("a token"))
            .header("Content-Location", "public://rules/a.txt")
            .body("text/plain", "x")
            .send()
    };
    let mid = put(server.upload_path(nid, "file", "Original File"))
        .expect(201)
        .created();
    put(format!("/media/{mid}/source")).expect(204);
}

#[test]
fn a_format_that_is_off_is_not_acceptable() {
    let server = TestServer::start_with(
        "[rest.GET]\nformats = [\"json\"]\nauthentication = [\"basic_auth\", \"jwt_auth\", \"cookie\"]\n",
    );
    let nid = server.create_object("Rules");
    server
        .get(&format!("/node/{nid}?_format=jsonld"))
        .send()
        .expect(406);
    let node = server
        .get(&format!("/node/{nid}?_format=json"))
        .send()
        .expect(200);
    assert!(
        !node.links().iter().any(|link| link.contains("jsonld")),
        "{:?}",
        node.links()
    );
}

#[test]
fn tokens_can_be_switched_off() {
    let server = TestServer::start_with("[tokens]\nissue = false\n");
    server.get("/jwt/token").as_admin().send().expect(404);
}

#[test]
fn another_repository_scheme_is_another_name_for_the_same() {
    let server = TestServer::start_with("repository_scheme = \"ocfl\"\n");
    let nid = server.create_object("Rules");
    let put = |location: &str| {
        let request = server
            .put(&server.upload_path(nid, "file", "Original File"))
            .as_admin();
        request
            .header("Content-Location", location)
            .body("text/plain", "x")
            .send()
    };
    put("fedora://rules/a.txt").expect(400);
    put("ocfl://rules/a.txt").expect(201);
    server
        .get("/_flysystem/ocfl/rules/a.txt")
        .send()
        .expect(200);
}

#[test]
fn where_json_is_off_the_other_format_is_the_default() {
    let server = TestServer::start_with(
        "[rest.GET]\nformats = [\"jsonld\"]\nauthentication = [\"basic_auth\"]\n\
         [rest.DELETE]\nformats = []\nauthentication = [\"basic_auth\"]\n",
    );
    let nid = server.create_object("Rules");
    let path = format!("/node/{nid}");
    let node = server.get(&path).send().expect(200);
    assert_eq!(node.header("content-type"), Some("application/ld+json"));
    let json = format!("{path}?_format=json");
    let refused = server.get(&json).send();
    refused.expect_message(406, "Not acceptable format: json");
    server.delete(&path).as_admin().send().expect(406);
    server.get(&path).send().expect(200);
}
