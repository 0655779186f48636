//! `isolario backup` and `isolario restore`.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::client::Client;
use crate::holdings::{assert_same, everything, fill, make_node, upload};
use crate::program::{complained, isolario, run, said};
use crate::resumable_upload::{append, begin};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn backup(data: &Path, target: &Path) -> String {
    said(run(data, &["backup", text(target)]))
}

fn restore(source: &Path, data: &Path) -> String {
    said(run(data, &["restore", text(source)]))
}

/// How many files a backup says were new.
fn new_files(words: &str) -> u64 {
    let (before, _) = words.split_once(" of them were new").expect("a count");
    let number = before.rsplit(' ').next().expect("a word");
    number.parse().expect("a number")
}

#[test]
fn what_is_restored_answers_as_before() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target, restored] =
        ["data", "backup", "restored"].map(|name| place.path().join(name));
    let client = Client::start(&data);
    fill(&client, &data);
    crate::recorded::until_recorded(&data);
    let first = backup(&data, &target);
    assert!(new_files(&first) > 10, "{first}");
    let before = everything(&client);
    let again = backup(&data, &target);
    assert_eq!(new_files(&again), 0, "{again}");
    make_node(&client, "After the backup", "Digital Document", None);
    restore(&target, &restored);
    let client = client.elsewhere(&restored);
    assert_same(&before, &everything(&client));
    let mode = |name: &str| {
        let metadata = std::fs::metadata(restored.join(name)).expect("restored");
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777
    };
    assert_eq!((mode("keys"), mode("keys/token.pem")), (0o700, 0o600));
}

#[test]
fn a_second_backup_copies_only_what_is_new() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target, restored] =
        ["data", "backup", "restored"].map(|name| place.path().join(name));
    let client = Client::start(&data);
    let node = make_node(&client, "Large", "Digital Document", None);
    upload(&client, node, "public://large.txt", &"x".repeat(3_000_000));
    crate::recorded::until_recorded(&data);
    let client = client.stop();
    backup(&data, &target);
    assert_eq!(new_files(&backup(&data, &target)), 0);
    let client = client.start_again(&data);
    let node = make_node(&client, "Small", "Digital Document", None);
    upload(&client, node, "fedora://small.txt", "small");
    let before = everything(&client);
    crate::recorded::until_recorded(&data);
    let words = backup(&data, &target);
    // The bytes and the object around them, and the records of what was made.
    assert!((6..30).contains(&new_files(&words)), "{words}");
    restore(&target, &restored);
    assert_same(&before, &everything(&client.elsewhere(&restored)));
}

#[test]
fn an_upload_in_parts_is_in_no_backup() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target, restored] =
        ["data", "backup", "restored"].map(|name| place.path().join(name));
    let client = Client::start(&data);
    let (path, finished) = (begin(&client, "waits"), begin(&client, "finished"));
    assert_eq!(append(&client, &finished, 6, "?1", "world").0, 201);
    backup(&data, &target);
    restore(&target, &restored);
    // Before its first start and after, nothing of it is missing there, and nothing is left.
    assert!(said(run(&restored, &["check"])).contains("Everything is as it should be."));
    let there = client.elsewhere(&restored);
    let (status, answer) = there.ask("HEAD", &path, "", "");
    assert_eq!(status, 404, "{answer}");
    assert_eq!(append(&there, &path, 6, "?1", "world").0, 404);
    assert_eq!(append(&there, &finished, 11, "?1", "").0, 201);
    let stored = there.get("/sites/default/files/finished.txt");
    assert_eq!(stored, (200, "hello world".to_owned()));
    assert!(said(run(&restored, &["check"])).contains("Everything is as it should be."));
    // It goes on where it was begun.
    assert_eq!(append(&client, &path, 6, "?1", "world").0, 201);
}

/// Others work until this goes, also when it goes because something is wrong.
struct Load<'l>(&'l AtomicBool);

