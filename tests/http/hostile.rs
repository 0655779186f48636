//! Requests that want to hurt: whatever they hold, they are answered, and never by a 5xx.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::content_model::{bundles, fields, hostile_values};
use crate::support::{Request, Response, TestServer};

/// Fields that every resource of a kind has.
const NODE_BASE: [&str; 13] = [
    "title",
    "status",
    "uid",
    "created",
    "changed",
    "promote",
    "sticky",
    "langcode",
    "vid",
    "uuid",
    "revision_log",
    "default_langcode",
    "path",
];
const MEDIA_BASE: [&str; 10] = [
    "name",
    "status",
    "uid",
    "created",
    "changed",
    "langcode",
    "vid",
    "uuid",
    "thumbnail",
    "revision_log_message",
];
const TERM_BASE: [&str; 9] = [
    "name",
    "description",
    "parent",
    "weight",
    "status",
    "langcode",
    "uuid",
    "changed",
    "path",
];

#[track_caller]
fn answered(what: &str, request: Request) -> Response {
    let answer = request.send();
    assert!(
        answer.status < 500,
        "{what}: {} {}",
        answer.status,
        answer.text()
    );
    if answer.status >= 400 {
        assert!(
            !answer.message().is_empty(),
            "{what}: {} without a message",
            answer.status
        );
    }
    answer
}

/// One field of each type, cardinality and target that a kind of bundles has.
fn one_of_each(kind: &str) -> Vec<(Value, String)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for bundle in bundles(kind) {
        for field in fields(&bundle) {
            let shape = format!(
                "{} {} {}",
                field["type"], field["cardinality"], field["target_type"]
            );
            if seen.insert(shape) {
                let name = field["name"]
                    .as_str()
                    .expect("fields have names")
                    .to_owned();
                found.push((bundle["id"].clone(), name));
            }
        }
    }
    found
}

fn with_base(kind: &str, bundle: &str, base: &[&str]) -> Vec<(Value, String)> {
    let base = base
        .iter()
        .map(|name| (Value::from(bundle), (*name).to_owned()));
    base.chain(one_of_each(kind)).collect()
}

#[test]
fn no_value_of_a_node_field_breaks_the_service() {
    let server = TestServer::shared();
    let model = server.object("")["field_model"].clone();
    for (bundle, field) in with_base("node", "islandora_object", &NODE_BASE) {
        for value in hostile_values() {
            let mut body = json!({"type": [{"target_id": bundle}], "title": [{"value": "T"}], "field_model": model});
            if bundle != "islandora_object" {
                body.as_object_mut()
                    .expect("an object")
                    .remove("field_model");
            }
            body[&field] = value;
            answered(
                &what(&body, &field),
                server
                    .post("/node?_format=json")
                    .as_admin()
                    .json(body.clone()),
            );
        }
    }
}

#[test]
fn no_value_of_a_changed_node_field_breaks_the_service() {
    let server = TestServer::shared();
    let fields = with_base("node", "islandora_object", &NODE_BASE);
    for (bundle, field) in fields
        .into_iter()
        .filter(|(bundle, _)| bundle == "islandora_object")
    {
        let path = format!("/node/{}", server.create_object("Target of attacks"));
        for value in hostile_values() {
            let body = json!({"type": [{"target_id": bundle}], &field: value});
            let answer = answered(
                &what(&body, &field),
                server.patch(&path).as_admin().json(body.clone()),
            );
            if answer.status == 200 {
                answered(
                    &field,
                    server.get(&format!("{path}?_format=jsonld")).as_admin(),
                );
            }
        }
        server.get(&path).as_admin().send().expect(200);
    }
}

#[test]
fn no_value_of_a_media_field_breaks_the_service() {
    let server = TestServer::shared();
    let nid = server.create_object("Media under attack");
    let mid = server.upload_image(nid, "public://hostile/a.png");
    let path = format!("/media/{mid}?_format=json");
    for (bundle, field) in with_base("media", "image", &MEDIA_BASE) {
        for value in hostile_values() {
            let body =
                json!({"bundle": [{"target_id": bundle}], "name": [{"value": "N"}], &field: value});
            answered(
                &what(&body, &field),
                server.post("/entity/media").as_admin().json(body.clone()),
            );
            answered(
                &what(&body, &field),
                server.patch(&path).as_admin().json(body.clone()),
            );
        }
    }
    answered("the media after it", server.get(&path).as_admin());
}

