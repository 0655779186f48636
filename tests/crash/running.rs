//! The program, running, and what has to be true of it.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::program::{Serving, basic, isolario, run};
use crate::wire::Server;

/// A number in the environment.
pub fn from_environment<T: std::str::FromStr>(name: &str, or: T) -> T {
    let value = std::env::var(name).ok();
    value.and_then(|value| value.parse().ok()).unwrap_or(or)
}

/// `SEED`, or one that was not there before.
pub fn seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seed = now.map_or(1, |now| now.subsec_nanos().into());
    from_environment("SEED", seed)
}

/// A running program, and how it is asked.
pub struct Running {
    pub serving: Serving,
    pub server: Server,
}

/// Starts a program that is to end at a point, if one is given.
pub fn start(data: &Path, authorization: &str, point: Option<&str>) -> Running {
    let mut command = isolario(data, &["serve", "--listen", "127.0.0.1:0"]);
    if let Some(point) = point {
        command.env("ISOLARIO_KILL_AT", point);
    }
    let serving = Serving::spawn(command);
    let server = Server::new(serving.address, authorization);
    Running { serving, server }
}

/// Starts a new repository; the `Authorization` of its administrator.
pub fn found(data: &Path) -> String {
    let serving = Serving::start(data);
    basic("admin", serving.password().expect("a password"))
}

/// The check finds nothing wrong, and nothing is left of what came at once; what it found.
#[track_caller]
pub fn assert_clean(data: &Path) -> Value {
    let output = run(data, &["check", "--json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).expect("a report");
    assert_eq!(report["problems"], serde_json::json!([]), "{text}");
    assert_eq!(report["in_use"], true);
    let staging = data.join("staging").read_dir().expect("there");
    let left: Vec<_> = staging.map(|entry| entry.expect("there").path()).collect();
    assert!(left.is_empty(), "left in staging: {left:?}");
    report
}

/// A search finds the items that the database lists, as they are named there, whatever it had found before the crash.
pub fn assert_searchable(server: &Server) {
    let began = Instant::now();
    let search = |parameters: &str| {
        let answer = server.get(&format!("/api/v1/search?{parameters}"));
        let found = (answer.status == 200).then(|| answer.json());
        found.filter(|found| found["current"] == true)
    };
    let all = loop {
        if let Some(all) = search("sort=title&limit=200") {
            break all;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "searches wait");
        std::thread::sleep(Duration::from_millis(10));
    };
    let listed = server.get("/api/v1/items?limit=200").json();
    assert_eq!(all["total"], listed["total"]);
    let titles = |rows: &Value, title: fn(&Value) -> &Value| -> Vec<String> {
        let rows = rows.as_array().expect("rows").iter();
        rows.map(|row| title(row).to_string()).collect()
    };
    let found = titles(&all["hits"], |hit| &hit["item"]["title"]);
    assert_eq!(found, titles(&listed["items"], |item| &item["title"]));
}