impl Drop for Load<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[test]
fn a_backup_under_load_is_of_one_moment() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target] = ["data", "backup"].map(|name| place.path().join(name));
    let client = Client::start(&data);
    fill(&client, &data);
    let go_on = AtomicBool::new(true);
    std::thread::scope(|scope| {
        let load = Load(&go_on);
        for writer in 0..3 {
            let (client, go_on) = (&client, &go_on);
            scope.spawn(move || {
                for number in 0.. {
                    let node = make_node(
                        client,
                        &format!("{writer}-{number}"),
                        "Digital Document",
                        None,
                    );
                    let scheme = ["public", "fedora"][number % 2];
                    let uri = format!("{scheme}://{writer}/{number}.txt");
                    upload(client, node, &uri, &format!("{writer} {number} first"));
                    upload(client, node, &uri, &format!("{writer} {number} second"));
                    if !go_on.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        for round in 0..3 {
            backup(&data, &target);
            let restored = place.path().join(format!("restored {round}"));
            restore(&target, &restored);
        }
        drop(load);
    });
    for round in 0..3 {
        let restored = client.elsewhere(&place.path().join(format!("restored {round}")));
        let answers = everything(&restored);
        let files = answers
            .iter()
            .filter(|(path, _)| path.starts_with("/sites/") || path.starts_with("/_flysystem/"));
        let mut seen = 0;
        for (path, (status, body)) in files {
            assert_eq!(*status, 200, "{path} in round {round}");
            assert!(!body.is_empty(), "{path}");
            seen += 1;
        }
        assert!(seen >= 4, "round {round}");
    }
}

#[test]
fn a_killed_backup_leaves_the_former_one() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target] = ["data", "backup"].map(|name| place.path().join(name));
    let mut client = Client::start(&data);
    fill(&client, &data);
    backup(&data, &target);
    for round in 0..5_u32 {
        let former = everything(&client);
        let node = make_node(&client, "Grows", "Digital Document", None);
        upload(&client, node, "public://grows.txt", &"y".repeat(2_000_000));
        let current = everything(&client);
        let stopped = client.stop();
        let mut killed = isolario(&data, &["backup", text(&target)])
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(u64::from(round) * 120));
        let _ = killed.kill();
        let _ = killed.wait();
        let restored = place.path().join(format!("restored {round}"));
        restore(&target, &restored);
        let there = stopped.start_again(&restored);
        let found = everything(&there);
        assert!(
            found == former || found == current,
            "round {round}: neither the former nor the new"
        );
        client = there.stop().start_again(&data);
        backup(&data, &target);
    }
}

#[test]
fn a_folder_must_be_a_place_for_a_backup() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    said(run(&data, &["user", "list"]));
    let refused = |target: &Path| complained(&run(&data, &["backup", text(target)]), 1);
    assert!(refused(&data.join("backup")).contains("in the data directory"));
    assert!(refused(place.path()).contains("holds the data directory"));
    let letters = place.path().join("letters");
    std::fs::create_dir(&letters).expect("made");
    std::fs::write(letters.join("a.txt"), "Dear").expect("written");
    assert!(refused(&letters).contains("holds other things"));
    assert_eq!(letters.read_dir().expect("there").count(), 1);
    assert!(!data.join("backup").exists());
    let nothing = run(&place.path().join("new"), &["restore", text(&letters)]);
    assert!(complained(&nothing, 1).contains("no finished backup"));
    let missing = run(&place.path().join("new"), &["backup", text(&letters)]);
    assert!(complained(&missing, 1).contains("no repository"));
    assert!(!place.path().join("new").exists());
}

