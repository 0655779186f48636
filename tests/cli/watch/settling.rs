//! When a file is taken.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use serde_json::json;

use super::Desk;

/// Longer than the files of these tests need to settle.
const LONG: Duration = Duration::from_millis(1500);

/// A file that was seen is not taken for a while.
#[track_caller]
fn stays_seen(desk: &Desk, name: &str) {
    desk.wait(name, |_| true);
    std::thread::sleep(LONG);
    assert_eq!(desk.file(name)["state"], "seen");
}

#[test]
fn a_file_is_taken_when_its_writer_has_closed_it() {
    let desk = Desk::new(json!({}));
    let mut file = File::create(desk.path("slow.txt")).expect("made");
    file.write_all(b"one half, ").expect("written");
    stays_seen(&desk, "slow.txt");
    file.write_all(b"the other").expect("written");
    drop(file);
    let row = desk.done("slow.txt");
    assert_eq!(row["size"], "one half, the other".len());
    let file = targets_file(&desk, &row);
    assert_eq!(
        desk.get(&format!("/api/v1/files/{file}/versions"))["versions"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}

fn targets_file(desk: &Desk, row: &serde_json::Value) -> i64 {
    super::targets(&desk.media(row), "field_media_document")[0]
}

#[test]
fn what_is_locked_is_left_alone() {
    let desk = Desk::new(json!({}));
    let held = desk.folder.path().with_extension("held");
    std::fs::write(&held, "locked").expect("written");
    let file = File::open(&held).expect("open");
    file.lock().expect("locked");
    std::fs::rename(&held, desk.path("held.txt")).expect("moved");
    stays_seen(&desk, "held.txt");
    drop(file);
    desk.done("held.txt");
}

#[test]
fn what_is_not_whole_or_not_in_the_folder_is_not_seen() {
    let desk = Desk::new(json!({"subfolders": "flat"}));
    let elsewhere = super::directory();
    std::fs::write(elsewhere.path().join("secret.txt"), "secret").expect("written");
    for (target, link) in [("", "out"), ("secret.txt", "link.txt")] {
        let target = elsewhere.path().join(target);
        std::os::unix::fs::symlink(target, desk.path(link)).expect("linked");
    }
    for name in [
        "a.txt.part",
        "b.crdownload",
        "~$c.docx",
        ".d.txt",
        "e.tmp",
        ".hidden/f.txt",
    ] {
        desk.put(name, "not this");
    }
    desk.put("whole.txt", "this");
    desk.put("empty.txt", "");
    desk.done("whole.txt");
    let empty = desk.wait("empty.txt", |file| file["state"] == "skipped");
    assert_eq!(empty["reason"], "The file is empty.");
    assert_eq!(desk.files().len(), 2, "{:?}", desk.files());
    std::fs::rename(desk.path("a.txt.part"), desk.path("a.txt")).expect("renamed");
    desk.done("a.txt");
}

#[test]
fn a_file_waits_for_its_description_but_not_for_ever() {
    let desk = Desk::new(json!({"sidecar": "json", "sidecar_wait_seconds": 600}));
    desk.put("a.txt", "described late");
    stays_seen(&desk, "a.txt");
    desk.put("a.json", r#"{"title": "At last"}"#);
    assert_eq!(
        desk.item(&desk.done("a.txt"))["title"][0]["value"],
        "At last"
    );
    let path = format!("/api/v1/watched-folders/{}", desk.id);
    let (status, _) = desk.ask("PATCH", &path, &json!({"sidecar_wait_seconds": 1}));
    assert_eq!(status, 200);
    desk.put("b.txt", "never described");
    assert_eq!(desk.item(&desk.done("b.txt"))["title"][0]["value"], "b");
}

#[test]
fn where_the_system_says_nothing_is_looked_now_and_then() {
    let desk = Desk::new(json!({"poll": "always", "poll_seconds": 0.5, "subfolders": "flat"}));
    desk.put("a.txt", "a");
    desk.put("deep/down/b.txt", "b");
    desk.done("a.txt");
    desk.done("deep/down/b.txt");
    desk.put("deep/c.txt", "c");
    desk.done("deep/c.txt");
    let folder = desk.get(&format!("/api/v1/watched-folders/{}", desk.id));
    assert_eq!(folder["polled"], true);
}
