//! A change of many items, in the middle of which the program is killed.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::load::{Client, Terms};
use crate::running::{Running, assert_clean, found, start};
use crate::wire::Server;

const JSON: &str = "Content-Type: application/json\r\n";
/// Three parts.
const ITEMS: usize = 450;

/// Makes items and changes them all. The program is killed meanwhile, and started again; returns when the change is done.
fn killed_while(data: &Path, change: &Value) -> (Running, Vec<i64>, Value) {
    let authorization = found(data);
    let mut running = start(data, &authorization, Some("batch:2"));
    let terms = Terms::of(&running.server);
    let mut client = Client::new("client".to_owned(), Chance::new(1), terms);
    let made = (0..ITEMS).map(|_| client.create(&running.server).expect("an item"));
    let nids: Vec<i64> = made.collect();
    let body = json!({"items": {"nids": nids}, "change": change}).to_string();
    let begun = running
        .server
        .ask("POST", "/api/v1/batches", JSON, body.as_bytes());
    let id = begun.expect("an answer").expect(202).json()["id"].clone();
    until(|| running.serving.has_ended());
    running = start(data, &authorization, None);
    let batch = ended(&running.server, &id);
    assert_eq!(
        (&batch["state"], &batch["changed"]),
        (&json!("done"), &json!(ITEMS))
    );
    (running, nids, id)
}

fn ended(server: &Server, id: &Value) -> Value {
    let batch = || {
        let path = format!("/api/v1/batches/{id}");
        server.get(&path).expect(200).json()
    };
    until(|| !batch()["ended"].is_null());
    batch()
}

#[test]
fn a_change_of_many_goes_on_after_a_crash_and_changes_every_item_once() {
    let data = tempfile::tempdir().expect("a directory");
    let change =
        json!({"act": "replace_text", "find": "client", "by": "client client", "match_case": true});
    let (running, nids, _) = killed_while(data.path(), &change);
    for nid in nids {
        assert_eq!(
            title(&running.server, nid).matches("client").count(),
            2,
            "once"
        );
    }
    assert_clean(data.path());
}

#[test]
fn a_deletion_of_many_goes_on_after_a_crash_and_is_taken_back_whole() {
    let data = tempfile::tempdir().expect("a directory");
    let delete = json!({"act": "delete", "with_media": true});
    let (running, nids, id) = killed_while(data.path(), &delete);
    let server = &running.server;
    for nid in &nids {
        server.get(&format!("/node/{nid}?_format=json")).expect(404);
    }
    let undo = server.ask("POST", &format!("/api/v1/batches/{id}/undo"), "", b"");
    let undo = undo.expect("an answer").expect(202).json()["id"].clone();
    assert_eq!(ended(server, &undo)["changed"], ITEMS);
    for nid in nids {
        title(server, nid);
    }
    assert_clean(data.path());
}

#[test]
fn a_merge_of_terms_goes_on_after_a_crash_and_is_taken_back_whole() {
    let data = tempfile::tempdir().expect("a directory");
    let authorization = found(data.path());
    let mut running = start(data.path(), &authorization, Some("batch:2"));
    let [kept, merged] = ["Charts", "Chart"].map(|name| term(&running.server, name, json!([])));
    let above = json!([{"target_id": merged}]);
    let below = (0..ITEMS).map(|n| term(&running.server, &format!("Chart {n}"), above.clone()));
    let below: Vec<i64> = below.collect();
    let body = json!({ "terms": [merged] }).to_string();
    let path = format!("/api/v1/terms/{kept}/merge");
    let begun = running.server.ask("POST", &path, JSON, body.as_bytes());
    let id = begun.expect("an answer").expect(202).json()["id"].clone();
    until(|| running.serving.has_ended());
    running = start(data.path(), &authorization, None);
    let server = &running.server;
    // All uses, the merged term, and the term that stays, which takes over the other name.
    assert_eq!(ended(server, &id)["changed"], ITEMS + 2);
    let parents = || {
        below
            .iter()
            .map(|tid| parent(server, *tid))
            .collect::<Vec<_>>()
    };
    assert_eq!(parents(), vec![kept; ITEMS]);
    let undo = server.ask("POST", &format!("/api/v1/batches/{id}/undo"), "", b"");
    let undo = undo.expect("an answer").expect(202).json()["id"].clone();
    assert_eq!(ended(server, &undo)["changed"], ITEMS + 2);
    assert_eq!(parents(), vec![merged; ITEMS]);
    assert_clean(data.path());
}

fn term(server: &Server, name: &str, parent: Value) -> i64 {
    let body =
        json!({"vid": [{"target_id": "subject"}], "name": [{"value": name}], "parent": parent});
    let body = body.to_string();
    let made = server.ask("POST", "/taxonomy/term?_format=json", JSON, body.as_bytes());
    let made = made.expect("an answer").expect(201).json();
    made["tid"][0]["value"].as_i64().expect("a tid")
}

fn parent(server: &Server, tid: i64) -> i64 {
    let path = format!("/taxonomy/term/{tid}?_format=json");
    let term = server.get(&path).expect(200).json();
    term["parent"][0]["target_id"].as_i64().expect("a parent")
}

fn title(server: &Server, nid: i64) -> String {
    let node: Value = server
        .get(&format!("/node/{nid}?_format=json"))
        .expect(200)
        .json();
    node["title"][0]["value"]
        .as_str()
        .expect("a title")
        .to_owned()
}

fn until(happened: impl Fn() -> bool) {
    let begun = Instant::now();
    while !happened() {
        assert!(begun.elapsed() < Duration::from_secs(120), "stuck");
        std::thread::sleep(Duration::from_millis(20));
    }
}
