//! What is no regular file where one should be: refused at once, in words, wherever bytes are opened. To open
//! a FIFO would wait for ever, to read of some devices would never end.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::disk::found_below;
use crate::client::Client;
use crate::program::{complained, isolario, said};
use crate::recorded::until_recorded;
use crate::resumable_upload::{append, begin};

/// Whoever takes so many seconds waits for ever.
const STUCK: &str = "60";

/// The kinds of special files that anybody can make.
const KINDS: [fn(&Path); 4] = [
    |path| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo is there").success());
    },
    // A listener binds to short paths only.
    |path| {
        let made = mknodat(CWD, path, FileType::Socket, Mode::RUSR | Mode::WUSR, 0);
        made.expect("a socket");
    },
    |path| symlink("/dev/zero", path).expect("a link to a device"),
    |path| std::fs::create_dir(path).expect("a directory"),
];

/// Puts a FIFO in the place of a file.
fn put_fifo(path: &Path) {
    put(KINDS[0], path);
}

fn put(kind: fn(&Path), path: &Path) {
    match path.is_dir() {
        true => std::fs::remove_dir(path),
        false => std::fs::remove_file(path),
    }
    .expect("it was there");
    kind(path);
}

/// A command that is killed when it is stuck.
fn run(data: &Path, arguments: &[&str]) -> Output {
    let program = isolario(data, arguments);
    let mut command = Command::new("timeout");
    command.arg("--signal=KILL").arg(STUCK);
    command.arg(program.get_program()).args(program.get_args());
    let output = command.env("ISOLARIO_DATA", data).output();
    output.expect("timeout is there")
}

/// Where the bytes lie that a file has by this text alone.
fn bytes_of(data: &Path, text: &str) -> PathBuf {
    let found = ["ocfl", "files"].map(|tree| found_below(&data.join(tree), text));
    found.into_iter().flatten().next().expect("stored bytes")
}

/// A repository with a file in each tree.
fn two_files(data: &Path) -> (Client, [PathBuf; 2]) {
    let client = Client::start(data);
    for uri in ["fedora://a.txt", "public://a.txt"] {
        assert_eq!(client.put(&client.place(), uri, uri).0, 201);
    }
    let paths = ["fedora://a.txt", "public://a.txt"].map(|text| bytes_of(data, text));
    (client, paths)
}

const ADDRESSES: [&str; 2] = ["/_flysystem/fedora/a.txt", "/sites/default/files/a.txt"];

#[test]
fn a_download_of_it_is_refused_and_others_go_on() {
    let data = tempfile::tempdir().expect("a directory");
    let (client, paths) = two_files(data.path());
    assert_eq!(client.put(&client.place(), "public://b.txt", "b").0, 201);
    for kind in KINDS {
        for (path, address) in paths.iter().zip(ADDRESSES) {
            put(kind, path);
            let (status, body) = client.get(address);
            assert_eq!(status, 503, "{body}");
            assert!(body.contains("no regular file"), "{body}");
        }
        let other = client.get("/sites/default/files/b.txt");
        assert_eq!(other, (200, "b".into()));
    }
}

#[test]
fn check_and_backup_name_it_and_go_on() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, backup) = (place.path().join("data"), place.path().join("backup"));
    let (client, paths) = two_files(&data);
    client.stop();
    paths.iter().for_each(|path| put_fifo(path));
    put_fifo(&data.join("records/role/administrator.json"));

    let checked = run(&data, &["check"]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
    let report = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(report.contains("no regular file"), "{report}");

    let folder = backup.to_str().expect("a path");
    let made = run(&data, &["backup", folder]);
    let words = [made.stdout, made.stderr].concat();
    let words = String::from_utf8_lossy(&words).into_owned();
    assert!(made.status.code().is_some(), "it was stuck: {words}");
    assert!(
        words.contains("Not backed up: files/public/a.txt"),
        "{words}"
    );
    assert!(words.contains("Not backed up: ocfl/"), "{words}");
    let record = "Not backed up: records/role/administrator.json";
    assert!(words.contains(record), "{words}");
    assert!(words.contains("no regular file"), "{words}");
}

#[test]
fn rebuilding_leaves_it_out() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let (client, paths) = two_files(&data);
    until_recorded(&data);
    client.stop();
    paths.iter().for_each(|path| put_fifo(path));
    put_fifo(&data.join("records/node/000/000/1.json"));
    std::fs::remove_file(data.join("isolario.db")).expect("removed");
    let words = complained(&run(&data, &["rebuild"]), 1);
    assert!(words.contains("1.json"), "{words}");
    assert_eq!(words.matches("no regular file").count(), 3, "{words}");
}

#[test]
fn a_restore_leaves_it_out_and_says_so() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, backup) = (place.path().join("data"), place.path().join("backup"));
    let (client, _) = two_files(&data);
    client.stop();
    let folder = backup.to_str().expect("a path");
    said(run(&data, &["backup", folder]));
    put_fifo(&found_below(&backup.join("objects"), "public://a.txt").expect("a content"));
    let restored = place.path().join("restored");
    let words = complained(&run(&restored, &["restore", folder]), 1);
    assert!(words.contains("files/public/a.txt"), "{words}");
    assert!(words.contains("no regular file"), "{words}");

    put_fifo(&backup.join("README.txt"));
    said(run(&data, &["backup", folder]));
    for name in ["isolario-backup.json", "isolario-backup.lock"] {
        put_fifo(&backup.join(name));
        let words = complained(&run(&data, &["backup", folder]), 1);
        assert!(words.contains("no regular file"), "{name}: {words}");
    }
    let words = complained(&run(&place.path().join("second"), &["restore", folder]), 1);
    assert!(words.contains("no regular file"), "{words}");
}

#[test]
fn a_part_of_an_upload_is_not_written_into_it() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let upload = begin(&client, "parts");
    let uploads = data.path().join("uploads");
    let mut waiting = uploads.read_dir().expect("there").flatten();
    put_fifo(&waiting.next().expect("the bytes of the upload").path());
    let (status, body) = append(&client, &upload, 6, "?0", "world");
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("no regular file"), "{body}");
}

#[test]
fn a_start_says_which_key_it_is() {
    let data = tempfile::tempdir().expect("a directory");
    Client::start(data.path()).stop();
    put_fifo(&data.path().join("keys/token.pem"));
    let words = complained(&run(data.path(), &["serve", "--listen", "127.0.0.1:0"]), 1);
    assert!(words.contains("keys/token.pem"), "{words}");
    assert!(words.contains("no regular file"), "{words}");
}

#[test]
fn a_log_that_is_none_hinders_nobody() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    assert_eq!(client.get("/api/v1/session").0, 200);
    client.stop();
    put_fifo(&data.path().join("logs/requests.log"));
    let serving = crate::program::Serving::start(data.path());
    assert_eq!(serving.get("/api/v1/session", None).0, 200);
    serving.interrupt();
    assert_eq!(serving.end().0, Some(0));
}
