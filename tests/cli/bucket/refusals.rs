//! Buckets that a repository is not started with.

use super::store::{BUCKET, Store};
use super::{PREFIX, configure, put, start, with_credentials};
use crate::new_repository;
use crate::program::complained;

/// What a start complains about.
fn complaint(data: &std::path::Path, secret: Option<&str>) -> String {
    let mut command = with_credentials(data, &["serve", "--listen", "127.0.0.1:0"]);
    if let Some(secret) = secret {
        command.env("AWS_SECRET_ACCESS_KEY", secret);
    }
    complained(&command.output().expect("it ends"), 1)
}

#[test]
fn a_bucket_that_is_not_that_of_the_repository_is_refused_in_a_sentence() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    new_repository::copy_to(data.path());
    configure(data.path(), store.address());

    let words = complaint(data.path(), Some("wrong"));
    assert!(words.contains("refuses the credentials"), "{words}");
    let words = complaint(data.path(), Some(""));
    assert!(
        words.contains("there is no AWS_SECRET_ACCESS_KEY in the environment"),
        "{words}"
    );

    std::fs::create_dir(store.below(PREFIX)).expect("made");
    std::fs::write(store.below(PREFIX).join("song.mp3"), "la").expect("written");
    let words = complaint(data.path(), None);
    assert!(words.contains("has other things already"), "{words}");
    std::fs::remove_dir_all(store.below(PREFIX)).expect("removed");

    let other = tempfile::tempdir().expect("a directory");
    drop(start(other.path(), &store));
    let words = complaint(data.path(), None);
    assert!(words.contains("is that of another repository"), "{words}");

    std::fs::remove_dir_all(store.below("")).expect("removed");
    let words = complaint(data.path(), None);
    assert!(
        words.contains(&format!("there is no bucket \"{BUCKET}\"")),
        "{words}"
    );
}

#[test]
fn a_repository_does_not_start_without_its_bucket() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    assert_eq!(put(&client, "public://a.txt", "one"), 201);
    client.stop();
    std::fs::write(data.path().join("config.toml"), "").expect("written");
    let words = complaint(data.path(), None);
    assert!(words.contains("its bytes lie in a bucket"), "{words}");
}
