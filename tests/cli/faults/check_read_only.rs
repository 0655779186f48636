//! `isolario check` of a repository that may only be read: a snapshot, an archive disk, a mounted backup.

use std::process::Output;

use serde_json::{Value, json};

use super::disk::Disk;
use crate::client::Client;
use crate::program::complained;

fn check(disk: &Disk) -> Output {
    let output = disk.isolario(&["check", "--json"]).output();
    output.expect("the program starts")
}

fn report(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("no report: {output:?}"))
}

/// A repository with two versions of a file on each scheme, served.
fn filled(disk: &Disk) -> Client {
    let client = disk.client();
    for scheme in ["public", "fedora"] {
        let place = client.place();
        let uri = format!("{scheme}://a.txt");
        assert_eq!(client.put(&place, &uri, "one").0, 201);
        assert_eq!(client.put(&place, &uri, "two").0, 204);
    }
    client
}

/// Every name below the data directory.
fn names(disk: &Disk) -> Vec<std::path::PathBuf> {
    let mut found = vec![disk.seen()];
    let mut at = 0;
    while at < found.len() {
        if found[at].is_dir() {
            let entries = found[at].read_dir().expect("there");
            found.extend(entries.map(|entry| entry.expect("there").path()));
        }
        at += 1;
    }
    found.sort();
    found
}

#[track_caller]
fn assert_checked(disk: &Disk) {
    disk.make_read_only("");
    let before = names(disk);
    let found = report(&check(disk));
    assert_eq!(found["problems"], json!([]), "{found}");
    assert_eq!(found["in_use"], false);
    let counts = ["versions", "files", "objects", "bytes"].map(|name| &found[name]);
    assert_eq!(counts, [4, 2, 1, 12], "{found}");
    assert_eq!(names(disk), before);
    disk.make_writable("");
}

/// Brings the log into the database. SQLite opens no file by the way that this test sees it.
fn bring_in_the_log(disk: &Disk) {
    let place = tempfile::tempdir().expect("a directory");
    let database = place.path().join("isolario.db");
    for name in ["isolario.db", "isolario.db-wal"] {
        let copied = std::fs::copy(disk.seen().join(name), place.path().join(name));
        copied.expect("there is room");
    }
    let connection = rusqlite::Connection::open(&database).expect("a database");
    let rows = connection.query_row("SELECT count(*) FROM node", [], |row| row.get(0));
    assert_eq!(rows, Ok(2));
    drop(connection);
    std::fs::copy(&database, disk.seen().join("isolario.db")).expect("there is room");
    for name in ["isolario.db-wal", "isolario.db-shm"] {
        std::fs::remove_file(disk.seen().join(name)).expect("there");
    }
}

#[test]
fn a_repository_that_was_stopped_is_checked_where_nothing_may_be_written() {
    let disk = Disk::of_megabytes(32);
    drop(filled(&disk));
    bring_in_the_log(&disk);
    assert_checked(&disk);
    std::fs::remove_file(disk.seen().join("isolario.lock")).expect("there");
    assert_checked(&disk);
}

#[test]
fn a_repository_that_was_killed_is_checked_with_its_log() {
    let disk = Disk::of_megabytes(32);
    drop(filled(&disk));
    let log = disk.seen().join("isolario.db-wal").metadata();
    assert!(log.expect("a log").len() > 100_000);
    assert_checked(&disk);
}

#[test]
fn damage_is_found_where_nothing_may_be_written() {
    let disk = Disk::of_megabytes(32);
    filled(&disk).stop();
    std::fs::remove_file(disk.seen().join("files/public/a.r2.txt")).expect("there");
    disk.make_read_only("");
    let output = check(&disk);
    assert_eq!(output.status.code(), Some(1));
    let found = report(&output);
    assert_eq!(found["problems"][0]["aspect"], "bytes", "{found}");
    disk.make_writable("");
    std::fs::write(disk.seen().join("isolario.db"), "").expect("written");
    disk.make_read_only("");
    let found = report(&check(&disk));
    assert_eq!(found["problems"][0]["aspect"], "database", "{found}");
}

#[test]
fn a_repository_that_is_in_use_is_checked_through_a_view_that_may_only_be_read() {
    let disk = Disk::of_megabytes(32);
    let client = filled(&disk);
    disk.make_read_only("");
    let found = report(&check(&disk));
    assert_eq!(found["in_use"], true, "{found}");
    // Its records cannot be written meanwhile.
    let problems = found["problems"].as_array().expect("a list").iter();
    let others = problems.filter(|problem| problem["aspect"] != "records");
    assert_eq!(others.count(), 0, "{found}");
    drop(client);
    let words = complained(
        &disk.isolario(&["user", "list"]).output().expect("starts"),
        1,
    );
    assert!(words.contains("Read-only file system"), "{words}");
}
