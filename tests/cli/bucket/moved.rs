//! Bytes moved from the disk into the bucket and back, while the repository goes on.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper::Method;

use super::store::{Fault, Store};
use super::stored::{bytes_below, output};
use super::{PREFIX, configure, put, serve, start, with_credentials};
use crate::client::Client;
use crate::new_repository;
use crate::program::{Serving, read_answer, run, said};
use crate::validators::valid_objects;

const OBJECT: &str = "/_flysystem/fedora/a.txt";
const PUBLIC: &str = "/sites/default/files/a.txt";
/// Files beside these, so that a move that is killed has something left to do.
const MORE: usize = 15;

/// A server on a repository with files on its disk, which has a bucket since.
fn start_on_disk(data: &Path, store: &Store) -> Client {
    let password = new_repository::copy_to(data);
    let client = Client::with_password(Serving::start(data), password);
    let place = client.place();
    for text in ["one", "two", "one"] {
        let status = client.put(&place, "fedora://a.txt", text).0;
        assert!(status < 300, "{status}");
    }
    assert_eq!(put(&client, "public://a.txt", "public"), 201);
    assert_eq!(put(&client, "public://gone.txt", "gone"), 201);
    for number in 0..MORE {
        assert_eq!(
            put(&client, &format!("public://more/{number}.txt"), "x"),
            201
        );
    }
    let deleted = client.send("DELETE", "/entity/file/3", "", "");
    assert_eq!(deleted.0, 204);
    client.restart_by(|| {
        configure(data, store.address());
        serve(data)
    })
}

fn serving(data: &Path) -> std::process::Command {
    with_credentials(data, &["serve", "--listen", "127.0.0.1:0"])
}

fn move_bytes(data: &Path, destination: &str) -> String {
    said(run(data, &["move-bytes", destination]))
}

/// Finds every byte where it was.
#[track_caller]
fn read_all(client: &Client) {
    assert_eq!(client.get(OBJECT), (200, "one".into()));
    assert_eq!(client.get(PUBLIC), (200, "public".into()));
    let second = client.get("/api/v1/files/1/versions/2/content");
    assert_eq!(second, (200, "two".into()));
}

#[test]
fn bytes_move_into_the_bucket_and_back() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let (files, ocfl) = (data.path().join("files"), data.path().join("ocfl"));
    let client = start_on_disk(data.path(), &store);
    read_all(&client);
    assert_eq!(store.keys(&format!("{PREFIX}/public")).len(), 0);

    let moved = move_bytes(data.path(), "bucket");
    assert!(
        moved.starts_with("20 versions of files, 34 bytes"),
        "{moved}"
    );
    read_all(&client);
    assert_eq!(bytes_below(&files), 0);
    assert!(crate::validators::objects(&ocfl).is_empty());
    assert!(move_bytes(data.path(), "bucket").starts_with("0 versions"));
    assert_eq!(put(&client, "fedora://b.txt", "new"), 201);
    said(run(data.path(), &["check"]));
    let client = client.stop().start_again_by(serving(data.path()));
    assert_eq!(valid_objects(&store.downloaded(PREFIX)), 2);

    let moved = move_bytes(data.path(), "disk");
    assert!(
        moved.starts_with("21 versions of files, 37 bytes"),
        "{moved}"
    );
    read_all(&client);
    assert_eq!(store.keys(PREFIX), [""; 0]);
    assert_eq!(put(&client, "public://b.txt", "on the disk"), 201);
    let restored = client.send("POST", "/api/v1/trash/file/3/restore", "", "");
    assert!(restored.0 < 300, "{restored:?}");
    let stopped = client.stop();
    assert_eq!(valid_objects(data.path()), 2);

    std::fs::remove_file(data.path().join("config.toml")).expect("removed");
    let client = stopped.start_again(data.path());
    let restored = client.get("/sites/default/files/gone.txt");
    assert_eq!(restored, (200, "gone".into()));
    said(run(data.path(), &["check"]));
}

#[test]
fn a_move_that_is_killed_goes_on() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let mut client = start_on_disk(data.path(), &store);
    let kept = |store: &Store| {
        let keys = store.keys(PREFIX).into_iter();
        keys.filter(|key| key.ends_with(".txt")).count()
    };
    for (destination, steps, in_bucket) in [
        (
            "bucket",
            ["noted", "placed", "committed", "relocated"].as_slice(),
            5 + MORE,
        ),
        ("disk", ["placed", "committed", "relocated"].as_slice(), 0),
    ] {
        for step in steps {
            client = client.restart_by(|| {
                let mut command = serving(data.path());
                command.env("ISOLARIO_KILL_AT", step);
                Serving::spawn(command)
            });
            let broken = run(data.path(), &["move-bytes", destination]);
            assert!(!broken.status.success(), "{destination}, {step}");
            client = client.restart_by(|| serve(data.path()));
            read_all(&client);
            assert_eq!(store.unfinished(), 0);
        }
        move_bytes(data.path(), destination);
        read_all(&client);
        assert_eq!(kept(&store), in_bucket, "{destination}");
    }
    client.stop();
    assert_eq!(valid_objects(data.path()), 1);
    assert_eq!(bytes_below(&data.path().join("files")), 10 + MORE as u64);
}

