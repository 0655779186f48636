//! `isolario check-bag`: bags of anybody, whole, damaged and hostile.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::bag::{bag, files, harbour};
use crate::client::Client;
use crate::program::{complained, in_sources, run, said};

fn check(folder: &Path) -> Output {
    let nowhere = folder.join("no-repository");
    run(&nowhere, &["check-bag", &folder.display().to_string()])
}

/// A bag that bagit-python makes, in a folder of its own.
fn strange(disk: &Path, algorithms: &[&str]) -> PathBuf {
    let folder = disk.join(algorithms.join("-"));
    fs::create_dir_all(folder.join("deep/er")).expect("written");
    fs::write(folder.join("a.txt"), "one").expect("written");
    fs::write(folder.join("deep/er/Länder 50%.txt"), "two").expect("written");
    let python = in_sources(".tools/bagit/bin/python");
    let mut command = Command::new(python);
    command.arg(in_sources(".tools/bagit/bin/bagit.py"));
    command.args(algorithms).arg("--quiet").arg(&folder);
    assert!(command.status().expect("bagit").success());
    folder
}

#[test]
fn whole_bags_of_ours_and_of_others_are_told_to_be_so() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let collection = harbour(&client);
    client.stop();
    let own = disk.path().join("own");
    said(bag(data.path(), collection, &own));
    let payload = files(&own.join("data")).len();
    let words = said(check(&own));
    assert!(
        words.contains(&format!("a whole bag of {payload} files and ")),
        "{words}"
    );
    assert!(words.contains("by sha512"), "{words}");
    for algorithms in [
        &["--md5"][..],
        &["--sha1"],
        &["--md5", "--sha256"],
        &["--sha512"],
    ] {
        let folder = strange(disk.path(), algorithms);
        let words = said(check(&folder));
        assert!(words.contains("2 files and 6 bytes"), "{words}");
        assert!(
            words.contains(algorithms.last().unwrap().trim_start_matches('-')),
            "{words}"
        );
    }
}

#[test]
fn every_damaged_file_is_named() {
    let disk = tempfile::tempdir().unwrap();
    let folder = strange(disk.path(), &["--sha512"]);
    fs::write(folder.join("data/a.txt"), "One").unwrap();
    fs::remove_file(folder.join("data/deep/er/Länder 50%.txt")).unwrap();
    fs::write(folder.join("data/deep/new\u{1b}[2J.txt"), "new").unwrap();
    let mut information = fs::read_to_string(folder.join("bag-info.txt")).unwrap();
    information.push_str("Contact-Name: Somebody else\n");
    fs::write(folder.join("bag-info.txt"), information).unwrap();
    let complaint = complained(&check(&folder), 1);
    for words in [
        "is no whole bag.",
        "data/a.txt: Its bytes have changed.",
        "data/deep/er/Länder 50%.txt: It is missing.",
        "data/deep/new\u{fffd}[2J.txt: No manifest lists it.",
        "bag-info.txt: Its bytes have changed.",
    ] {
        assert!(complaint.contains(words), "{complaint}");
    }
}

#[test]
fn hostile_bags_end_in_a_sentence() {
    let disk = tempfile::tempdir().unwrap();
    let secret = disk.path().join("secret.txt");
    fs::write(&secret, "one").unwrap();
    let sum = "0".repeat(128);
    let line = |path: &str| format!("{sum}  {path}\n");
    let manifests = [
        (line("data/../../secret.txt"), "may not contain \"..\""),
        (line("/etc/passwd"), "may not be empty, start"),
        (
            line("data/a%0D%0Ab.txt"),
            "may not contain control characters",
        ),
        (line("data/a\\b.txt"), "may not contain a backslash"),
        (line("bagit.txt"), "which is not below data/"),
        (line(&"data/x".repeat(2_000)), "it is too long"),
        ("no checksum\n".into(), "it begins with no checksum"),
        (format!("{sum}\n"), "it has no path"),
        (
            line("data/a.txt").repeat(2),
            "data/a.txt: It is listed twice.",
        ),
        (
            line("data/a.txt").repeat(100_000),
            "data/a.txt: It is listed twice.",
        ),
        (
            line("data/link.txt"),
            "data/link.txt: It cannot be read: a link leads elsewhere",
        ),
        (
            line("data/up/secret.txt"),
            "data/up/secret.txt: It cannot be read: a link leads elsewhere",
        ),
        (line("data/pipe"), "data/pipe: It cannot be read"),
    ];
    let folder = disk.path().join("bag");
    fs::create_dir_all(folder.join("data")).unwrap();
    let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
    fs::write(folder.join("bagit.txt"), declaration).unwrap();
    symlink(&secret, folder.join("data/link.txt")).unwrap();
    symlink(disk.path(), folder.join("data/up")).unwrap();
    let pipe = Command::new("mkfifo")
        .arg(folder.join("data/pipe"))
        .status();
    assert!(pipe.expect("mkfifo").success());
    let manifest = folder.join("manifest-sha512.txt");
    for (text, words) in manifests {
        fs::write(&manifest, text).unwrap();
        let complaint = complained(&check(&folder), 1);
        assert!(complaint.contains(words), "{words}: {complaint}");
    }
    fs::write(&manifest, [0xff, b'\n']).unwrap();
    assert!(complained(&check(&folder), 1).contains("it is no UTF-8"));
    fs::write(folder.join("fetch.txt"), "").unwrap();
    assert!(complained(&check(&folder), 1).contains("Fetch them first."));
    for declaration in ["", "BagIt-Version: 9\nTag-File-Character-Encoding: UTF-8\n"] {
        fs::write(folder.join("bagit.txt"), declaration).unwrap();
        let complaint = complained(&check(&folder), 1);
        assert!(
            complaint.contains("no known version of BagIt"),
            "{complaint}"
        );
    }
    fs::remove_file(folder.join("bagit.txt")).unwrap();
    assert!(complained(&check(&folder), 1).contains("It is no bag"));
    assert!(complained(&check(&secret), 1).contains("It is no whole ZIP"));
    assert!(
        complained(&check(&disk.path().join("none")), 1)
            .contains("It cannot be read: No such file")
    );
}
