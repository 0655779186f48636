//! What `config.toml` says about formats, ways to sign in and tokens.

use serde_json::json;

use crate::support::{ADMIN, Request, TestServer};
use crate::user::log_in;

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
    let token = server.token(ADMIN.name, ADMIN.password);
    patch().bearer(&token).send().expect(200);
}

#[test]
fn uploads_take_every_way_to_sign_in_whatever_the_rules_say() {
    let rules: String = ["GET", "POST", "PATCH", "DELETE"]
        .iter()
        .map(|method| format!("[rest.{method}]\nformats = [\"json\"]\nauthentication = [\"cookie\", \"basic_auth\"]\n"))
        .collect();
    let server = TestServer::start_with(&rules);
    let nid = server.create_object("Rules");
    let token = server.token(ADMIN.name, ADMIN.password);
    let put = |path: String| {
        server
            .put(&path)
            .bearer(&token)
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
    let access_token = server.post("/api/v1/tokens").as_admin();
    access_token
        .json(json!({"name": "A service"}))
        .send()
        .expect(404);
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

/// A request of a method that is refused with 403 only because of how one has signed in.
fn asked<'a>(server: &'a TestServer, method: &str, nid: i64) -> Request<'a> {
    let path = match method {
        "POST" => "/node".to_owned(),
        "PUT" => server.upload_path(nid, "file", "Original File"),
        _ => format!("/node/{nid}"),
    };
    let request = server.request(method, &path);
    match method {
        // Nothing comes of them: what they say makes no sense.
        "POST" | "PATCH" => request.json(serde_json::json!({})),
        "DELETE" => request.header("If-Match", "\"0\""),
        _ => request,
    }
}

#[test]
fn the_server_page_says_what_each_method_really_takes() {
    let off = |method: &str, ways: &str| {
        format!("[rest.{method}]\nformats = [\"json\"]\nauthentication = [{ways}]\n")
    };
    let rules = [
        off("GET", "\"basic_auth\", \"cookie\""),
        off("POST", "\"jwt_auth\""),
        off("PATCH", ""),
        off("DELETE", "\"cookie\", \"jwt_auth\""),
    ];
    let server = TestServer::start_with(&rules.concat());
    let key = format!("Window {}", server.window_key());
    let window = |request: Request<'_>| request.header("Authorization", key.as_str()).send();
    let status = window(server.get("/api/v1/server")).expect(200).json();
    let model = server.term("islandora_models", "Image");
    let object =
        serde_json::json!({"type": "islandora_object", "title": ["Rules"], "field_model": [model]});
    let nid = window(server.post("/node").json(object))
        .expect(201)
        .created();
    let token = server.token(ADMIN.name, ADMIN.password);
    let session = log_in(&server, ADMIN);
    let csrf = session.body["csrf_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    for row in status["sign_in"].as_array().expect("a list") {
        let method = row["method"].as_str().expect("a method");
        let also_head = (method == "GET").then_some("HEAD");
        for method in std::iter::once(method).chain(also_head) {
            let request = || asked(&server, method, nid);
            let cookie = request().header("Cookie", session.cookie.as_str());
            for (way, sent) in [
                ("basic", request().as_admin()),
                ("bearer", request().bearer(&token)),
                ("cookie", cookie.header("X-CSRF-Token", csrf.as_str())),
            ] {
                let answer = sent.send();
                let taken = answer.status != 403;
                assert_eq!(row[way], taken, "{method} by {way}: {}", answer.status);
            }
        }
    }
}
