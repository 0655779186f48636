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
