//! The audit of stored bytes in a running server, with passes that follow one another at once.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::client::Client;
use crate::program::Serving;

const RULES: &str = "[server]\nport = 0\n[fixity]\npass_days = 0\nmax_mb_per_second = 1000.0\n";

fn audited(data: &Path) -> Client {
    std::fs::write(data.join("config.toml"), RULES).expect("written");
    Client::start(data)
}

fn json(client: &Client, path: &str) -> Value {
    let (status, body) = client.get(path);
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

/// Waits until the status satisfies.
#[track_caller]
fn until(client: &Client, what: &str, satisfies: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let status = json(client, "/api/v1/fixity");
        if satisfies(&status) {
            return status;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what} never came: {}", json(client, "/api/v1/fixity"));
}

/// Waits for a pass that begins after now.
fn pass(client: &Client) {
    for _ in 0..2 {
        let ends = |status: &Value| status["last_pass"]["started"].as_str().map(str::to_owned);
        let before = ends(&json(client, "/api/v1/fixity"));
        until(client, "another pass", |status| ends(status) != before);
    }
}

/// Events of files, as the stream tells them from the beginning.
fn events(client: &Client) -> Vec<(String, i64)> {
    use std::io::Read;
    let mut stream = client.begin("GET", "/api/v1/events?after=0", "");
    let wait = Some(Duration::from_secs(1));
    stream.set_read_timeout(wait).expect("set");
    let mut text = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut piece) {
        text.extend_from_slice(&piece[..length]);
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str::<Value>(data).ok())
        .filter(|change| change["origin"] == "fixity")
        .map(|change| {
            let action = change["action"].as_str().expect("a word").to_owned();
            (action, change["entity_id"].as_i64().expect("a number"))
        })
        .collect()
}

#[test]
fn damage_is_told_once_and_so_is_its_end() {
    let data = tempfile::tempdir().expect("a directory");
    let client = audited(data.path());
    let put = |scheme: &str| {
        let place = client.place();
        let headers = format!("Content-Type: text/plain\r\nContent-Location: {scheme}://a.txt\r\n");
        assert_eq!(client.send("PUT", &place, &headers, "bytes").0, 201);
    };
    put("public");
    put("fedora");
    let verified = |status: &Value| status["versions"] == 2 && status["never_verified"] == 0;
    let status = until(&client, "the first verification", verified);
    assert_eq!(status["amiss"], 0);
    assert!(status["oldest_verification"].is_string());
    let media = json(&client, "/api/v1/media");
    assert_eq!(
        media["media"][0]["file"]["fixity"]["state"], "intact",
        "{media}"
    );

    let path = data.path().join("files/public/a.txt");
    std::fs::write(&path, "bytez").expect("written");
    let damaged = until(&client, "the damage", |status| status["amiss"] == 1);
    assert_eq!(damaged["amiss_files"][0]["uri"], "public://a.txt");
    assert_eq!(damaged["amiss_files"][0]["fixity"]["state"], "damaged");
    pass(&client);
    assert_eq!(events(&client), [("damaged".to_owned(), 1)]);
    assert_eq!(
        std::fs::read(&path).expect("there"),
        b"bytez",
        "not repaired"
    );

    std::fs::remove_file(&path).expect("removed");
    until(&client, "the loss", |status| {
        status["amiss_files"][0]["fixity"]["state"] == "missing"
    });
    std::fs::write(&path, "bytes").expect("written");
    until(&client, "the end of it", |status| status["amiss"] == 0);
    pass(&client);
    let told = ["damaged", "missing", "intact"].map(|action| (action.to_owned(), 1));
    assert_eq!(events(&client), told);
}

#[test]
fn the_state_of_the_audit_is_for_administrators() {
    let data = tempfile::tempdir().expect("a directory");
    let serving = Serving::start(data.path());
    assert_eq!(serving.get("/api/v1/fixity", None).0, 401);
}

#[test]
fn a_restart_goes_on_with_the_pass() {
    let data = tempfile::tempdir().expect("a directory");
    // At a byte a second the pass cannot end.
    let rules = RULES.replace("1000.0", "0.000001");
    std::fs::write(data.path().join("config.toml"), rules).expect("written");
    let client = Client::start(data.path());
    until(&client, "the empty pass", |status| {
        !status["last_pass"].is_null()
    });
    let headers = "Content-Type: text/plain\r\nContent-Location: public://a.txt\r\n";
    let place = client.place();
    assert_eq!(client.send("PUT", &place, headers, "bytes").0, 201);
    let under_way = |status: &Value| status["current_pass"]["versions"] == 1;
    let before = until(&client, "a pass", under_way)["current_pass"].clone();
    client.serving.interrupt();
    // It does not wait for the audit.
    let client = client.restart(data.path());
    let after = json(&client, "/api/v1/fixity");
    assert_eq!(after["current_pass"], before);
}

#[test]
fn a_check_that_is_asked_for_comes_at_once() {
    let data = tempfile::tempdir().expect("a directory");
    let rules = "[server]\nport = 0\n[fixity]\npass_days = 30\n";
    std::fs::write(data.path().join("config.toml"), rules).expect("written");
    let client = Client::start(data.path());
    let ended = |status: &Value| status["last_pass"]["finished"].as_str().map(str::to_owned);
    // The first pass of an empty repository ends by itself; the next would come in a month.
    let first = until(&client, "the first pass", |status| ended(status).is_some());
    std::thread::sleep(Duration::from_millis(1100));
    let (status, body) = client.ask("POST", "/api/v1/fixity", "", "");
    assert_eq!(status, 202, "{body}");
    let again = until(&client, "the pass asked for", |status| {
        ended(status) != ended(&first)
    });
    assert_eq!(again["prioritised"], false);
}