#[test]
fn a_damaged_backup_says_what_is_damaged() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target, restored] =
        ["data", "backup", "restored"].map(|name| place.path().join(name));
    let client = Client::start(&data);
    fill(&client, &data);
    backup(&data, &target);
    let head = std::fs::read_to_string(target.join("isolario-backup.json")).expect("a head");
    let head: Value = serde_json::from_str(&head).expect("JSON");
    let manifest = target.join(head["manifest"].as_str().expect("a path"));
    let manifest = std::fs::read_to_string(manifest).expect("a manifest");
    let sheet = manifest
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let sheet = sheet
        .into_iter()
        .find(|entry| entry["name"] == "files/public/sheets/1.txt");
    let sha512 = sheet.expect("the sheet")["sha512"]
        .as_str()
        .expect("text")
        .to_owned();
    std::fs::write(
        target.join("objects").join(&sha512[..2]).join(&sha512),
        "sheet X",
    )
    .expect("damaged");
    let words = complained(&run(&restored, &["restore", text(&target)]), 1);
    assert!(
        words.contains("files/public/sheets/1.txt") && words.contains("changed"),
        "{words}"
    );
    assert!(!restored.join("files/public/sheets/1.txt").exists());
    let (status, body) = client
        .elsewhere(&restored)
        .get("/sites/default/files/sheets/2.txt");
    assert_eq!((status, body.as_str()), (200, "sheet 2"));
    let full = complained(&run(&data, &["restore", text(&target)]), 1);
    assert!(full.contains("not empty"), "{full}");
}

#[test]
fn a_copied_data_directory_is_the_repository() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, moved] =
        ["data", "elsewhere/under another name"].map(|name| place.path().join(name));
    let client = Client::start(&data);
    fill(&client, &data);
    let before = everything(&client);
    let stopped = client.stop();
    std::fs::create_dir_all(moved.parent().expect("above")).expect("made");
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .arg(&data)
        .arg(&moved)
        .status();
    assert!(copied.expect("cp is there").success());
    std::fs::remove_dir_all(&data).expect("removed");
    assert_same(&before, &everything(&stopped.start_again(&moved)));
}

#[test]
fn backups_are_made_by_themselves_and_their_age_is_told() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target] = ["data", "backup"].map(|name| place.path().join(name));
    std::fs::create_dir(&data).expect("made");
    let config = format!("[backup]\ndirectory = {target:?}\nevery_hours = 1\n");
    std::fs::write(data.join("config.toml"), config).expect("written");
    let client = Client::start(&data);
    let state = until(&client, |state| !state["last_made"].is_null());
    assert_eq!(state["schedule"]["every_hours"], 1);
    assert_eq!(
        state["last_made"]["directory"],
        target.to_str().expect("UTF-8")
    );
    assert_eq!(state["last_made"]["scheduled"], true);
    assert!(state["last_made"]["age_seconds"].as_i64().expect("an age") >= 0);
    assert!(state["last_error"].is_null(), "{state}");
    restore(&target, &place.path().join("restored"));

    let blocked = place.path().join("blocked");
    std::fs::write(&blocked, "a file").expect("written");
    complained(&run(&data, &["backup", text(&blocked)]), 1);
    let state = until(&client, |state| !state["last_error"].is_null());
    assert!(
        state["last_error"]
            .as_str()
            .expect("words")
            .contains("blocked"),
        "{state}"
    );
    assert_eq!(client.serving.get("/api/v1/backups", None).0, 401);
}

#[test]
fn a_backup_folder_that_has_gone_is_not_begun_anew() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, target] = ["data", "backup"].map(|name| place.path().join(name));
    std::fs::create_dir(&data).expect("made");
    let config = format!("[backup]\ndirectory = {target:?}\nevery_hours = 1\n");
    std::fs::write(data.join("config.toml"), config).expect("written");
    let client = Client::start(&data);
    until(&client, |state| !state["last_made"].is_null());
    let stopped = client.stop();
    std::fs::remove_dir_all(&target).expect("there");
    let database = rusqlite::Connection::open(data.join("isolario.db")).expect("there");
    let aged = database.execute(
        "UPDATE backup SET began = began - 7200, ended = ended - 7200",
        [],
    );
    assert_eq!(aged.expect("aged"), 1);
    drop(database);
    let client = stopped.start_again(&data);
    let state = until(&client, |state| !state["last_error"].is_null());
    let words = state["last_error"].as_str().expect("words");
    assert!(words.contains("Is its disk mounted?"), "{words}");
    assert!(!target.exists());
}

/// Asks for the state of backups until it is as it should be.
fn until(client: &Client, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let (status, body) = client.get("/api/v1/backups");
        assert_eq!(status, 200, "{body}");
        let state: Value = serde_json::from_str(&body).expect("JSON");
        if is_so(&state) {
            return state;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the state of backups does not change");
}
