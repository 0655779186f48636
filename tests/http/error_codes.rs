//! The `code` of every kind of error, and the violations of fields as data.

use serde_json::{Value, json};

use crate::put_upload::text_upload;
use crate::resumable_upload::{begin, part};
use crate::support::{Request, Response, TestServer, merge};

/// Fails the test unless the answer is that error.
#[track_caller]
fn assert_error(answer: Response, status: u16, code: &str) {
    let answer = answer.expect(status);
    assert_eq!(answer.json()["code"], code, "{}", answer.text());
    assert!(!answer.message().is_empty(), "{}", answer.request);
}

/// The codes of a schema of the OpenAPI document.
fn codes(server: &TestServer, schema: &str) -> Vec<String> {
    let document = server.get("/openapi.json").send().expect(200).json();
    let codes = document["components"]["schemas"][schema]["enum"].as_array();
    let codes = codes.expect("an enum").iter();
    codes
        .map(|code| code.as_str().expect("a text").to_owned())
        .collect()
}

/// Requests whose address or body is wrong, each with its status and code.
fn failing(server: &TestServer) -> Vec<(Request<'_>, u16, &'static str)> {
    let nid = server.create_object("Errors");
    let post = || server.post("/node?_format=json");
    let json = "application/json";
    let object = server.object("Errors");
    vec![
        (server.get("/nothing/here"), 404, "not_found"),
        (server.get("/api/v1/nothing"), 404, "not_found"),
        (server.get("/node/99999999"), 404, "not_found"),
        (server.get("/api/v1/items/99999999"), 404, "not_found"),
        (server.get("/system/files/none.txt"), 404, "not_found"),
        (server.put("/node"), 405, "method_not_allowed"),
        (server.post("/api/v1/items"), 405, "method_not_allowed"),
        (
            server.get(&format!("/node/{nid}?_format=xml")),
            406,
            "not_acceptable",
        ),
        (post().as_admin(), 415, "unsupported_media_type"),
        (
            post().as_admin().body("text/html", "<p>"),
            415,
            "unsupported_media_type",
        ),
        (post().as_admin().body(json, "{"), 400, "malformed"),
        (post().as_admin().body(json, "7"), 400, "malformed"),
        (
            post().as_admin().body(json, "[".repeat(99)),
            400,
            "malformed",
        ),
        (server.get("/node/%ff"), 400, "malformed"),
        (server.get("/api/v1/items?limit=many"), 400, "malformed"),
        (post().as_admin().json(json!({})), 422, "invalid"),
        (
            post().as_admin().json(merge(object, json!({"title": []}))),
            422,
            "invalid_fields",
        ),
    ]
}

/// Requests without an upload that fail whatever their body, each with its status and code.
fn refused(server: &TestServer) -> Vec<(Request<'_>, u16, &'static str)> {
    let nid = server.create_object("Errors");
    let node = format!("/node/{nid}?_format=json");
    let post = || server.post("/node?_format=json");
    let object = server.object("Errors");
    vec![
        (post().json(object.clone()), 401, "not_authenticated"),
        (
            post().basic("admin", "wrong").json(object),
            401,
            "credentials_refused",
        ),
        (
            server.get("/node/1").bearer("a.b.c"),
            401,
            "credentials_refused",
        ),
        (
            server.get("/node/1").header("Authorization", "Digest a"),
            401,
            "credentials_refused",
        ),
        (server.delete(&node).as_plain(), 403, "forbidden"),
        (
            server
                .delete(&node)
                .as_admin()
                .header("If-Match", "\"0-no\""),
            412,
            "precondition_failed",
        ),
        (
            server.get("/").header("Host", "evil.example"),
            421,
            "unknown_host",
        ),
        (
            server.get(&format!("/{}", "x".repeat(9000))),
            414,
            "address_too_long",
        ),
        (
            server.get("/").header("X-Long", "x".repeat(40_000)),
            431,
            "headers_too_large",
        ),
    ]
}

#[test]
fn every_error_has_a_code_of_the_document() {
    // Wrong passwords slow down an address of the server that they are sent to.
    let server = TestServer::start();
    let known = codes(&server, "ErrorCode");
    for (request, status, code) in failing(&server).into_iter().chain(refused(&server)) {
        assert!(known.contains(&code.to_owned()), "{code} is not documented");
        assert_error(request.send(), status, code);
    }
}

