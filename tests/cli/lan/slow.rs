//! Somebody on the network who begins and does not go on.

use std::path::Path;

use super::network::{Network, SERVER};
use super::{serve, stop};
use crate::client::Client;
use crate::program::in_sources;

const CONFIG: &str = "[lan]\nenabled = true\nport = 9443\nannounce = false\n\
    [limits]\nconnections_per_address = 3\nhandshake_seconds = 1\nheader_seconds = 2\nanswer_idle_seconds = 10\n";

/// Stores more than what the system keeps of a connection for both its ends.
pub fn store_large_file(data: &Path) {
    let client = Client::start(data);
    let stored = client.put(
        &client.place(),
        "public://large.txt",
        &"a".repeat(32_000_000),
    );
    assert_eq!(stored.0, 201, "{}", stored.1);
    client.stop();
}

#[test]
fn handshakes_requests_and_answers_have_to_go_on() {
    let data = tempfile::tempdir().expect("a directory");
    store_large_file(data.path());
    std::fs::write(data.path().join("config.toml"), CONFIG).expect("written");
    let network = Network::lay();
    let serving = serve(&network, data.path());
    let script = in_sources("tests/cli/lan/slow.py").display().to_string();
    let path = "/sites/default/files/large.txt";
    let seen = network.there.python(&[&script, SERVER, "9443", path, "3"]);
    let all = [
        "silence ends",
        "half a handshake ends",
        "no request ends",
        "there is no further place",
        "one is free again",
    ];
    assert_eq!(seen, all.map(|line| format!("{line}: True")), "{seen:?}");
    stop(serving);
}
