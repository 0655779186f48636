//! A change of many items, in the middle of which the program is killed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::load::{Client, Terms};
use crate::running::{assert_clean, found, start};
use crate::wire::Server;

const JSON: &str = "Content-Type: application/json\r\n";
/// Three parts.
const ITEMS: usize = 450;

#[test]
fn a_change_of_many_goes_on_after_a_crash_and_changes_every_item_once() {
    let data = tempfile::tempdir().expect("a directory");
    let authorization = found(data.path());
    let mut running = start(data.path(), &authorization, Some("batch:2"));
    let terms = Terms::of(&running.server);
    let mut client = Client::new("client".to_owned(), Chance::new(1), terms);
    let made = (0..ITEMS).map(|_| client.create(&running.server).expect("an item"));
    let nids: Vec<i64> = made.collect();
    let change =
        json!({"act": "replace_text", "find": "client", "by": "client client", "match_case": true});
    let body = json!({"items": {"nids": nids}, "change": change}).to_string();
    let begun = running
        .server
        .ask("POST", "/api/v1/batches", JSON, body.as_bytes());
    let id = begun.expect("an answer").expect(202).json()["id"].clone();
    until(|| running.serving.has_ended());
    running = start(data.path(), &authorization, None);
    let batch = || {
        running
            .server
            .get(&format!("/api/v1/batches/{id}"))
            .expect(200)
            .json()
    };
    until(|| !batch()["ended"].is_null());
    assert_eq!(
        (&batch()["state"], &batch()["changed"]),
        (&json!("done"), &json!(ITEMS))
    );
    for nid in nids {
        assert_eq!(
            title(&running.server, nid).matches("client").count(),
            2,
            "once"
        );
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
