//! A disk that may be read only: what is there is served, nothing is taken in.

use std::thread;

use super::disk::Disk;
use crate::client::Client;
use crate::program::complained;

const MEGABYTES: u32 = 32;
const LOCKED: &str = "The disk of the repository can only be read.";
const FILE: &str = "/_flysystem/fedora/a.txt";

#[track_caller]
fn assert_refused((status, body): (u16, String), words: &str) {
    assert_eq!(status, 503, "{body}");
    assert!(
        body.contains(&format!("{words} Nothing was changed.")),
        "{body}"
    );
}

/// More readers at once than the program keeps connections to its database.
fn assert_reads_go_on(client: &Client) {
    thread::scope(|scope| {
        for _ in 0..24 {
            scope.spawn(|| assert_eq!(client.get(FILE), (200, "one".into())));
        }
    });
    assert_eq!(client.get("/node/1?_format=json").0, 200);
}

#[test]
fn uploads_are_refused_while_the_disk_is_locked() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let (place, empty) = (client.place(), client.place());
    assert_eq!(client.put(&place, "fedora://a.txt", "one").0, 201);

    disk.make_read_only("");
    assert_refused(client.put(&place, "fedora://a.txt", "two"), LOCKED);
    assert_refused(client.put(&empty, "public://b.txt", "b"), LOCKED);
    assert_reads_go_on(&client);

    disk.make_writable("");
    assert_eq!(client.put(&empty, "public://b.txt", "b").0, 201);
    assert_eq!(client.put(&place, "fedora://a.txt", "two").0, 204);
    assert_eq!(client.get(FILE), (200, "two".into()));
}

#[test]
fn a_locked_storage_root_or_tree_does_not_hinder_the_other() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let (object, tree) = (client.place(), client.place());
    assert_eq!(client.put(&object, "fedora://a.txt", "one").0, 201);
    assert_eq!(client.put(&tree, "public://a.txt", "one").0, 201);
    for (locked, refused, uri, taken) in [
        ("ocfl", &object, "fedora://a.txt", &tree),
        ("files", &tree, "public://a.txt", &object),
    ] {
        disk.make_read_only(locked);
        // Nothing is moved into what is mounted by itself, locked or not.
        assert_refused(client.put(refused, uri, "two"), "");
        assert_eq!(client.put(taken, uri, "two").0, 204);
        assert_eq!(client.get(FILE).0, 200);
        disk.make_writable(locked);
        assert_eq!(client.put(refused, uri, "three").0, 204);
    }
    assert_eq!(
        disk.seen()
            .join("staging")
            .read_dir()
            .expect("there")
            .count(),
        0
    );
}

#[test]
fn a_start_on_a_locked_disk_says_what_is_wrong() {
    let disk = Disk::of_megabytes(MEGABYTES);
    drop(disk.client());
    disk.make_read_only("");
    let output = disk
        .isolario(&["serve", "--listen", "127.0.0.1:0"])
        .output();
    let words = complained(&output.expect("the program starts"), 1);
    assert!(words.contains("Read-only file system"), "{words}");
    assert!(
        words.contains(&disk.path().display().to_string()),
        "{words}"
    );
    assert!(!words.contains("panicked"), "{words}");
}
