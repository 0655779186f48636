//! Sites that answer with anything: each resource that cannot come is reported, and the others come.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::stand_in::{Reply, StandIn, id, recorded, reference, uuid};
use super::{import, read};
use crate::client::Client;

fn image() -> Value {
    json!([reference("taxonomy_term", "term:islandora_models:Image")])
}

fn node(nid: i64, fields: Value) -> Value {
    let mut node = recorded(
        "C48b",
        json!({
            "nid": [{"value": nid}], "uuid": [{"value": uuid(&format!("node {nid}"))}], "field_member_of": [],
            "title": [{"value": format!("Node {nid}")}], "field_model": image(),
        }),
    );
    for (name, items) in fields.as_object().expect("fields") {
        node[name] = items.clone();
    }
    node
}

fn parent(nid: i64) -> Value {
    json!([{"target_id": nid, "target_type": "node", "target_uuid": uuid(&format!("node {nid}"))}])
}

fn site() -> StandIn {
    let site = StandIn::start();
    let name = "term:islandora_models:Image";
    let term = recorded(
        "F07",
        json!({"tid": [{"value": id(name)}], "uuid": [{"value": uuid(name)}]}),
    );
    site.has(&format!("/taxonomy/term/{}", id(name)), &term);
    site.has("/jwt/token", &json!({"token": "x"}));
    site
}

/// Answers that no site should give, each at a node of its own.
fn make_hostile(site: &StandIn) {
    site.has("/node/1", &node(1, json!({"field_member_of": parent(2)})));
    site.has("/node/2", &node(2, json!({"field_member_of": parent(1)})));
    site.on("/node/3", Reply::Endless);
    site.on("/node/4", Reply::With(200, "", b"<html>".to_vec()));
    site.on(
        "/node/5",
        Reply::With(
            500,
            "",
            b"The website encountered an unexpected error.".to_vec(),
        ),
    );
    site.has("/node/6", &node(99, json!({})));
    site.on(
        "/node/7",
        Reply::With(302, "Location: http://localhost:1/\r\n", Vec::new()),
    );
    site.on(
        "/node/8",
        Reply::With(302, "Location: /node/8\r\n", Vec::new()),
    );
    site.on(
        "/node/9",
        Reply::With(200, "", "[".repeat(100_000).into_bytes()),
    );
    site.has(
        "/node/10",
        &node(10, json!({"type": [{"target_id": "blog"}]})),
    );
    site.has("/node/11", &node(11, json!({
        "field_edtf_date": [{"value": "garbage"}, {"value": "2020"}], "field_extent": {"a": 1}, "langcode": [{"value": "zz"}],
        "field_subject": [{"target_id": 77}, {"target_id": -1}, {"target_id": "x"}, null, 5, []],
        "field_identifier": [{"value": {"value": []}}],
    })));
    site.has(
        "/node/12",
        &node(12, json!({"title": [{"value": "x".repeat(300)}]})),
    );
    site.has(
        "/node/13",
        &node(13, json!({"uuid": [{"value": "../../etc"}]})),
    );
    site.on(
        "/node/14",
        Reply::InTurn(vec![
            Reply::With(503, "Retry-After: 1\r\n", Vec::new()),
            Reply::Json(node(14, json!({}))),
        ]),
    );
}

#[test]
fn what_is_wrong_is_left_out_and_the_rest_comes() {
    let site = site();
    make_hostile(&site);
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let report = disk.path().join("report.csv");
    let start = Instant::now();
    let output = import(
        disk.path(),
        &site.url(),
        &["--report", report.to_str().unwrap()],
    );
    assert!(
        start.elapsed() > Duration::from_secs(1),
        "Retry-After is honoured"
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!text.contains("ended early"), "{text}");
    assert!(text.contains("nodes: 4 new"), "{text}");
    let csv = std::fs::read_to_string(report).unwrap();
    for lost in [
        "node,3,", "node,4,", "node,5,", "node,6,", "node,7,", "node,8,", "node,9,", "node,10,",
        "node,12,", "node,13,",
    ] {
        assert!(
            csv.lines().any(|line| line.starts_with(lost)),
            "{lost}: {csv}"
        );
    }
    for lost in [
        "field_edtf_date",
        "langcode",
        "field_subject",
        "field_member_of",
    ] {
        assert!(csv.contains(lost), "{lost}: {csv}");
    }
    let titles: Vec<Value> = read(&client, "/api/v1/items")["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["title"].clone())
        .collect();
    assert_eq!(titles.len(), 4, "{titles:?}");
}

#[test]
fn files_come_from_the_site_alone_and_whole() {
    let site = site();
    site.has("/node/1", &node(1, json!({})));
    let of = |number: i64| {
        let name = format!("file {number}");
        let field = json!([{"target_id": number, "target_type": "file", "target_uuid": uuid(&name), "url": "x"}]);
        recorded(
            "E07",
            json!({
                "mid": [{"value": number}], "uuid": [{"value": uuid(&format!("media {number}"))}],
                "field_media_of": parent(1), "field_media_use": [], "field_media_image": field,
            }),
        )
    };
    let file = |number: i64, url: &str| {
        let file = recorded(
            "G-file-admin-1",
            json!({
                "fid": [{"value": number}], "uuid": [{"value": uuid(&format!("file {number}"))}],
                "uri": [{"value": format!("public://{number}.png"), "url": url}],
            }),
        );
        site.has(&format!("/entity/file/{number}"), &file);
    };
    file(1, "http://127.0.0.1:1/secret");
    file(2, "/short.png");
    file(3, "/wrong.png");
    file(4, "//etc/passwd");
    site.on(
        "/short.png",
        Reply::With(200, "X: y\r\nContent-Length: 900\r\n", b"short".to_vec()),
    );
    site.on("/wrong.png", Reply::With(200, "", b"other bytes".to_vec()));
    let hash = format!(
        "/islandora_workbench_integration/file_hash?file_uuid={}&algorithm=sha256&_format=json",
        uuid("file 3")
    );
    site.has(
        &hash,
        &json!([{"checksum": "0".repeat(64), "algorithm": "sha256"}]),
    );
    site.has(
        "/islandora_workbench_integration/file_hash",
        &json!([{"checksum": "none"}]),
    );
    site.has(
        "/node/1/media",
        &json!([of(1), of(2), of(3), of(4), 5, {"mid": []}]),
    );
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let output = import(disk.path(), &site.url(), &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("files: 0 new, 0 changed, 0 unchanged, 4 failed"),
        "{text}"
    );
    assert!(
        text.contains("media: 0 new, 0 changed, 0 unchanged, 6 failed"),
        "{text}"
    );
    assert!(text.contains("is on another host"), "{text}");
    assert!(text.contains("another digest"), "{text}");
    assert_eq!(client.get("/entity/file/1?_format=json").0, 404);
}

#[test]
fn an_unreachable_site_ends_an_import() {
    let disk = tempfile::tempdir().unwrap();
    let output = import(disk.path(), "http://127.0.0.1:1", &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("ended early: The site does not answer"),
        "{text}"
    );
}
