//! `isolario check` on uploads in parts: those that wait are told, what is wrong with one is found.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::check::{directory, filled, report, stop};
use crate::client::Client;
use crate::resumable_upload::{append, begin};

const HOUR: i64 = 60 * 60;
const WEEK: i64 = 7 * 24 * HOUR;

/// What is said of a thing in one of the lists of a report.
fn said_of<'r>(report: &'r Value, list: &str, subject: &str) -> Vec<&'r str> {
    let findings = report[list].as_array().expect("a list").iter();
    let of_subject = findings.filter(|finding| finding["subject"] == subject);
    of_subject
        .map(|finding| finding["detail"].as_str().expect("a sentence"))
        .collect()
}

#[track_caller]
fn only<'r>(report: &'r Value, list: &str, subject: &str) -> &'r str {
    let said = said_of(report, list, subject);
    assert_eq!(said.len(), 1, "{report}");
    said[0]
}

/// Where the bytes of an upload lie, as reports name it.
fn subject(path: &str) -> String {
    format!("uploads/{}", path.rsplit('/').next().expect("an id"))
}

/// Makes it so many seconds since an upload was gone on with.
fn age(data: &Path, path: &str, seconds: i64) {
    let database = rusqlite::Connection::open(data.join("isolario.db")).expect("a database");
    let id = path.rsplit('/').next().expect("an id");
    let aged = database.execute(
        "UPDATE upload SET touched = unixepoch() - ?2 WHERE id = ?1",
        rusqlite::params![id, seconds],
    );
    assert_eq!(aged.expect("written"), 1);
}

/// A stopped repository with an upload of six bytes, and where these lie.
fn unfinished(data: &Path) -> (String, PathBuf) {
    let client = Client::start(data);
    let path = begin(&client, "waits");
    stop(client);
    let bytes = data.join(subject(&path));
    assert_eq!(std::fs::read(&bytes).expect("there"), b"hello ");
    (subject(&path), bytes)
}

#[test]
fn what_waits_for_its_next_part_is_told_and_no_problem() {
    let data = directory();
    let client = filled(data.path());
    let (path, finished) = (begin(&client, "waits"), begin(&client, "finished"));
    assert_eq!(append(&client, &finished, 6, "?1", "world").0, 201);
    let in_use = report(data.path());
    stop(client);
    for report in [in_use, report(data.path())] {
        assert_eq!(report["problems"], serde_json::json!([]));
        let words = only(&report, "notes", &subject(&path));
        assert!(
            words.starts_with("6 bytes have come, for user 1."),
            "{words}"
        );
        assert!(said_of(&report, "notes", &subject(&finished)).is_empty());
    }
}

#[test]
fn an_upload_without_its_bytes_is_found() {
    let data = directory();
    let (subject, bytes) = unfinished(data.path());
    std::fs::write(&bytes, "hell").expect("written");
    let found = report(data.path());
    let words = only(&found, "problems", &subject);
    assert_eq!(
        words,
        "Bytes of it are missing: 6 bytes had come, 4 bytes are there."
    );
    std::fs::remove_file(&bytes).expect("removed");
    let found = report(data.path());
    let words = only(&found, "problems", &subject);
    assert!(
        words.starts_with("Its bytes are missing: 6 bytes had come by"),
        "{words}"
    );
    // As it says, the next start forgets it.
    stop(Client::with_password(
        crate::program::Serving::start(data.path()),
        "",
    ));
    let found = report(data.path());
    assert_eq!(found["problems"], serde_json::json!([]));
    assert!(said_of(&found, "notes", &subject).is_empty());
}

#[test]
fn bytes_without_an_upload_are_told_also_while_it_is_in_use() {
    let data = directory();
    let client = filled(data.path());
    let stray = format!("uploads/{}", "0".repeat(32));
    std::fs::write(data.path().join(&stray), "stray").expect("written");
    std::fs::write(data.path().join("uploads/letter.txt"), "Dear").expect("written");
    let in_use = report(data.path());
    stop(client);
    for report in [in_use, report(data.path())] {
        let words = only(&report, "notes", &stray);
        assert_eq!(words, "Left behind; the next start clears it up.");
        let words = only(&report, "problems", "uploads/letter.txt");
        assert_eq!(words, "Nothing of ours has such a name.");
    }
    drop(crate::program::Serving::start(data.path()));
    assert!(!data.path().join(stray).exists());
    assert!(data.path().join("uploads/letter.txt").exists());
}

#[test]
fn an_upload_that_should_have_been_removed_is_found() {
    let data = directory();
    let client = filled(data.path());
    let path = begin(&client, "old");
    age(data.path(), &path, WEEK + HOUR / 2);
    let found = report(data.path());
    let words = only(&found, "notes", &subject(&path));
    assert!(words.ends_with("it will be removed."), "{words}");
    age(data.path(), &path, WEEK + 3 * HOUR);
    let found = report(data.path());
    let words = only(&found, "problems", &subject(&path));
    assert!(words.ends_with("it has not been removed."), "{words}");
    stop(client);
    // The next start removes it.
    let found = report(data.path());
    let words = only(&found, "notes", &subject(&path));
    assert!(words.ends_with("it will be removed."), "{words}");
}
