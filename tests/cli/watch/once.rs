//! A file is taken once, whatever is done to it; one that changes becomes a new version.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::{Desk, targets};

fn versions(desk: &Desk, row: &Value) -> usize {
    let fid = targets(&desk.media(row), "field_media_document")[0];
    let versions = desk.get(&format!("/api/v1/files/{fid}/versions"));
    versions["versions"].as_array().expect("a list").len()
}

/// Waits until the ledger knows of what was done to a file, and is at rest.
fn at_rest(desk: &Desk, name: &str) -> Value {
    std::thread::sleep(Duration::from_millis(800));
    desk.done(name)
}

#[test]
fn a_file_that_is_touched_or_renamed_or_away_for_a_while_is_still_the_same() {
    let desk = Desk::new(json!({}));
    desk.put("a.txt", "the same bytes");
    let first = desk.done("a.txt");
    let file = std::fs::File::options()
        .write(true)
        .open(desk.path("a.txt"))
        .expect("there");
    file.set_modified(SystemTime::now() - Duration::from_secs(3600))
        .expect("touched");
    drop(file);
    let touched = at_rest(&desk, "a.txt");
    assert_eq!(
        (&touched["item"], &touched["mid"]),
        (&first["item"], &first["mid"])
    );
    std::fs::rename(desk.path("a.txt"), desk.path("b.txt")).expect("renamed");
    let renamed = at_rest(&desk, "b.txt");
    assert_eq!(renamed["item"], first["item"]);
    let aside = desk.folder.path().with_extension("aside");
    std::fs::rename(desk.folder.path(), &aside).expect("taken away");
    let folder = format!("/api/v1/watched-folders/{}", desk.id);
    let begun = std::time::Instant::now();
    while desk.get(&folder)["problem"].is_null() {
        assert!(begun.elapsed() < super::STUCK, "nobody noticed");
        std::thread::sleep(Duration::from_millis(200));
    }
    std::fs::rename(&aside, desk.folder.path()).expect("back");
    desk.put("c.txt", "another");
    desk.done("c.txt");
    let desk = desk.restarted();
    desk.put("d.txt", "one more");
    desk.done("d.txt");
    assert_eq!(versions(&desk, &desk.file("b.txt")), 1);
    assert_eq!((desk.items(), desk.files().len()), (3, 3));
}

#[test]
fn a_file_that_changes_becomes_a_new_version() {
    let desk = Desk::new(json!({}));
    desk.put("a.txt", "first");
    let first = desk.done("a.txt");
    desk.put("a.txt", "second, and longer");
    let second = desk.wait("a.txt", |file| {
        file["state"] == "done" && file["sha512"] != first["sha512"]
    });
    assert_eq!(
        (&second["item"], &second["mid"]),
        (&first["item"], &first["mid"])
    );
    assert_eq!(versions(&desk, &second), 2);
    assert_eq!(desk.items(), 1);
}

#[test]
fn a_folder_that_is_watched_again_is_not_taken_again() {
    let desk = Desk::new(json!({}));
    desk.put("a.txt", "once");
    desk.done("a.txt");
    let path = format!("/api/v1/watched-folders/{}", desk.id);
    assert_eq!(desk.ask("DELETE", &path, &json!({})).0, 204);
    assert_eq!(desk.client.get(&path).0, 404);
    desk.put("b.txt", "while nobody watched");
    let again = desk.watch(desk.folder.path(), json!({}));
    assert_eq!(again, desk.id);
    desk.done("b.txt");
    assert_eq!(desk.items(), 2);
}

#[test]
fn what_is_paused_waits_and_the_rest_goes_on() {
    let desk = Desk::new(json!({}));
    let path = format!("/api/v1/watched-folders/{}", desk.id);
    let (status, folder) = desk.ask("POST", &format!("{path}/pause"), &json!({}));
    assert_eq!((status, &folder["paused"]), (200, &json!(true)));
    desk.put("a.txt", "later");
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(desk.items(), 0);
    assert_eq!(
        desk.ask("POST", &format!("{path}/resume"), &json!({})).0,
        200
    );
    desk.done("a.txt");
}

#[test]
fn a_folder_that_was_removed_comes_back_as_it_was() {
    let desk = Desk::new(json!({ "published": false }));
    desk.put("a.txt", "once");
    desk.done("a.txt");
    let path = format!("/api/v1/watched-folders/{}", desk.id);
    let restore = |path: &str| desk.ask("POST", &format!("{path}/restore"), &json!({}));
    assert_eq!(restore(&path).0, 409);
    desk.ask("POST", &format!("{path}/pause"), &json!({}));
    assert_eq!(desk.ask("DELETE", &path, &json!({})).0, 204);
    let (status, folder) = restore(&path);
    assert_eq!(
        (
            status,
            &folder["paused"],
            &folder["rule"]["published"],
            &folder["counts"]["done"]
        ),
        (200, &json!(true), &json!(false), &json!(1))
    );
    assert_eq!(restore("/api/v1/watched-folders/999999").0, 404);
}