#[test]
fn what_cannot_be_moved_stays_and_is_named() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start_on_disk(data.path(), &store);
    std::fs::write(data.path().join("files/public/a.txt"), "pUblic").expect("written");
    let half = run(data.path(), &["move-bytes", "bucket"]);
    let text = String::from_utf8_lossy(&half.stdout).into_owned();
    assert_eq!(half.status.code(), Some(1), "{text}");
    assert!(text.contains("19 versions of files"), "{text}");
    assert!(
        text.contains("File 2, a.txt: the stored bytes are not what they were."),
        "{text}"
    );
    assert!(
        text.contains("1 versions are still where they were"),
        "{text}"
    );
    assert_eq!(client.get(OBJECT), (200, "one".into()));

    std::fs::write(data.path().join("files/public/a.txt"), "public").expect("written");
    store.fail(Method::PUT, Fault::Status(403));
    let away = run(data.path(), &["move-bytes", "bucket"]);
    let text = String::from_utf8_lossy(&away.stdout).into_owned();
    assert!(
        text.contains("It ended early: The store of the bytes refuses the credentials"),
        "{text}"
    );
    store.recover();
    move_bytes(data.path(), "bucket");
    read_all(&client);
}

#[test]
fn without_a_bucket_nothing_is_moved() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    for destination in ["bucket", "disk"] {
        let refused = run(data.path(), &["move-bytes", destination]);
        let words = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1));
        assert!(words.contains("names no bucket"), "{words}");
    }
    drop(client);
}

#[test]
fn an_upload_that_began_before_a_move_goes_where_the_file_is_since() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start_on_disk(data.path(), &store);
    let place = format!(
        "/node/1/media/file/{}",
        client.term("islandora_media_use", "Original File")
    );
    for (destination, text) in [("bucket", "first half"), ("disk", "other half")] {
        let headers = "Content-Type: text/plain\r\nContent-Location: fedora://a.txt\r\nContent-Length: 10\r\n";
        let mut stream = client.begin("PUT", &place, headers);
        stream.write_all(&text.as_bytes()[..5]).expect("sent");
        move_bytes(data.path(), destination);
        stream.write_all(&text.as_bytes()[5..]).expect("sent");
        assert_eq!(read_answer(stream).0, 204, "{destination}");
        assert_eq!(client.get(OBJECT), (200, text.into()));
    }
    client.stop();
    assert_eq!(valid_objects(data.path()), 1);
}

/// Replaces the bytes of a file until it is told to stop; how often it was.
fn replace_until(client: &Client, place: &str, stop: &AtomicBool) -> usize {
    let mut count = 0;
    while !stop.load(Ordering::Relaxed) {
        let text = format!("{place} {count}");
        let (status, body) = client.put(place, "fedora://r.txt", &text);
        assert_eq!(status, 204, "{body}");
        count += 1;
    }
    count
}

#[test]
fn files_can_be_replaced_while_they_are_moved() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let place = client.place();
    assert_eq!(client.put(&place, "fedora://r.txt", "first").0, 201);
    let stop = AtomicBool::new(false);
    let replaced = std::thread::scope(|scope| {
        let writers = [(); 2].map(|()| scope.spawn(|| replace_until(&client, &place, &stop)));
        for destination in ["disk", "bucket", "disk", "bucket"] {
            // Whoever is replaced all the time may stay where it is.
            let output = run(data.path(), &["move-bytes", destination]);
            assert!(!output.stdout.is_empty(), "{output:?}");
        }
        stop.store(true, Ordering::Relaxed);
        writers
            .map(|writer| writer.join().expect("it ends"))
            .iter()
            .sum::<usize>()
    });
    move_bytes(data.path(), "bucket");
    let last = client.get(&format!(
        "/api/v1/files/1/versions/{}/content",
        replaced + 1
    ));
    assert_eq!(last.0, 200);
    assert_eq!(client.get("/_flysystem/fedora/r.txt").1, last.1);
    client.stop();
    assert_eq!(valid_objects(&store.downloaded(PREFIX)), 1);
    said(output(data.path(), &["check"]));
}
