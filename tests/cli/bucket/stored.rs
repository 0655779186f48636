//! What lies where, and who can read it.

use std::path::Path;
use std::process::Output;

use super::store::{Fault, Store};
use super::{PREFIX, configure, put, serve, start, with_credentials};
use crate::program::{run, said};
use crate::resumable_upload::{append, begin, header};
use crate::validators::valid_objects;

/// What the program says that knows the credentials of the bucket.
pub fn output(data: &Path, arguments: &[&str]) -> Output {
    let mut command = with_credentials(data, arguments);
    command.output().expect("it ends")
}

/// The bytes of all files below a directory.
pub fn bytes_below(directory: &Path) -> u64 {
    let entries = directory.read_dir().expect("a directory");
    entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| match entry.metadata().expect("there").is_dir() {
            true => bytes_below(&entry.path()),
            false => entry.metadata().expect("there").len(),
        })
        .sum()
}

#[test]
fn bytes_lie_in_the_bucket_and_are_read_from_there() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let long = "0123456789".repeat(30_000);
    assert_eq!(put(&client, "public://a dir/é%1.txt", &long), 201);
    assert_eq!(put(&client, "fedora://short.txt", "short"), 201);
    assert_eq!(bytes_below(&data.path().join("files")), 0);
    let public = store.keys(&format!("{PREFIX}/public/a dir"));
    assert!(matches!(public.as_slice(), [one] if one.starts_with("é%1.") && one.ends_with(".txt")));

    let address = "/sites/default/files/a%20dir/%C3%A9%251.txt";
    for _ in ["from the cache", "from the bucket", "from both"] {
        assert_eq!(client.get(address), (200, long.clone()));
        let range = client.send("GET", address, "Range: bytes=299990-\r\n", "");
        assert_eq!(range, (206, "0123456789".into()));
        assert_eq!(
            client.get("/_flysystem/fedora/short.txt"),
            (200, "short".into())
        );
        let _ = std::fs::remove_dir_all(data.path().join("cache"));
    }
    client.stop();
    said(output(data.path(), &["check"]));
}

#[test]
fn the_root_in_the_bucket_is_valid_whatever_happens_to_its_files() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let place = client.place();
    let put = |body| client.put(&place, "fedora://a dir/é 1.txt", body).0;
    assert_eq!(put("one"), 201);
    for body in ["two", "one"] {
        assert_eq!(put(body), 204);
        assert_eq!(
            client.get("/_flysystem/fedora/a%20dir/%C3%A9%201.txt"),
            (200, body.into())
        );
    }
    assert_eq!(
        client.put(&client.place(), "fedora://other.txt", "other").0,
        201
    );
    let client = client.stop().start_again_by(with_credentials(
        data.path(),
        &["serve", "--listen", "127.0.0.1:0"],
    ));
    assert_eq!(valid_objects(&store.below(PREFIX)), 2);
    let version = |number| client.get(&format!("/api/v1/files/1/versions/{number}/content"));
    assert_eq!(version(2), (200, "two".into()));

    assert_eq!(client.put(&place, "fedora://a dir/é 1.txt", "four").0, 204);
    client.stop();
    assert_eq!(valid_objects(&store.below(PREFIX)), 2);
}

#[test]
fn what_is_purged_is_gone_from_the_bucket() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    assert_eq!(put(&client, "fedora://a.txt", "object"), 201);
    assert_eq!(put(&client, "public://a.txt", "public"), 201);
    let kept = |client: &crate::client::Client| {
        let keys = store.keys(PREFIX);
        let count = |name: &str| keys.iter().filter(|key| key.starts_with(name)).count();
        assert_eq!(client.get("/user/login_status?_format=json").0, 200);
        (count("ocfl/"), count("public/"))
    };
    for (file, address) in [
        (1, "/_flysystem/fedora/a.txt"),
        (2, "/sites/default/files/a.txt"),
    ] {
        assert_eq!(
            client
                .send("DELETE", &format!("/entity/file/{file}"), "", "")
                .0,
            204
        );
        assert_eq!(client.get(address).0, 404);
    }
    assert_eq!(kept(&client).1, 1, "the trash has it");
    let trashed = client.send("DELETE", "/api/v1/trash", "", "");
    assert!(trashed.0 < 300, "{trashed:?}");
    let client = client.restart_by(|| serve(data.path()));
    assert_eq!(kept(&client), (3, 0), "what declares the root stays");
}

#[test]
fn a_repository_is_rebuilt_from_its_records_and_the_bucket() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    assert_eq!(put(&client, "fedora://a.txt", "object"), 201);
    assert_eq!(put(&client, "public://a.txt", "public"), 201);
    let backups = tempfile::tempdir().expect("a directory");
    let folder = backups.path().to_string_lossy();
    let backed_up = said(run(data.path(), &["backup", &folder]));
    assert!(
        backed_up.contains("2 versions of files lie in the bucket"),
        "{backed_up}"
    );
    client.stop();
    std::fs::remove_file(data.path().join("isolario.db")).expect("removed");
    let rebuilt = said(output(data.path(), &["rebuild"]));
    assert!(rebuilt.contains('2'), "{rebuilt}");
    said(output(data.path(), &["check"]));
    drop(serve(data.path()));

    let alone = tempfile::tempdir().expect("a directory");
    configure(alone.path(), store.address());
    said(output(alone.path(), &["rebuild"]));
    said(output(alone.path(), &["check"]));

    let other = tempfile::tempdir().expect("a directory");
    let restored = other.path().join("restored");
    said(run(&restored, &["restore", &folder]));
    said(output(&restored, &["check"]));
}

#[test]
fn every_acknowledged_part_of_an_upload_is_in_the_bucket() {
    let (store, data) = (Store::start(), tempfile::tempdir().expect("a directory"));
    let client = start(data.path(), &store);
    let parts = format!("{PREFIX}/uploads");
    let [path, given_up] = ["parts", "up"].map(|name| begin(&client, name));
    assert_eq!(append(&client, &path, 6, "?0", "wor").0, 204);
    assert_eq!(store.keys(&parts).len(), 3);
    assert_eq!(client.send("DELETE", &given_up, "", "").0, 204);
    assert_eq!(store.keys(&parts).len(), 2);

    let client = client.restart_by(|| {
        std::fs::remove_dir_all(data.path().join("uploads")).expect("removed");
        serve(data.path())
    });
    let (status, answer) = client.ask("HEAD", &path, "", "");
    assert_eq!((status, header(&answer, "upload-offset")), (204, "9"));
    store.fail(hyper::Method::PUT, Fault::Status(403));
    assert_eq!(append(&client, &path, 9, "?1", "ld\n").0, 503);
    store.recover();
    assert_eq!(append(&client, &path, 9, "?1", "ld\n").0, 201);
    let stored = client.get("/sites/default/files/parts.txt");
    assert_eq!(stored, (200, "hello world\n".to_owned()));
    assert_eq!(store.keys(&parts), [""; 0]);
}
