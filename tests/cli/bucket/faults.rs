//! A store that fails, and what its clients see.

use std::io::Read;
use std::path::Path;

use hyper::Method;

use super::store::{Fault, Store};
use super::{CREDENTIALS, PREFIX, configure, put, serve, start_to_wait};
use crate::client::Client;
use crate::faults::disk::Disk;
use crate::program::Serving;

/// As `super::start`, for a store that does not answer: a test has no time to wait for it.
fn start(data: &Path, store: &Store) -> Client {
    start_to_wait(data, store, 2)
}

#[test]
fn no_upload_is_acknowledged_that_the_store_did_not_take() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    assert_eq!(put(&client, "public://kept.txt", "kept"), 201);
    let place = client.place();
    for fault in [
        Fault::Status(500),
        Fault::Status(503),
        Fault::Status(403),
        Fault::Stall,
        Fault::LoseAnswer,
    ] {
        store.fail(Method::PUT, fault);
        let headers = "Content-Type: text/plain\r\nContent-Location: public://lost.txt\r\n";
        let (status, answer) = client.ask("PUT", &place, headers, "lost");
        assert_eq!(status, 503, "{fault:?}: {answer}");
        assert!(answer.contains("retry-after: 10"), "{fault:?}: {answer}");
        assert!(
            answer.contains("the store of the bytes"),
            "{fault:?}: {answer}"
        );
        assert_eq!(
            client.get("/sites/default/files/lost.txt").0,
            404,
            "{fault:?}"
        );
        // Metadata and what was read before do not need the store.
        assert_eq!(
            client.get("/sites/default/files/kept.txt"),
            (200, "kept".into())
        );
        assert!(client.object() > 0);
    }
    store.recover();
    assert_eq!(client.put(&place, "public://lost.txt", "found").0, 201);
    assert_eq!(
        client.get("/sites/default/files/lost.txt"),
        (200, "found".into())
    );
    client.restart_by(|| serve(data.path()));
    assert_eq!(store.keys(&format!("{PREFIX}/public")).len(), 2);
}

#[test]
fn bytes_that_the_store_does_not_send_are_no_answer() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let long = "0123456789".repeat(100_000);
    assert_eq!(put(&client, "public://long.txt", &long), 201);
    std::fs::remove_dir_all(data.path().join("cache")).expect("it was there");
    for fault in [Fault::Status(500), Fault::Status(403), Fault::Stall] {
        store.fail(Method::GET, fault);
        let (status, words) = client.get("/sites/default/files/long.txt");
        assert_eq!(status, 503, "{fault:?}: {words}");
    }
    // The head of the answer is sent already, so only its end can tell.
    store.fail(Method::GET, Fault::CutBody);
    let mut answer = Vec::new();
    let mut stream = client.begin("GET", "/sites/default/files/long.txt", "");
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.len() < long.len());

    store.recover();
    assert_eq!(client.get("/sites/default/files/long.txt"), (200, long));
}

#[test]
fn a_repository_starts_while_its_store_is_away() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    assert_eq!(put(&client, "public://kept.txt", "kept"), 201);
    store.fail(Method::GET, Fault::Status(503));
    let client = client.restart_by(|| serve(data.path()));
    assert_eq!(
        client.get("/sites/default/files/kept.txt"),
        (200, "kept".into())
    );
    assert_eq!(put(&client, "public://new.txt", "new"), 503);
    store.recover();
    assert_eq!(put(&client, "public://new.txt", "new"), 201);
}

#[test]
fn administrators_see_how_the_store_answers() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let bucket = |client: &Client| {
        let (status, body) = client.get("/api/v1/server");
        assert_eq!(status, 200, "{body}");
        let server: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        server["bucket"].clone()
    };
    assert_eq!(put(&client, "public://kept.txt", "kept"), 201);
    let now = bucket(&client);
    let place = now["place"].as_str().expect("a text");
    assert!(place.contains(store.address()), "{place}");
    assert!(now["requests"].as_u64() > Some(0) && now["latency"].is_u64());
    assert_eq!(
        (now["failures"].as_u64(), &now["last_failure"]),
        (Some(0), &serde_json::Value::Null)
    );
    assert_eq!(
        (now["cached"].as_u64(), now["spool"].as_u64()),
        (Some(4), Some(0))
    );

    store.fail(Method::PUT, Fault::Status(403));
    assert_eq!(put(&client, "public://lost.txt", "lost"), 503);
    let now = bucket(&client);
    assert!(now["failures"].as_u64() > Some(0));
    assert_eq!(now["last_failure"], "denied");
    assert!(now["last_failed"].is_string());
}

#[test]
fn what_finds_no_room_on_the_disk_before_the_bucket_is_refused() {
    let (store, disk) = (Store::start(), Disk::of_megabytes(16));
    configure(&disk.seen(), store.address());
    let configuration = disk.seen().join("config.toml");
    let rules = std::fs::read_to_string(&configuration).expect("written");
    let all = format!("{rules}[limits]\nspare_megabytes = 0\n");
    std::fs::write(configuration, all).expect("there is room");
    let mut command = disk.isolario(&["serve", "--listen", "127.0.0.1:0"]);
    command.envs(CREDENTIALS);
    let client = Client::of(Serving::spawn(command));
    let place = client.place();
    let (status, body) = client.put(&place, "public://a.txt", &"x".repeat(20_000_000));
    assert_eq!(status, 507, "{body}");
    assert!(body.contains("Nothing was changed."), "{body}");
    assert_eq!(client.put(&place, "public://a.txt", "small").0, 201);
    assert_eq!(store.keys(&format!("{PREFIX}/public")).len(), 1);
}
