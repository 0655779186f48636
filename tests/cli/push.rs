//! `isolario push`: from one program to another.

use std::path::Path;
use std::process::Output;

use serde_json::json;

use crate::client::Client;
use crate::import::read;
use crate::program::{complained, isolario, said};

const JSON: &str = "Content-Type: application/json\r\n";

fn push(data: &Path, to: &Client, more: &[&str]) -> Output {
    let url = format!("http://{}", to.serving.address);
    let mut command = isolario(data, &["push", &url, "--user", "admin"]);
    let password = to.serving.password().expect("a password");
    command.args(more).env("ISOLARIO_SITE_PASSWORD", password);
    command.output().expect("it starts")
}

fn patch(client: &Client, path: &str, mut fields: serde_json::Value) {
    fields["type"] = json!([{"target_id": "islandora_object"}]);
    let (status, body) = client.send("PATCH", path, JSON, &fields.to_string());
    assert_eq!(status, 200, "{body}");
}

#[test]
fn items_are_sent_with_their_terms_and_files_and_then_what_changes() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let here = Client::start(from.path());
    let there = Client::start_apart(to.path());
    let place = here.place();
    assert_eq!(here.put(&place, "fedora://deep/a.txt", "the bytes").0, 201);
    let parent = here.object();
    let term = json!({"vid": [{"target_id": "subject"}], "name": [{"value": "Gulls & others"}]});
    let (status, body) = here.send(
        "POST",
        "/taxonomy/term?_format=json",
        JSON,
        &term.to_string(),
    );
    assert_eq!(status, 201, "{body}");
    let subject = here.term("subject", "Gulls & others");
    patch(
        &here,
        "/node/1?_format=json",
        json!({
            "title": [{"value": "Sent"}], "status": [{"value": false}], "field_member_of": [{"target_id": parent}],
            "field_subject": [{"target_id": subject}], "field_edtf_date": [{"value": "1920~"}],
            "created": [{"value": "2019-05-06T07:08:09+00:00"}],
        }),
    );
    // So that the numbers there are others.
    there.object();
    let text = said(push(from.path(), &there, &[&parent.to_string(), "--below"]));
    assert!(
        text.contains("nodes: 2 new, 0 changed, 0 unchanged, 0 failed"),
        "{text}"
    );
    assert!(text.contains("media: 1 new"), "{text}");
    assert!(text.contains("terms: 1 new"), "{text}");
    let (node, original) = (
        read(&there, "/node/3?_format=json"),
        read(&here, "/node/1?_format=json"),
    );
    for field in ["uuid", "title", "status", "created", "field_edtf_date"] {
        assert_eq!(node[field], original[field], "{field}");
    }
    assert_eq!(node["field_member_of"][0]["target_id"], 2);
    assert_eq!(
        node["field_subject"][0]["target_uuid"],
        original["field_subject"][0]["target_uuid"]
    );
    assert_eq!(
        node["field_model"][0]["target_id"],
        there.term("islandora_models", "Digital Document")
    );
    let file = read(&there, "/entity/file/1?_format=json");
    assert_eq!(file["uri"][0]["value"], "fedora://deep/a.txt");
    let bytes = file["uri"][0]["url"].as_str().expect("a path");
    assert_eq!(there.get(bytes), (200, "the bytes".to_owned()));
    then_only_changes_are_sent(from.path(), &here, &there, &place, bytes);
}

fn then_only_changes_are_sent(
    data: &Path,
    here: &Client,
    there: &Client,
    place: &str,
    bytes: &str,
) {
    let again = said(push(data, there, &["1"]));
    assert!(
        again.contains("nodes: 0 new, 0 changed, 1 unchanged"),
        "{again}"
    );
    assert!(
        again.contains("media: 0 new, 0 changed, 1 unchanged"),
        "{again}"
    );
    patch(
        there,
        "/node/3?_format=json",
        json!({"field_extent": [{"value": "theirs"}]}),
    );
    patch(
        here,
        "/node/1?_format=json",
        json!({"title": [{"value": "Sent again"}], "field_edtf_date": []}),
    );
    assert_eq!(here.put(place, "fedora://deep/a.txt", "other bytes").0, 204);
    let third = said(push(data, there, &["1"]));
    assert!(
        third.contains("nodes: 0 new, 1 changed, 0 unchanged"),
        "{third}"
    );
    assert!(third.contains("media: 0 new, 1 changed"), "{third}");
    let node = read(there, "/node/3?_format=json");
    assert_eq!(node["title"][0]["value"], "Sent again");
    assert_eq!(node["field_edtf_date"], json!([]));
    assert_eq!(node["field_extent"][0]["value"], "theirs");
    assert_eq!(there.get(bytes), (200, "other bytes".to_owned()));
}

#[test]
fn an_unpublished_file_is_never_public_there() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let here = Client::start(from.path());
    let there = Client::start_apart(to.path());
    let place = here.place();
    assert_eq!(here.put(&place, "fedora://deep/a.txt", "the bytes").0, 201);
    let hidden = r#"{"bundle": [{"target_id": "file"}], "status": [{"value": false}]}"#;
    let (status, body) = here.send("PATCH", "/media/1?_format=json", JSON, hidden);
    assert_eq!(status, 200, "{body}");
    let text = said(push(from.path(), &there, &["1"]));
    assert!(text.contains("media: 1 new"), "{text}");
    let media = read(&there, "/media/1?_format=json");
    assert_eq!(media["status"][0]["value"], false);
    assert_eq!(media["name"], read(&here, "/media/1?_format=json")["name"]);
    assert_eq!(media["field_media_of"][0]["target_id"], 1);
    // The upload route, which publishes, would have kept the address.
    let file = read(&there, "/entity/file/1?_format=json");
    assert_ne!(file["uri"][0]["value"], "fedora://deep/a.txt");
    let bytes = file["uri"][0]["url"].as_str().expect("a path");
    assert_eq!(there.get(bytes), (200, "the bytes".to_owned()));
    let again = said(push(from.path(), &there, &["1"]));
    assert!(
        again.contains("media: 0 new, 0 changed, 1 unchanged"),
        "{again}"
    );
}

#[test]
fn what_a_site_refuses_is_reported() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let here = Client::start(from.path());
    let there = Client::start_apart(to.path());
    here.object();
    let node = read(&here, "/node/1?_format=json");
    let taken = json!({
        "type": [{"target_id": "islandora_object"}], "title": [{"value": "Taken"}], "uuid": node["uuid"],
        "field_model": [{"target_id": there.term("islandora_models", "Image")}],
    });
    assert_eq!(
        there
            .send("POST", "/node?_format=json", JSON, &taken.to_string())
            .0,
        201
    );
    let output = push(from.path(), &there, &["1", "77"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("UUID"), "{text}");
    assert!(
        text.contains("node 77 \"\": There is no such item here."),
        "{text}"
    );
    let nobody = complained(
        &isolario(from.path(), &["push", "http://127.0.0.1:1"])
            .output()
            .unwrap(),
        2,
    );
    assert!(nobody.contains("ITEM"), "{nobody}");
}