#[test]
fn refused_sign_ins_have_a_code() {
    let server = TestServer::start();
    let sign_in = |name: &str| {
        let body = json!({"name": name, "pass": "wrong"});
        server.post("/user/login?_format=json").json(body).send()
    };
    for _ in 0..5 {
        assert_error(sign_in("admin"), 400, "credentials_refused");
    }
    assert_error(sign_in("admin"), 429, "too_many");
    let large = json!({"name": "x".repeat(100_000), "pass": ""});
    let large = server.post("/user/login?_format=json").json(large);
    assert_error(large.send(), 413, "too_large");
}

#[test]
fn refused_transfers_have_a_code() {
    let server = TestServer::shared();
    let upload = |location: &str| text_upload(server, location).1;
    let bytes = |location: &str| upload(location).body("text/plain", "bytes");
    let encoded = bytes("public://codes/a.txt").header("Content-Encoding", "gzip");
    assert_error(encoded.send(), 415, "unsupported_media_type");
    let nowhere = bytes("http://example.org/a");
    assert_error(nowhere.send(), 400, "malformed");
    let path = begin(server, &upload("public://codes/b.txt"));
    let elsewhere = part(server, &path, 7, "?0", "bytes").send();
    assert_eq!(
        elsewhere.header("content-type"),
        Some("application/problem+json")
    );
    assert_error(elsewhere, 409, "conflict");
    let created = bytes("public://codes/c.txt").send();
    let created = created.expect(201).created();
    let file = server.media(created)["field_media_file"][0]["url"].clone();
    let path = server.path_of(file.as_str().expect("an address"));
    let range = server
        .get(&path)
        .as_admin()
        .header("Range", "bytes=999999-");
    assert_error(range.send(), 416, "range_not_satisfiable");
}

#[test]
fn violations_are_data() {
    let server = TestServer::shared();
    let fields = json!({
        "title": [],
        "langcode": [{"value": "zz"}],
        "field_edtf_date": [{"value": "1571"}, {"value": "2020-13-01"}],
        "field_extent": [{"value": "x".repeat(256)}],
        "field_member_of": [{"target_id": 99_999_999}],
    });
    let body = merge(server.object("Codes"), fields);
    let answer = server.post("/node?_format=json").as_admin().json(body);
    let answer = answer.send().expect(422).json();
    let expected = [
        ("langcode", json!(0), Value::Null, "not_a_choice"),
        ("title", Value::Null, Value::Null, "required"),
        ("field_edtf_date", json!(1), Value::Null, "not_a_date"),
        ("field_extent", json!(0), json!("value"), "too_long"),
        (
            "field_member_of",
            json!(0),
            json!("target_id"),
            "unknown_reference",
        ),
    ];
    let known = codes(server, "ViolationCode");
    let violations = answer["violations"].as_array().expect("violations");
    assert_eq!(violations.len(), expected.len(), "{answer:#}");
    for (violation, (field, index, property, code)) in violations.iter().zip(expected) {
        let place = json!([
            violation["field"],
            violation["index"],
            violation["property"]
        ]);
        assert_eq!(place, json!([field, index, property]));
        assert_eq!(violation["code"], code);
        assert!(known.contains(&code.to_owned()), "{code} is not documented");
        let message = violation["message"].as_str().expect("a sentence");
        let whole = answer["message"].as_str().expect("a message");
        assert!(whole.contains(&format!(": {message}\n")), "{whole}");
    }
}

#[test]
fn violations_of_accounts_and_of_unknown_fields_are_data() {
    let server = TestServer::shared();
    let account = json!({"name": "a:b", "password": "a new password"});
    let account = server.post("/api/v1/users").as_admin().json(account);
    let unknown = merge(server.object("Codes"), json!({"field_none": []}));
    let unknown = server.post("/node?_format=json").as_admin().json(unknown);
    for (request, field, code) in [
        (account, "name", "wrong_syntax"),
        (unknown, "field_none", "unknown_field"),
    ] {
        let answer = request.send().expect(422).json();
        assert_eq!(answer["code"], "invalid_fields");
        assert_eq!(answer["violations"][0]["field"], field);
        assert_eq!(answer["violations"][0]["code"], code);
    }
}

#[test]
fn the_documentation_lists_every_code() {
    let server = TestServer::shared();
    let page = include_str!("../../docs/ERRORS.md");
    for schema in ["ErrorCode", "ViolationCode"] {
        for code in codes(server, schema) {
            assert!(page.contains(&format!("| `{code}` |")), "{code}");
        }
    }
}
