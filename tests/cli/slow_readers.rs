//! Clients that ask and do not take the answer. That they were cut off shows in the place that is free again.

use std::io::Read;

use crate::client::Client;
use crate::program::read_answer;

/// More than what the system keeps of a connection for both its ends.
const LARGE: usize = 32_000_000;
const LIMITS: &str = "[limits]\nconnections = 1\nanswer_idle_seconds = 10\n";

#[test]
fn who_takes_nothing_of_an_answer_is_cut_off() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let stored = client.put(&client.place(), "public://large.txt", &"a".repeat(LARGE));
    assert_eq!(stored.0, 201, "{}", stored.1);
    let stopped = client.stop();
    std::fs::write(data.path().join("config.toml"), LIMITS).expect("written");
    let client = stopped.start_again(data.path());

    let path = "/sites/default/files/large.txt";
    let mut slow = client.begin("GET", path, "");
    let mut first = [0; 15];
    slow.read_exact(&mut first).expect("it begins");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    let status = || read_answer(client.begin("GET", "/api/v1/session", "")).0;
    assert_eq!(status(), 503, "the only place is taken");
    let free_again = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        status() == 200
    });
    assert!(free_again, "who does not read keeps the place");
    let mut taken = Vec::new();
    // The connection may end with a reset.
    let _ = slow.read_to_end(&mut taken);
    assert!(taken.len() < LARGE, "it was read to the end");
}
