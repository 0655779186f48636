//! What has to be true after a power cut.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;

use super::record::Entry;
use super::recorder::{DATA, Recording, library};
use super::remains::Remains;
use crate::chance::Chance;
use crate::load::Client;
use crate::program::{Serving, isolario};
use crate::running::{assert_clean, assert_searchable};
use crate::wire::Server;

/// The power is cut after so many entries: the program starts on what remains, and everything that was
/// acknowledged is there.
pub fn judge(recording: &Recording, remains: &Remains, entries: usize) {
    let place = remains.restore();
    let data = place.path().join(DATA);
    let mut command = isolario(&data, &["serve", "--listen", "127.0.0.1:0"]);
    command.env("LD_PRELOAD", library());
    let is_founded = is_founded(&recording.entries[..entries]);
    let unrecorded = unrecorded(&data);
    assert_has_its_configuration(&data, is_founded);
    assert!(
        !is_founded || is_declared(&data),
        "the storage root is none"
    );
    let serving = Serving::spawn(command);
    if is_founded {
        assert_eq!(serving.password(), None, "the repository was founded anew");
        let server = Server::new(serving.address, &recording.authorization);
        for course in &recording.courses {
            let mut client = Client::new(course.name.clone(), Chance::new(0), recording.terms);
            client.ledger = course.ledger_after(entries);
            client.judge(&server);
            client.finish_uploads(&server);
        }
        assert_searchable(&server);
    }
    assert_eq!(
        unrecorded, [""; 0],
        "records that nobody will write are missing"
    );
    assert_pruned(&data);
    assert_clean(&data);
}

/// Items whose record is not there, nor noted as work to be done.
fn unrecorded(data: &Path) -> Vec<String> {
    // A look at the database itself would tidy it up.
    let copy = tempfile::tempdir().expect("a directory");
    for name in ["isolario.db", "isolario.db-wal"] {
        let (from, to) = (data.join(name), copy.path().join(name));
        if from.exists() {
            std::fs::copy(from, to).expect("there is room");
        }
    }
    let database = Connection::open(copy.path().join("isolario.db")).expect("a database");
    let done = "SELECT id, revision FROM node WHERE 'node/' || id NOT IN (SELECT subject FROM job)
        AND id NOT IN (SELECT node FROM index_due WHERE is_record_due = 1)";
    let Ok(mut done) = database.prepare(done) else {
        return Vec::new(); // There is no schema yet.
    };
    let done = done.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let done: Result<Vec<(i64, i64)>, _> = done.expect("a query").collect();
    let done = done.expect("two numbers").into_iter();
    let path = |id: i64| data.join(format!("records/node/000/000/{id}.json"));
    let missing = done.filter(|(id, revision)| {
        let text = std::fs::read(path(*id)).unwrap_or_default();
        let record: Value = serde_json::from_slice(&text).unwrap_or_default();
        record["content"]["revision"] != *revision
    });
    missing.map(|(id, _)| format!("node/{id}")).collect()
}

/// Whether somebody was told how to get in.
fn is_founded(entries: &[Entry]) -> bool {
    entries
        .iter()
        .any(|entry| matches!(entry, Entry::Answered(0)))
}

/// Other programs know the storage root for one.
fn is_declared(data: &Path) -> bool {
    let layout = "extensions/0003-hash-and-id-n-tuple-storage-layout/config.json";
    let names = ["0=ocfl_1.1", "ocfl_layout.json", layout];
    names
        .iter()
        .all(|name| data.join("ocfl").join(name).exists())
}

/// Nothing is left in the trees where bytes were moved away from.
fn assert_pruned(data: &Path) {
    let Ok(retired) = data.join("files/retired").read_dir() else {
        return;
    };
    let own = retired.map(|entry| entry.expect("there").path());
    let empty = |path: &PathBuf| path.read_dir().expect("there").next().is_none();
    let empty: Vec<PathBuf> = own.filter(empty).collect();
    assert!(empty.is_empty(), "empty directories are left: {empty:?}");
}

/// The configuration is whole, and has the port once that was told.
fn assert_has_its_configuration(data: &Path, is_founded: bool) {
    let config = std::fs::read_to_string(data.join("config.toml"));
    let config = config.unwrap_or_else(|error| match is_founded {
        true => panic!("the configuration is lost: {error}"),
        false => "[server]\n".into(),
    });
    let has = |start: &str| config.lines().any(|line| line.starts_with(start));
    assert!(has("[server]"), "the configuration is not whole: {config}");
    assert!(has("port = ") || !is_founded, "the port is lost: {config}");
}
