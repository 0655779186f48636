//! Items that are published and unpublished at a time: while the clock runs, is set, and while the program is stopped.

use std::time::{Duration, Instant};

use chrono::{DateTime, Duration as Span, Utc};
use serde_json::{Value, json};

use super::clock::Clock;
use crate::client::Client;
use crate::program::Serving;

const JSON: &str = "Content-Type: application/json\r\n";

/// An item that is not public, with times for it.
fn scheduled(client: &Client, publish_on: DateTime<Utc>, unpublish_on: DateTime<Utc>) -> i64 {
    let body = json!({
        "type": [{"target_id": "islandora_object"}],
        "title": [{"value": "Letters under embargo"}],
        "field_model": [{"target_id": client.term("islandora_models", "Image")}],
        "status": [{"value": false}],
        "publish_on": [{"value": publish_on.to_rfc3339()}],
        "unpublish_on": [{"value": unpublish_on.to_rfc3339()}],
    });
    let (status, body) = client.send("POST", "/node?_format=json", JSON, &body.to_string());
    assert_eq!(status, 201, "{body}");
    let node: Value = serde_json::from_str(&body).expect("JSON");
    node["nid"][0]["value"].as_i64().expect("an id")
}

/// The item, for whoever may see everything.
fn item(client: &Client, nid: i64) -> Value {
    let (status, body) = client.get(&format!("/node/{nid}?_format=json"));
    assert_eq!(status, 200);
    serde_json::from_str(&body).expect("JSON")
}

fn is_public(client: &Client, nid: i64) -> bool {
    let path = format!("/node/{nid}?_format=json");
    client.serving.get(&path, None).0 == 200
}

/// Waits until the item is public, or is not any more.
#[track_caller]
fn wait_until(client: &Client, nid: i64, public: bool) {
    let begun = Instant::now();
    while is_public(client, nid) != public {
        let waited = begun.elapsed();
        assert!(waited < Duration::from_secs(60), "public: {}", !public);
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn an_item_is_public_from_one_time_to_another() {
    let data = tempfile::tempdir().expect("a directory");
    let clock = Clock::right();
    let client = Client::of(Serving::spawn(clock.isolario(data.path())));
    let now = Utc::now();
    let early = scheduled(&client, now + Span::minutes(50), now + Span::hours(5));
    let nid = scheduled(&client, now + Span::hours(1), now + Span::hours(2));
    let other = scheduled(&client, now + Span::hours(5), now + Span::hours(6));

    clock.set("+3500");
    wait_until(&client, early, true);
    assert!(!is_public(&client, nid));
    clock.set("+3601");
    wait_until(&client, nid, true);
    let published = item(&client, nid);
    assert!(published.get("publish_on").is_none());
    assert!(published["unpublish_on"][0]["value"].is_string());
    let log = &published["revision_log"][0]["value"];
    assert_eq!(log, "Published at the time that was set.");
    assert!(!is_public(&client, other));

    // The other time comes while nobody runs.
    clock.set("+7300");
    let client = client.restart_by(|| Serving::spawn(clock.isolario(data.path())));
    wait_until(&client, nid, false);
    assert!(item(&client, nid).get("unpublish_on").is_none());
    let (_, events) = client.get("/api/v1/activity?origin=schedule");
    let events: Value = serde_json::from_str(&events).expect("JSON");
    assert_eq!(events["changes"].as_array().map(Vec::len), Some(3));
    assert!(!is_public(&client, other));
}

#[test]
fn what_has_happened_does_not_happen_again() {
    let data = tempfile::tempdir().expect("a directory");
    let clock = Clock::right();
    let client = Client::of(Serving::spawn(clock.isolario(data.path())));
    let now = Utc::now();
    let nid = scheduled(&client, now - Span::hours(1), now + Span::hours(5));
    let former = item(&client, nid)["vid"][0]["value"].clone();
    wait_until(&client, nid, true);
    // Neither when a former state comes back …
    let revert = format!("/api/v1/items/{nid}/revisions/{former}/revert");
    let (status, body) = client.send("POST", &revert, JSON, "");
    assert_eq!(status, 200, "{body}");
    let reverted = item(&client, nid);
    assert_eq!(reverted["status"][0]["value"], false);
    assert!(reverted.get("publish_on").is_none());
    // … nor when the clock goes back.
    clock.set("-86400");
    let early = scheduled(&client, now - Span::hours(25), now + Span::hours(5));
    wait_until(&client, early, true);
    assert!(!is_public(&client, nid));
}

#[test]
fn both_times_may_have_passed_at_once() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::of(Serving::spawn(Clock::right().isolario(data.path())));
    let now = Utc::now();
    let ended = scheduled(&client, now - Span::hours(2), now - Span::hours(1));
    let begun = scheduled(&client, now - Span::hours(2), now + Span::hours(1));
    wait_until(&client, begun, true);
    assert!(!is_public(&client, ended));
    assert!(item(&client, ended).get("unpublish_on").is_none());
}
