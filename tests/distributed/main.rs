//! A repository on a distributed store that loses parts of itself: by `make test-bucket`, beside a Ceph cluster.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test or measurement reads what it made, and ends where it cannot go on"
)]

#[path = "../cli/client.rs"]
#[expect(dead_code, reason = "other suites need more of it")]
mod client;
#[path = "../cli/new_repository.rs"]
mod new_repository;
#[path = "../cli/program.rs"]
#[expect(dead_code, reason = "other suites need more of it")]
mod program;

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use client::Client;
use program::Serving;

/// How long uploads go on.
const LOAD: Duration = Duration::from_secs(12);

/// Configures a data directory for the bucket behind a gateway, and serves it.
fn serve(data: &Path, gateway: &str) -> Serving {
    let rules = format!(
        "[bytes]\nbucket = \"archive\"\nendpoint = \"{gateway}\"\nprefix = \"kept\"\ntimeout_seconds = 5\n"
    );
    std::fs::write(data.join("config.toml"), rules).expect("written");
    Serving::start(data)
}

/// Kills a process of the cluster.
fn kill(variable: &str) {
    let process = std::env::var(variable).expect("the process");
    let killed = Command::new("kill").args(["-KILL", &process]).status();
    assert!(killed.expect("kill is there").success());
}

#[test]
fn what_was_acknowledged_outlives_a_disk_and_a_gateway_of_the_store() {
    let endpoints = std::env::var("S3_ENDPOINTS").expect("addresses");
    let (first, second) = endpoints.split_once(' ').expect("two");
    let data = tempfile::tempdir().expect("a directory");
    let password = new_repository::copy_to(data.path());
    let client = Client::with_password(serve(data.path(), first), password);
    let (began, acknowledged) = (Instant::now(), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for writer in 0..4 {
            let (client, acknowledged) = (&client, &acknowledged);
            scope.spawn(move || {
                for number in 0.. {
                    if began.elapsed() > LOAD {
                        return;
                    }
                    let name = format!("{writer}-{number}.txt");
                    let text = format!("{name} ").repeat(10_000);
                    let uri = format!("fedora://{name}");
                    match client.put(&client.place(), &uri, &text).0 {
                        201 => acknowledged.lock().expect("whole").push((name, text)),
                        status => assert_eq!(status, 503),
                    }
                }
            });
        }
        thread::sleep(LOAD / 3);
        kill("CEPH_OSD");
        thread::sleep(LOAD / 3);
        kill("CEPH_GATEWAY");
    });
    assert_eq!(
        client.put(&client.place(), "fedora://late.txt", "late").0,
        503
    );

    let _ = std::fs::remove_dir_all(data.path().join("cache"));
    let client = client.restart_by(|| serve(data.path(), second));
    let acknowledged = acknowledged.into_inner().expect("whole");
    assert!(!acknowledged.is_empty());
    for (name, text) in &acknowledged {
        let read = client.get(&format!("/_flysystem/fedora/{name}"));
        assert!(read == (200, text.clone()), "{name}: {}", read.0);
    }
    println!("{} acknowledged uploads are there.", acknowledged.len());
    assert_eq!(
        client.put(&client.place(), "fedora://late.txt", "late").0,
        201
    );
}
