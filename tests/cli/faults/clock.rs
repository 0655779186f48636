//! A clock that goes backwards, or fast: libfaketime stands between the program and the system's.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::client::Client;
use crate::program::{Serving, isolario};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];
const FILE: &str = "/sites/default/files/a.txt";

/// A clock that a test sets.
pub struct Clock {
    /// libfaketime reads from here how far the clock is off.
    setting: tempfile::NamedTempFile,
    monotonic: bool,
}

impl Clock {
    /// The right time, until it is set back.
    pub fn right() -> Clock {
        Clock::with("+0", false)
    }

    /// Runs so many times as fast as the right one.
    pub fn fast(times: u32) -> Clock {
        Clock::with(&format!("+0 x{times}"), true)
    }

    fn with(setting: &str, monotonic: bool) -> Clock {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let clock = Clock {
            setting: file,
            monotonic,
        };
        clock.set(setting);
        clock
    }

    /// By how much the clock of the program is off from now on.
    pub fn set(&self, offset: &str) {
        std::fs::write(self.setting.path(), offset).expect("written");
    }

    /// The program as a server under this clock.
    pub fn isolario(&self, data: &Path) -> Command {
        let mut command = isolario(data, &SERVE);
        command
            .env("LD_PRELOAD", library())
            .env("FAKETIME_TIMESTAMP_FILE", self.setting.path())
            .env("FAKETIME_NO_CACHE", "1")
            .env(
                "DONT_FAKE_MONOTONIC",
                if self.monotonic { "0" } else { "1" },
            );
        command
    }
}

fn library() -> PathBuf {
    let places = Path::new("/usr/lib")
        .read_dir()
        .expect("a system")
        .flatten();
    let mut libraries = places.map(|place| place.path().join("faketime/libfaketimeMT.so.1"));
    libraries
        .find(|library| library.exists())
        .expect("libfaketime is there (`make install-test-rust` installs it)")
}

/// An answer with its head.
fn answer(client: &Client, method: &str, path: &str, headers: &str) -> String {
    let mut stream = client.begin(method, path, headers);
    let mut text = String::new();
    std::io::Read::read_to_string(&mut stream, &mut text).expect("an answer");
    text
}

fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let mut lines = answer.lines();
    let line = lines.find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
    line.and_then(|line| line.split_once(": ")).expect(name).1
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).expect("a status")
}

#[track_caller]
fn assert_new_for(client: &Client, earlier: &str, text: &str) {
    let conditions = [
        ("If-None-Match", header(earlier, "etag")),
        ("If-Modified-Since", header(earlier, "last-modified")),
    ];
    for (name, value) in conditions {
        let found = answer(client, "GET", FILE, &format!("{name}: {value}\r\n"));
        assert_eq!(status(&found), "200", "{name}: {value}");
        assert!(found.ends_with(text), "{found}");
        assert!(date(header(&found, "last-modified")) <= date(header(&found, "date")));
    }
}

fn date(text: &str) -> std::time::SystemTime {
    httpdate::parse_http_date(text).expect("a date")
}

#[test]
fn caches_see_what_was_replaced_after_the_clock_went_back() {
    let data = tempfile::tempdir().expect("a directory");
    let clock = Clock::right();
    let client = Client::of(Serving::spawn(clock.isolario(data.path())));
    let place = client.place();
    assert_eq!(client.put(&place, "public://a.txt", "one").0, 201);
    let first = answer(&client, "GET", FILE, "");

    clock.set("-3600");
    assert_eq!(client.put(&place, "public://a.txt", "two").0, 204);
    assert_new_for(&client, &first, "two");
    let second = answer(&client, "GET", FILE, "");
    assert_eq!(client.put(&place, "public://a.txt", "three").0, 204);
    assert_new_for(&client, &second, "three");

    let client = client.restart_by(|| Serving::spawn(clock.isolario(data.path())));
    assert_eq!(client.get(FILE), (200, "three".into()));
    clock.set("+0");
    assert_new_for(&client, &first, "three");
    assert_new_for(&client, &second, "three");
}

#[test]
fn revisions_rise_and_people_stay_signed_in_when_the_clock_goes_back() {
    let data = tempfile::tempdir().expect("a directory");
    let clock = Clock::right();
    let client = Client::of(Serving::spawn(clock.isolario(data.path())));
    let node = format!("/node/{}?_format=json", client.object());
    let first = answer(&client, "GET", &node, "");
    let token = || {
        let (status, body) = client.get("/jwt/token");
        assert_eq!(status, 200);
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        format!("Bearer {}", answer["token"].as_str().expect("a token"))
    };
    let (early, list) = (token(), "/api/v1/session");

    clock.set("-30");
    assert_eq!(client.serving.get(list, Some(&early)).0, 200);
    clock.set("-86400");
    assert_eq!(client.serving.get(list, Some(&token())).0, 200);
    let change = r#"{"type":[{"target_id":"islandora_object"}],"title":[{"value":"Changed"}]}"#;
    let patch = |etag: &str| {
        let headers = format!("Content-Type: application/json\r\nIf-Match: {etag}\r\n");
        client.send("PATCH", &node, &headers, change).0
    };
    assert_eq!(patch(header(&first, "etag")), 200);
    assert_eq!(patch(header(&first, "etag")), 412);
    let (_, changed) = client.get(&node);
    let changed: Value = serde_json::from_str(&changed).expect("JSON");
    let before = first.split_once("\r\n\r\n").expect("a body").1;
    let before: Value = serde_json::from_str(before).expect("JSON");
    let revision = |node: &Value| node["vid"][0]["value"].as_i64();
    assert!(revision(&changed) > revision(&before));
    assert!(changed["changed"][0]["value"].as_str() < before["changed"][0]["value"].as_str());
}
