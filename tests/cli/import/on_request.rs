//! `/api/v1/import`: the same import, as the window begins it.

use std::time::Duration;

use serde_json::{Value, json};

use super::read;
use super::stand_in::{Reply, StandIn};
use super::whole::site;
use crate::client::Client;

const JSON: &str = "Content-Type: application/json\r\n";

fn begin(client: &Client, body: &Value) -> (u16, String) {
    client.send("POST", "/api/v1/import", JSON, &body.to_string())
}

fn outcome(client: &Client) -> Value {
    loop {
        let state = read(client, "/api/v1/import");
        if state["running"].is_null() {
            return state["last"].clone();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn count(report: &Value, kind: &str) -> Value {
    let counts = report["counts"].as_array().expect("counts").iter();
    let mut counts = counts.filter(|count| count["kind"] == kind);
    counts.next().cloned().unwrap_or_default()
}

#[test]
fn an_administrator_checks_and_imports_and_reads_the_report() {
    let site = site();
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let heading = "kind,id,uuid,title,field,reason\n";
    assert_eq!(
        client.get("/api/v1/import/report"),
        (200, heading.to_owned())
    );
    let order = json!({"site": site.url(), "user": "admin", "password": "secret", "check": true});
    assert_eq!(begin(&client, &order).0, 202);
    let checked = outcome(&client);
    assert_eq!(
        (&checked["check"], &checked["ended"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(count(&checked, "node")["new"], 2);
    assert_eq!(checked["gaps"][0]["field"], "field_scanner");
    assert_eq!(client.get("/node/1?_format=json").0, 404);
    let order = json!({"site": site.url(), "user": "admin", "password": "secret"});
    assert_eq!(begin(&client, &order).0, 202);
    assert_eq!(count(&outcome(&client), "node")["new"], 2);
    assert_eq!(
        read(&client, "/node/2?_format=json")["title"][0]["value"],
        "A map"
    );
    let (status, csv) = client.get("/api/v1/import/report");
    assert!(status == 200 && csv.starts_with(heading), "{csv}");
    let history = read(&client, "/api/v1/activity");
    assert!(
        history.to_string().contains("\"origin\":\"import\""),
        "{history}"
    );
    for wrong in [
        "ftp://a.example",
        "file:///etc/passwd",
        "nowhere",
        "http://a:b@c.example",
    ] {
        assert_eq!(begin(&client, &json!({"site": wrong})).0, 422, "{wrong}");
    }
}

#[test]
fn one_import_runs_at_a_time_and_can_be_cancelled() {
    let site = StandIn::start();
    site.has("/jwt/token", &json!({"token": "x"}));
    for nid in 1..400 {
        let nothing = Reply::Slow(Duration::from_millis(20), json!({}));
        site.on(&format!("/node/{nid}"), nothing);
    }
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let order = json!({"site": site.url(), "user": "admin", "password": "secret"});
    assert_eq!(begin(&client, &order).0, 202);
    assert_eq!(begin(&client, &order).0, 409);
    let state = read(&client, "/api/v1/import");
    assert_eq!(state["running"]["site"], site.url());
    assert!(!state.to_string().contains("secret"), "{state}");
    assert_eq!(client.send("POST", "/api/v1/import/cancel", "", "").0, 204);
    let report = outcome(&client);
    assert_eq!(report["ended"], "It was cancelled.");
    assert!(site.requests().len() < 300);
}
