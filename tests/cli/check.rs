//! `isolario check`: what it finds in a repository that somebody or something has damaged.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::client::Client;
use crate::new_repository::copy;
use crate::program::{complained, run};

const TEXT: &str = "Content-Type: text/plain\r\n";

/// Reports on a data directory; the exit code has to say the same.
#[track_caller]
pub fn report(data: &Path) -> Value {
    let output = run(data, &["check", "--json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).expect("a report in JSON");
    let clean = report["problems"].as_array().expect("a list").is_empty();
    assert_eq!(output.status.code(), Some(i32::from(!clean)), "{text}");
    report
}

/// The aspects of what is wrong, each once.
fn aspects(report: &Value) -> Vec<&str> {
    let problems = report["problems"].as_array().expect("a list").iter();
    let mut aspects: Vec<&str> = problems
        .map(|problem| problem["aspect"].as_str().expect("a word"))
        .collect();
    aspects.dedup();
    aspects
}

/// A repository with `one` and then `two` under `public://a.txt` and `fedora://a.txt`.
pub fn filled(data: &Path) -> Client {
    let client = Client::start(data);
    for scheme in ["public", "fedora"] {
        let place = client.place();
        for (body, status) in [("one", 201), ("two", 204)] {
            let headers = format!("{TEXT}Content-Location: {scheme}://a.txt\r\n");
            assert_eq!(client.send("PUT", &place, &headers, body).0, status);
        }
    }
    client
}

/// Ends a server as Ctrl+C does.
pub fn stop(client: Client) {
    client.serving.interrupt();
    assert_eq!(client.serving.end().0, Some(0));
}

pub fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

/// Every file below a directory, with its bytes, in order.
fn everything(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in directory.read_dir().expect("there") {
        let path = entry.expect("there").path();
        match path.is_dir() {
            true => found.extend(everything(&path)),
            false => found.push((path.clone(), std::fs::read(&path).expect("read"))),
        }
    }
    found.sort();
    found
}

/// The one file below a directory whose path ends so.
fn ending(directory: &Path, end: &str) -> PathBuf {
    let mut paths = everything(directory).into_iter().map(|(path, _)| path);
    paths.find(|path| path.ends_with(end)).expect("there")
}

#[test]
fn a_sound_repository_is_clean_whether_it_is_in_use_or_not() {
    let data = directory();
    let client = filled(data.path());
    let in_use = report(data.path());
    assert_eq!(in_use["problems"], serde_json::json!([]));
    assert_eq!(in_use["in_use"], true);
    stop(client);

    let before = everything(data.path());
    let alone = report(data.path());
    assert_eq!(alone["problems"], serde_json::json!([]));
    assert_eq!(alone["in_use"], false);
    for report in [&in_use, &alone] {
        let counts = ["versions", "files", "objects", "bytes"].map(|name| &report[name]);
        assert_eq!(counts, [4, 2, 1, 12], "{report}");
    }
    let changed = |(path, bytes): &(PathBuf, Vec<u8>)| {
        let fleeting = ["isolario.lock", "isolario.db-shm"].map(|name| path.ends_with(name));
        !fleeting.contains(&true) && !before.contains(&(path.clone(), bytes.clone()))
    };
    let mut after = everything(data.path());
    after.retain(changed);
    after.retain(|(path, bytes)| !path.ends_with("isolario.db-wal") || !bytes.is_empty());
    assert_eq!(after, []);

    let text = run(data.path(), &["check"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.ends_with("Everything is as it should be.\n"), "{text}");
}

#[test]
fn every_damage_is_found_and_nothing_is_repaired() {
    type Damage = fn(&Path);
    let damages: [(Damage, &[&str]); 9] = [
        (
            |data| flip(&ending(&data.join("files/retired"), "a.txt")),
            &["bytes"],
        ),
        (
            |data| remove(&data.join("files/public/a.r2.txt")),
            &["bytes"],
        ),
        (
            |data| write(&data.join("files/public/stray.txt")),
            &["unknown"],
        ),
        (
            |data| flip(&ending(&data.join("ocfl"), "v2/content/a.txt")),
            &["bytes", "ocfl"],
        ),
        (
            |data| remove(&ending(&data.join("ocfl"), "v1/content/a.txt")),
            &["bytes", "ocfl"],
        ),
        (
            |data| flip(&ending(&data.join("ocfl"), "v2/inventory.json")),
            &["ocfl"],
        ),
        (
            |data| write(&ending(&data.join("ocfl"), "v1/content/a.txt").with_file_name("b.txt")),
            &["ocfl"],
        ),
        (|data| remove(&data.join("ocfl/0=ocfl_1.1")), &["ocfl"]),
        (
            |data| std::fs::create_dir(data.join("ocfl/fff")).expect("made"),
            &["unknown"],
        ),
    ];
    let sound = directory();
    stop(filled(sound.path()));
    for (number, (damage, expected)) in damages.into_iter().enumerate() {
        let data = directory();
        copy(sound.path(), data.path());
        damage(data.path());
        let before = everything(&data.path().join("files"));
        let first = report(data.path());
        assert_eq!(aspects(&first), expected, "damage {number}: {first}");
        assert_eq!(aspects(&report(data.path())), expected, "damage {number}");
        assert_eq!(everything(&data.path().join("files")), before);
    }
}

/// Makes the database forget a version of the file in the storage root; path of the version's directory.
fn forget_version(data: &Path, version: i64) -> String {
    let database = rusqlite::Connection::open(data.join("isolario.db")).expect("a database");
    let forgotten = database.execute(
        "DELETE FROM file_version WHERE blob LIKE 'ocfl/%' AND version = ?1",
        [version],
    );
    assert_eq!(forgotten.expect("written"), 1);
    let content = ending(&data.join("ocfl"), &format!("v{version}/content/a.txt"));
    let directory = content.ancestors().nth(2).expect("above");
    let directory = directory.strip_prefix(data).expect("inside");
    directory.display().to_string()
}

/// What the things are that are on disk and known to nobody.
fn unknown<'r>(report: &'r Value, list: &str) -> Vec<&'r str> {
    let findings = report[list].as_array().expect("a list").iter();
    let unknown = findings.filter(|finding| finding["aspect"] == "unknown");
    unknown
        .map(|finding| finding["subject"].as_str().expect("a path"))
        .collect()
}

#[test]
fn a_version_of_an_object_that_no_file_has_is_found_wherever_it_lies() {
    let data = directory();
    let client = filled(data.path());
    // A third, so that there is one between.
    assert_eq!(client.send("PUT", "/media/2/source", TEXT, "three").0, 204);
    stop(client);
    assert_eq!(unknown(&report(data.path()), "notes"), [""; 0]);
    let between = forget_version(data.path(), 2);
    let found = report(data.path());
    assert_eq!(unknown(&found, "notes"), [&between], "{found}");
    let below = forget_version(data.path(), 1);
    let found = report(data.path());
    assert_eq!(unknown(&found, "notes"), [below, between], "{found}");
    // Nothing is wrong with what a file shows.
    assert_eq!(found["problems"], serde_json::json!([]));

    let data = directory();
    stop(filled(data.path()));
    let last = forget_version(data.path(), 2);
    let found = report(data.path());
    assert_eq!(unknown(&found, "problems"), [last], "{found}");
}

#[test]
fn a_running_server_finds_its_own_damage() {
    let data = directory();
    let client = filled(data.path());
    flip(&ending(&data.path().join("files/retired"), "a.txt"));
    remove(&ending(&data.path().join("ocfl"), "v2/content/a.txt"));
    let found = report(data.path());
    assert_eq!(found["in_use"], true);
    assert_eq!(aspects(&found), ["bytes", "ocfl"], "{found}");
    let text = run(data.path(), &["check"]);
    assert_eq!(text.status.code(), Some(1));
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("/a.txt (file 1, version 1)"), "{text}");
    assert!(text.contains("Nothing was changed."), "{text}");
    stop(client);
}

