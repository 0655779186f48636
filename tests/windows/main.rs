//! The server of Windows, tried by Wine: by `make test-windows`.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test or measurement reads what it made, and ends where it cannot go on"
)]

#[path = "../cli/client.rs"]
#[expect(dead_code, reason = "other suites need more of it")]
mod client;
#[path = "../cli/new_repository.rs"]
#[expect(dead_code, reason = "other suites need more of it")]
mod new_repository;
#[path = "../cli/program.rs"]
#[expect(dead_code, reason = "other suites need more of it")]
mod program;

use client::Client;

#[test]
fn it_starts() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start_apart(data.path());
    assert_eq!(client.put(&client.place(), "public://a.txt", "one").0, 201);
}