#[test]
fn no_value_of_a_term_field_breaks_the_service() {
    let server = TestServer::shared();
    for (bundle, field) in with_base("taxonomy_term", "tags", &TERM_BASE) {
        for value in hostile_values() {
            let body =
                json!({"vid": [{"target_id": bundle}], "name": [{"value": "N"}], &field: value});
            answered(
                &what(&body, &field),
                server.post("/taxonomy/term").as_admin().json(body.clone()),
            );
        }
    }
}

fn what(body: &Value, field: &str) -> String {
    let value: String = body[field].to_string().chars().take(120).collect();
    format!("{field} = {value}")
}

#[test]
fn no_bundle_breaks_the_service() {
    let server = TestServer::shared();
    for (path, key) in [
        ("/node", "type"),
        ("/entity/media", "bundle"),
        ("/taxonomy/term", "vid"),
    ] {
        for value in hostile_values() {
            let body = json!({key: value, "title": [{"value": "T"}], "name": [{"value": "N"}]});
            answered(
                &what(&body, key),
                server.post(path).as_admin().json(body.clone()),
            );
        }
    }
}

#[test]
fn an_unknown_field_is_named() {
    let server = TestServer::shared();
    let mut body = server.object("T");
    body["field_nope"] = json!([{"value": 1}]);
    let answer = server
        .post("/node")
        .as_admin()
        .json(body)
        .send()
        .expect(422);
    assert!(
        answer.message().contains("field_nope"),
        "{}",
        answer.message()
    );
}

#[test]
fn no_body_breaks_the_service() {
    let server = TestServer::shared();
    let nid = server.create_object("T");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_object = format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let bodies: [&[u8]; 17] = [
        b"",
        b"{",
        b"}",
        b"[]",
        b"null",
        b"1",
        b"true",
        b"\"text\"",
        b"{\"type\"}",
        b"{}{}",
        b"NaN",
        b"\xef\xbb\xbf{}",
        b"\xff\xfe",
        b"{\"a\":\"\xff\"}",
        b"\0",
        deep.as_bytes(),
        deep_object.as_bytes(),
    ];
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        for path in [
            "/node",
            "/entity/media",
            "/taxonomy/term",
            "/user/login?_format=json",
        ] {
            let request = server.post(path).as_admin().body("application/json", body);
            let answer = answered(&shown, request);
            assert!(
                (400..500).contains(&answer.status),
                "{path} {shown}: {}",
                answer.status
            );
        }
        let request = server
            .patch(&format!("/node/{nid}"))
            .as_admin()
            .body("application/json", body);
        assert!(
            (400..500).contains(&answered(&shown, request).status),
            "PATCH {shown}"
        );
    }
}

#[test]
fn no_path_breaks_the_service() {
    let server = TestServer::shared();
    let long = format!("/node/{}", "9".repeat(5_000));
    let paths = [
        "/node/99999999999999999999999",
        "/node/1.5",
        "/node/-1",
        "/node/%00",
        "/node/%ff%fe",
        "/node/%2e%2e",
        "/node/1%2f2",
        "/media/%zz",
        "/entity/file/x",
        "/taxonomy/term/0",
        "/user/%F0%9F%92%A9",
        "/..",
        "/../..",
        "/sites/default/files/../../../isolario.db",
        "/sites/default/files/%2e%2e/isolario.db",
        "/sites/default/files/..%2fisolario.db",
        "/sites/default/files/",
        "/sites/default/files/a%00b",
        "/_flysystem/fedora/..%2f..%2fkeys",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/node/1?_format=",
        "/node/1?_format=%00",
        "/node/1?_format=json&_format=xml",
        "/?%",
        "/api/v1/items?limit=-1",
        "/api/v1/items?limit=99999999999",
        "/api/v1/items?after=%00",
        "/api/v1/items?after=zzz",
        "/api/v1/items?collection=x",
        "/api/v1/items?q=%22%27)(*",
        "/api/v1/terms?q=%25_%5C",
        "/api/v1/nope",
        "/api",
        &long,
    ];
    for path in paths {
        let answer = server.get(path).as_admin().send();
        assert!(
            answer.status < 500,
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
        let text = answer.text();
        assert!(
            !text.contains("SQLite format") && !text.contains("[package]"),
            "{path} leaks a file"
        );
        if answer.status >= 400 {
            assert!(!answer.message().is_empty(), "{path}: no message");
        }
    }
}
