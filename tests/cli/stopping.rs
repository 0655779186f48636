//! How a server ends that is told to: in order, with everything written that waited.

use std::path::Path;
use std::process::Stdio;

use crate::client::Client;
use crate::program::{Serving, isolario};

/// More than are written before the work on them begins by itself.
const OBJECTS: i64 = 120;

/// A server to which changes have just come.
fn changed(data: &Path) -> Client {
    let client = Client::start(data);
    for _ in 0..OBJECTS {
        client.object();
    }
    client
}

/// What waits to be recorded.
fn waiting(data: &Path) -> i64 {
    let database = rusqlite::Connection::open(data.join("isolario.db")).expect("the database");
    let count = "SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM index_due)";
    let count = database.query_row(count, [], |row| row.get(0));
    count.expect("a number")
}

#[track_caller]
fn assert_all_recorded(data: &Path) {
    assert_eq!(waiting(data), 0);
    for number in 1..=OBJECTS {
        let record = data.join(format!("records/node/000/000/{number}.json"));
        assert!(record.exists(), "{}", record.display());
    }
}

#[test]
fn an_orderly_stop_writes_all_records() {
    for signal in ["TERM", "INT", "HUP"] {
        let data = tempfile::tempdir().expect("a directory");
        let client = changed(data.path());
        client.serving.signal(signal);
        let (code, words) = client.serving.end();
        assert_eq!(code, Some(0), "{signal}: {words}");
        assert!(words.ends_with("Stopped.\n"), "{signal}: {words}");
        assert_all_recorded(data.path());
    }
}

#[test]
fn what_could_not_be_written_is_said_and_written_after_the_next_start() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let in_the_way = data.path().join("records/node");
    std::fs::write(&in_the_way, "no directory").expect("written");
    client.object();
    client.serving.signal("TERM");
    let (code, words) = client.serving.end();
    assert_eq!(code, Some(0), "{words}");
    let left = waiting(data.path());
    assert!(left > 0);
    assert!(
        words.contains(&format!("{left} records are not written yet")),
        "{words}"
    );
    assert!(words.contains("the next start"), "{words}");

    std::fs::remove_file(in_the_way).expect("removed");
    let serving = Serving::start(data.path());
    serving.interrupt();
    assert!(serving.end().1.ends_with("Stopped.\n"));
    assert_eq!(waiting(data.path()), 0);
}

#[test]
fn who_was_started_to_outlive_its_terminal_does() {
    let data = tempfile::tempdir().expect("a directory");
    let program = isolario(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let mut command = std::process::Command::new("nohup");
    command.arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let serving = Serving::spawn(command);
    serving.signal("HUP");
    assert_eq!(serving.get("/api/v1/session", None).0, 200);
    serving.signal("TERM");
    assert_eq!(serving.end().0, Some(0));
}

#[test]
fn a_terminal_that_has_gone_hinders_no_orderly_stop() {
    let data = tempfile::tempdir().expect("a directory");
    let mut command = isolario(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    command.env("RUST_LOG", "trace").stderr(Stdio::from(writer));
    let said = std::thread::spawn(move || {
        let mut first = [0; 1];
        std::io::Read::read_exact(&mut { reader }, &mut first)
    });
    let client = Client::of(Serving::spawn(command));
    // From here on nobody reads what it says of itself.
    assert!(said.join().expect("it reads").is_ok());
    for _ in 0..3 {
        client.object();
    }
    client.serving.signal("HUP");
    assert_eq!(client.serving.end().0, Some(0));
    assert_eq!(waiting(data.path()), 0);
}
