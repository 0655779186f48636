//! The program killed at each step of an upload into a bucket.

use std::io::{Read, Write};
use std::path::Path;

use super::store::Store;
use super::{PREFIX, serve, start, with_credentials};
use crate::client::Client;
use crate::program::Serving;

/// Steps at which the program is killed, and whether the upload is committed by then.
const STEPS: [(&str, bool); 5] = [
    ("noted", false),
    ("part", false),
    ("part:3", false),
    ("placed", false),
    ("committed", true),
];

/// A server that is killed when it gets to a step.
fn serve_until(data: &Path, step: &str) -> Serving {
    let mut command = with_credentials(data, &["serve", "--listen", "127.0.0.1:0"]);
    command.env("ISOLARIO_KILL_AT", step);
    Serving::spawn(command)
}

/// Uploads a text to a new item, and never hears of it.
fn put_in_vain(client: &Client, uri: &str, text: &str) {
    let place = client.place();
    let headers = format!(
        "Content-Type: text/plain\r\nContent-Location: {uri}\r\nContent-Length: {}\r\n",
        text.len()
    );
    let mut stream = client.begin("PUT", &place, &headers);
    let _ = stream.write_all(text.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
}

/// How often each step is tried: once, or `ROUNDS` times.
fn rounds() -> usize {
    let rounds = std::env::var("ROUNDS").ok();
    rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

#[test]
fn a_kill_at_any_step_leaves_what_was_committed_and_nothing_else() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let mut client = start(data.path(), &store);
    let long = "0123456789".repeat(2_500_000);
    let mut committed = 0;
    for round in 0..rounds() {
        for (number, (step, is_committed)) in STEPS.into_iter().enumerate() {
            client = client.restart_by(|| serve_until(data.path(), step));
            put_in_vain(&client, &format!("public://{round}/{number}.txt"), &long);
            client = client.restart_by(|| serve(data.path()));

            let (status, body) = client.get(&format!("/sites/default/files/{round}/{number}.txt"));
            assert_eq!(status, if is_committed { 200 } else { 404 }, "{step}");
            assert!(!is_committed || body == long, "{step}");
            committed += usize::from(is_committed);
            assert_eq!(
                store.keys(&format!("{PREFIX}/public")).len(),
                committed,
                "{step}"
            );
            assert_eq!(store.unfinished(), 0, "{step}");
        }
    }
}

#[test]
fn inventories_that_are_due_are_counted_and_written_after_a_kill() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let client = client.restart_by(|| serve_until(data.path(), "committed"));
    put_in_vain(&client, "fedora://a.txt", "one");
    let check = with_credentials(data.path(), &["check"]).output();
    let text = crate::program::said(check.expect("it ends"));
    assert!(text.contains("Inventories in the bucket: 1 wait"), "{text}");
    client.restart_by(|| serve(data.path())).stop();
    assert_eq!(crate::validators::valid_objects(&store.below(PREFIX)), 1);
}
