//! The index of searches: made anew by a command, and whenever it cannot be used. Nothing depends on it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::holdings::make_node;
use crate::new_repository::copy;
use crate::program::{complained, run, said};

/// How many items are found by a word, once the index shows everything.
#[track_caller]
pub fn found(client: &Client, word: &str) -> u64 {
    let began = Instant::now();
    loop {
        let (status, body) = client.get(&format!("/api/v1/search?limit=1&q={word}"));
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        if status == 200 && answer["current"] == true {
            return answer["total"].as_u64().expect("a total");
        }
        let waits = status == 503 || status == 200;
        let soon = began.elapsed() < Duration::from_secs(60);
        assert!(waits && soon, "{status} {body}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The directories of indexes.
fn indexes(data: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data.join("search")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

/// The files of the only index.
fn files(data: &Path) -> Vec<PathBuf> {
    let indexes = indexes(data);
    assert_eq!(indexes.len(), 1, "{indexes:?}");
    let entries = std::fs::read_dir(&indexes[0]).expect("an index");
    entries.map(|entry| entry.expect("a file").path()).collect()
}

fn fill(client: &Client) {
    for number in 0..5 {
        make_node(
            client,
            &format!("Schiff {number}"),
            "Digital Document",
            None,
        );
    }
    assert_eq!(found(client, "schiff"), 5);
}

#[test]
fn an_index_is_made_anew_by_a_command() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let words = complained(&run(&data, &["reindex"]), 1);
    assert!(words.contains("There is no repository"), "{words}");
    let client = Client::start(&data);
    fill(&client);
    let before = indexes(&data);
    let words = said(run(&data, &["reindex"]));
    assert_eq!(words.trim(), "Searches have a new index of 5 items.");
    assert_ne!(indexes(&data), before);
    assert_eq!(found(&client, "schiff"), 5);
    let stopped = client.stop();
    let before = indexes(&data);
    let words = said(run(&data, &["reindex"]));
    assert_eq!(words.trim(), "Searches have a new index of 5 items.");
    assert_ne!(indexes(&data), before);
    let client = stopped.start_again(&data);
    make_node(&client, "Schiff 6", "Digital Document", None);
    assert_eq!((found(&client, "schiff"), indexes(&data).len()), (6, 1));
    client.stop();
}

type Damage = (&'static str, fn(&Path));

/// What may happen to an index while nobody serves.
const DAMAGES: [Damage; 6] = [
    ("removed", |data| {
        std::fs::remove_dir_all(data.join("search")).expect("it goes");
    }),
    ("cut", |data| {
        for file in files(data) {
            let bytes = std::fs::read(&file).expect("bytes");
            std::fs::write(&file, &bytes[..bytes.len() / 2]).expect("room");
        }
    }),
    ("emptied", |data| {
        files(data)
            .iter()
            .for_each(|file| std::fs::write(file, "").expect("room"));
    }),
    ("changed", |data| {
        for file in files(data) {
            let mut bytes = std::fs::read(&file).expect("bytes");
            let middle = bytes.len() / 2;
            bytes
                .get_mut(middle)
                .into_iter()
                .for_each(|byte| *byte ^= 0x55);
            std::fs::write(&file, bytes).expect("room");
        }
    }),
    ("unreadable", |data| {
        for file in files(data) {
            std::fs::remove_file(&file).expect("it goes");
            std::fs::create_dir(&file).expect("a directory in its place");
        }
    }),
    ("replaced by a file", |data| {
        std::fs::remove_dir_all(data.join("search")).expect("it goes");
        std::fs::create_dir(data.join("search")).expect("a folder");
        std::fs::write(data.join("search/notes.txt"), "mine").expect("room");
    }),
];

#[test]
fn an_index_that_cannot_be_used_is_made_anew() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let mut client = Client::start(&data);
    fill(&client);
    for (what, damage) in DAMAGES {
        let stopped = client.stop();
        damage(&data);
        client = stopped.start_again(&data);
        assert_eq!(found(&client, "schiff"), 5, "{what}");
        assert_eq!(found(&client, "schuff"), 0, "{what}");
    }
    client.stop();
}

#[test]
fn an_index_of_another_time_shows_the_present() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, former) = (place.path().join("data"), place.path().join("former"));
    let client = Client::start(&data);
    fill(&client);
    let stopped = client.stop();
    copy(&data, &former);
    let client = stopped.start_again(&data);
    make_node(&client, "Schiff and more", "Digital Document", None);
    assert_eq!(found(&client, "schiff"), 6);
    let stopped = client.stop();
    // An older index catches up.
    let newer = place.path().join("newer");
    copy(&data.join("search"), &newer);
    std::fs::remove_dir_all(data.join("search")).expect("it goes");
    copy(&former.join("search"), &data.join("search"));
    let client = stopped.start_again(&data);
    assert_eq!(found(&client, "schiff"), 6);
    let stopped = client.stop();
    // One that knows more than the database is of no use.
    std::fs::remove_dir_all(former.join("search")).expect("it goes");
    copy(&newer, &former.join("search"));
    let client = stopped.start_again(&former);
    assert_eq!(found(&client, "schiff"), 5);
    client.stop();
}

#[test]
fn no_backup_holds_an_index_and_no_check_asks_for_one() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, backup) = (place.path().join("data"), place.path().join("backup"));
    let client = Client::start(&data);
    fill(&client);
    let target = backup.to_str().expect("text");
    said(run(&data, &["backup", target]));
    let manifest = files_below(&backup);
    assert!(
        !manifest.iter().any(|name| name.contains("search")),
        "{manifest:?}"
    );
    let stopped = client.stop();
    said(run(&data, &["check"]));
    let restored = place.path().join("restored");
    said(run(&restored, &["restore", target]));
    assert!(!restored.join("search").exists());
    let client = stopped.start_again(&restored);
    assert_eq!(found(&client, "schiff"), 5);
    let stopped = client.stop();
    std::fs::remove_dir_all(restored.join("search")).expect("it goes");
    said(run(&restored, &["check"]));
    drop(stopped);
}

