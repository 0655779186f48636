//! Bytes that vanish or shrink under the server.

use std::path::{Path, PathBuf};

use super::disk::found_below;
use crate::client::Client;

const FILES: [(&str, &str); 2] = [
    ("fedora://a.txt", "/_flysystem/fedora/a.txt"),
    ("public://a.txt", "/sites/default/files/a.txt"),
];

/// Where the bytes lie that a file has by this text alone.
fn bytes_of(data: &Path, text: &str) -> PathBuf {
    let found = ["ocfl", "files"].map(|tree| found_below(&data.join(tree), text));
    found.into_iter().flatten().next().expect("stored bytes")
}

#[track_caller]
fn assert_in_words((status, body): (u16, String), word: &str) {
    assert_eq!(status, 503, "{body}");
    assert!(
        body.starts_with("{\"message\":\"The bytes of this file are"),
        "{body}"
    );
    assert!(body.contains(word), "{body}");
}

#[test]
fn lost_bytes_are_said_to_be_lost_and_can_be_sent_again() {
    for (uri, path) in FILES {
        let data = tempfile::tempdir().expect("a directory");
        let client = Client::start(data.path());
        let (place, other) = (client.place(), client.place());
        assert_eq!(client.put(&place, uri, "the bytes").0, 201);
        assert_eq!(client.put(&other, "public://other.txt", "others").0, 201);
        let bytes = bytes_of(data.path(), "the bytes");

        std::fs::write(&bytes, "the byte").expect("written");
        assert_in_words(client.get(path), "damaged");
        std::fs::remove_file(&bytes).expect("removed");
        assert_in_words(client.get(path), "missing");
        assert_in_words(
            client.send("GET", path, "Range: bytes=0-1\r\n", ""),
            "missing",
        );
        assert_eq!(client.get("/entity/file/1?_format=json").0, 200);
        assert_eq!(client.get("/media/1?_format=json").0, 200);
        assert_eq!(
            client.get("/sites/default/files/other.txt"),
            (200, "others".into())
        );

        assert_eq!(client.put(&place, uri, "the bytes").0, 204);
        assert_eq!(client.get(path), (200, "the bytes".into()));
        assert_eq!(
            client.restart(data.path()).get(path),
            (200, "the bytes".into())
        );
    }
}

#[test]
fn a_directory_that_vanishes_takes_nothing_else_with_it() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let (place, other) = (client.place(), client.place());
    assert_eq!(client.put(&place, "fedora://a.txt", "one").0, 201);
    let object = bytes_of(data.path(), "one");
    let object = object.ancestors().nth(3).expect("the object's directory");
    std::fs::remove_dir_all(object).expect("removed");

    assert_in_words(client.get("/_flysystem/fedora/a.txt"), "missing");
    assert_eq!(client.put(&other, "fedora://b.txt", "b").0, 201);
    assert_eq!(client.get("/_flysystem/fedora/b.txt"), (200, "b".into()));
    let (status, body) = client.put(&place, "fedora://a.txt", "two");
    assert_eq!(status, 503, "{body}");
    assert!(
        body.contains("former bytes of this file is missing. Nothing was changed."),
        "{body}"
    );
    assert_eq!(
        client.send("DELETE", "/media/1?_format=json", "", "").0,
        204
    );
}
