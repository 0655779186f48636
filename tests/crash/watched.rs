//! The program killed while it takes files from watched folders: after the last start every file is there
//! exactly once, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chance::Chance;
use crate::program::{isolario, run, said};
use crate::running::{assert_clean, found, from_environment, seed, start};
use crate::validators::valid_objects;
use crate::wire::Server;

/// In the tests; `make torture ROUNDS=…` takes more.
const ROUNDS: usize = 20;
/// Files that are put into each folder before each kill.
const FILES: usize = 6;
/// A test that waits longer than this is stuck, not slow.
const STUCK: Duration = Duration::from_secs(180);
/// Where every other round ends the program.
const POINTS: [&str; 6] = [
    "ingesting",
    "item made",
    "placed",
    "committed",
    "taken",
    "tidied",
];
/// What becomes of the files of each folder.
const FOLDERS: [(&str, &str); 3] = [("stay", "leave"), ("move", "move"), ("go", "delete")];

/// What was put into the folders: bytes by the title that their item gets.
type Put = BTreeMap<String, Vec<u8>>;

#[test]
fn every_file_of_a_watched_folder_is_taken_once_whatever_kills_the_program() {
    let (seed, rounds) = (seed(), from_environment("ROUNDS", ROUNDS));
    println!("SEED={seed} ROUNDS={rounds}");
    let mut chance = Chance::new(seed);
    let data = tempfile::tempdir().expect("a directory");
    let folders = tempfile::tempdir().expect("a directory");
    let authorization = found(data.path());
    for (name, afterwards) in FOLDERS {
        let folder = folders.path().join(name);
        std::fs::create_dir(&folder).expect("made");
        let folder = folder.to_str().expect("UTF-8");
        let rule = [
            "--afterwards",
            afterwards,
            "--subfolders",
            "flat",
            "--set",
            "settle_seconds=0.1",
        ];
        said(run(
            data.path(),
            &[&["watch", "add", folder][..], &rule].concat(),
        ));
    }
    let mut put = Put::new();
    for round in 0..rounds {
        fill(folders.path(), round, &mut chance, &mut put);
        let point = (round % 2 == 1).then(|| {
            let name = POINTS[chance.below(POINTS.len())];
            format!("{name}:{}", 1 + chance.below(FILES))
        });
        kill(
            data.path(),
            point.as_deref(),
            Duration::from_millis(300 + chance.below(1500) as u64),
        );
        println!(
            "round {round}: killed {}",
            point.unwrap_or_else(|| "at random".into())
        );
    }
    let running = start(data.path(), &authorization, None);
    finish(&running.server, put.len());
    judge(&running.server, &put);
    assert_clean(data.path());
    assert_left(folders.path(), &put);
    drop(running);
    valid_objects(data.path());
}

/// Puts files into the folders. Some are alike.
fn fill(folders: &Path, round: usize, chance: &mut Chance, put: &mut Put) {
    for (folder, _) in FOLDERS {
        for number in 0..FILES {
            let title = format!("{folder}-{round}-{number}");
            let bytes = match chance.below(6) {
                0 => b"a blank page".to_vec(),
                _ => chance.bytes(),
            };
            let path = folders.join(folder).join(format!("{title}.txt"));
            std::fs::write(path, &bytes).expect("written");
            put.insert(title, bytes);
        }
    }
}

/// Starts the program and ends it: at a point, or when patience ends.
fn kill(data: &Path, point: Option<&str>, patience: Duration) {
    let mut command = isolario(data, &["serve", "--listen", "127.0.0.1:0"]);
    command.stdout(Stdio::null());
    let patience = match point {
        Some(point) => {
            command.env("ISOLARIO_KILL_AT", point);
            Duration::from_secs(15)
        }
        None => patience,
    };
    let mut child = command.spawn().expect("the program starts");
    let begun = Instant::now();
    while begun.elapsed() < patience && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    // It may have ended by itself.
    let _ = child.kill();
    child.wait().expect("it ends");
}

/// Waits until so many files are in the repository and nothing is left to do.
fn finish(server: &Server, files: usize) {
    let begun = Instant::now();
    loop {
        let folders = server.get("/api/v1/watched-folders").expect(200).json();
        let counts: Vec<&Value> = (0..FOLDERS.len())
            .map(|at| &folders["folders"][at]["counts"])
            .collect();
        let sum = |state: &str| {
            counts
                .iter()
                .filter_map(|counts| counts[state].as_u64())
                .sum::<u64>()
        };
        let waiting = sum("seen") + sum("settled") + sum("ingesting");
        assert_eq!((sum("failed"), sum("skipped")), (0, 0), "{folders:#}");
        if waiting == 0 && sum("done") == files as u64 && moved(server) {
            return;
        }
        assert!(begun.elapsed() < STUCK, "{folders:#}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Whether the newest of the moved files have been moved.
fn moved(server: &Server) -> bool {
    let page = server
        .get("/api/v1/watched-folders/2/files?limit=200")
        .expect(200)
        .json();
    let mut files = page["files"].as_array().expect("a list").iter();
    files.all(|file| !file["moved_to"].is_null())
}

/// Every title once, each with one media, and its bytes.
fn judge(server: &Server, put: &Put) {
    let mut left = put.clone();
    let mut after = String::new();
    loop {
        let page = server
            .get(&format!("/api/v1/items?limit=200{after}"))
            .expect(200)
            .json();
        for item in page["items"].as_array().expect("a list") {
            let title = item["title"].as_str().expect("a title");
            let bytes = left.remove(title);
            let bytes =
                bytes.unwrap_or_else(|| panic!("{title} is there twice, or was never put there"));
            assert!(
                stored(server, &item["nid"]) == bytes,
                "{title} has other bytes"
            );
        }
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    let missing: Vec<&String> = left.keys().collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

/// The bytes of the only file of an item.
fn stored(server: &Server, nid: &Value) -> Vec<u8> {
    let media = server
        .get(&format!("/api/v1/items/{nid}/media"))
        .expect(200)
        .json();
    let media = media["media"].as_array().expect("a list");
    assert_eq!(media.len(), 1, "{media:?}");
    let url = media[0]["file"]["url"].as_str().expect("an address");
    let path = url.splitn(4, '/').nth(3).expect("a path");
    let versions = format!("/api/v1/files/{}/versions", media[0]["file"]["fid"]);
    let versions = server.get(&versions).expect(200).json();
    assert_eq!(
        versions["versions"].as_array().map(Vec::len),
        Some(1),
        "{versions}"
    );
    server.get(&format!("/{path}")).expect(200).body
}

/// The folders hold what they should: everything, everything in `done/`, nothing.
fn assert_left(folders: &Path, put: &Put) {
    for (title, bytes) in put {
        let name = format!("{title}.txt");
        let stay = folders.join("stay").join(&name);
        let moved = folders.join("move/done").join(&name);
        match title.split('-').next() {
            Some("stay") => assert!(std::fs::read(stay).expect("there") == *bytes, "{name}"),
            Some("move") => assert!(std::fs::read(moved).expect("there") == *bytes, "{name}"),
            _ => {}
        }
    }
    let begun = Instant::now();
    let go = folders.join("go");
    while go.read_dir().expect("there").next().is_some() {
        assert!(begun.elapsed() < STUCK, "files were not removed");
        std::thread::sleep(Duration::from_millis(50));
    }
}