const JSON: &str = "Content-Type: application/json\r\n";

fn save(client: &Client, query: &str) {
    let body = json!({"name": query, "query": query}).to_string();
    let (status, said) = client.send("POST", "/api/v1/saved-searches", JSON, &body);
    assert_eq!(status, 201, "{said}");
}

/// What the first saved searches find, and whether the index shows all.
fn counts(client: &Client) -> Vec<String> {
    let (status, said) = client.get("/api/v1/saved-searches/counts?id=1,2,3");
    assert_eq!(status, 200, "{said}");
    let counts: Value = serde_json::from_str(&said).expect("JSON");
    let counts = counts["counts"].as_array().expect("counts").iter();
    counts
        .map(|one| format!("{} {}", one["count"], one["current"]))
        .collect()
}

#[test]
fn a_repository_goes_on_where_no_index_can_be_written() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let client = Client::start(&data);
    fill(&client);
    for query in ["q=schiff", "view=all", "collection=999999"] {
        save(&client, query);
    }
    assert_eq!(counts(&client), ["5 true", "5 true", "null true"]);
    let stopped = client.stop();
    std::fs::remove_dir_all(data.join("search")).expect("it goes");
    std::fs::write(data.join("search"), "in the way").expect("room");
    let client = stopped.start_again(&data);
    make_node(&client, "Schiff 6", "Digital Document", None);
    let (status, body) = client.get("/api/v1/search?q=schiff");
    assert_eq!(status, 503, "{body}");
    let (_, body) = client.get("/api/v1/search/index");
    let index: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(index["ready"], false, "{index}");
    assert!(index["problem"].is_string(), "{index}");
    assert_eq!(client.get("/node/1?_format=json").0, 200);
    assert_eq!(counts(&client), ["null false", "6 true", "null true"]);
    // It is tried again.
    std::fs::remove_file(data.join("search")).expect("it goes");
    assert_eq!(found(&client, "schiff"), 6);
    client.stop();
}

/// The lines of the manifests of a backup, and the names of its files.
fn files_below(directory: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        names.push(path.display().to_string());
        if path.is_dir() {
            names.extend(files_below(&path));
        } else if path.to_string_lossy().contains("manifest") {
            let text = std::fs::read(&path).expect("a manifest");
            names.extend(String::from_utf8_lossy(&text).lines().map(str::to_owned));
        }
    }
    names
}