#[test]
fn a_damaged_database_is_found() {
    let data = directory();
    stop(filled(data.path()));
    let path = data.path().join("isolario.db");
    // Everything is in the log still; the last to close it brings it into the file.
    let connection = rusqlite::Connection::open(&path).expect("a database");
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .expect("a count");
    assert!(tables > 0);
    drop(connection);
    let mut bytes = std::fs::read(&path).expect("read");
    let from = bytes.len() / 2;
    bytes[from..from + 20_000].fill(0xA5);
    std::fs::write(&path, bytes).expect("written");
    assert!(aspects(&report(data.path())).contains(&"database"));

    std::fs::write(
        &path,
        "no database at all, but long enough to be read as the head of one",
    )
    .expect("written");
    assert!(!report(data.path())["problems"][0].is_null());
}

#[test]
fn what_an_upload_left_is_said_and_no_problem() {
    let data = directory();
    stop(filled(data.path()));
    write(&data.path().join("staging/x.part"));
    let found = report(data.path());
    assert_eq!(found["problems"], serde_json::json!([]));
    let left = serde_json::json!({
        "aspect": "staging",
        "subject": "x.part",
        "detail": "Left behind; the next start clears it up.",
    });
    let notes = found["notes"].as_array().expect("a list");
    assert!(notes.contains(&left), "{found}");
}

#[test]
fn where_there_is_no_repository_none_is_made() {
    let data = directory();
    let output = run(data.path(), &["check"]);
    assert!(complained(&output, 1).contains("There is no repository"));
    assert_eq!(everything(data.path()), []);
}

fn flip(path: &Path) {
    let mut bytes = std::fs::read(path).expect("read");
    bytes[1] ^= 1;
    std::fs::write(path, bytes).expect("written");
}

fn remove(path: &Path) {
    std::fs::remove_file(path).expect("removed");
}

fn write(path: &Path) {
    std::fs::write(path, "stray").expect("written");
}
