//! What happens to files that have been taken, or could not be.

use serde_json::json;

use super::Desk;

#[test]
fn files_move_to_done_with_their_descriptions() {
    let desk = Desk::new(json!({"afterwards": "move", "subfolders": "flat"}));
    desk.put("box/a.json", r#"{"title": "A"}"#);
    desk.put("box/a.txt", "a");
    let row = desk.wait("box/a.txt", |file| file["moved_to"] == "done/box/a.txt");
    assert_eq!(row["state"], "done");
    assert_eq!(
        std::fs::read(desk.path("done/box/a.txt")).expect("there"),
        b"a"
    );
    assert!(desk.path("done/box/a.json").exists() && !desk.path("box/a.txt").exists());
    desk.put("box/a.txt", "another file of that name");
    desk.wait_for(|files| {
        let moved = files.iter().filter(|file| !file["moved_to"].is_null());
        (moved.count() == 2).then_some(())
    });
    assert_eq!(desk.items(), 2);
    assert_eq!(
        std::fs::read(desk.path("done/box/a.txt")).expect("there"),
        b"a",
        "nothing is written over"
    );
}

#[test]
fn files_are_removed_when_the_stored_bytes_are_as_they_should_be() {
    let desk = Desk::new(json!({"afterwards": "delete"}));
    desk.put("a.txt", "kept");
    let begun = std::time::Instant::now();
    while desk.path("a.txt").exists() {
        assert!(begun.elapsed() < super::STUCK, "{:?}", desk.files());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let media = desk.media(&desk.done("a.txt"));
    let url = media["field_media_document"][0]["url"]
        .as_str()
        .expect("an address");
    let path = &url[url.find("/_flysystem").expect("a path")..];
    assert_eq!(desk.client.get(path), (200, "kept".to_owned()));
}

#[test]
fn failures_are_put_aside_with_a_reason_and_can_be_retried() {
    let desk = Desk::new(json!({"media_type": "document"}));
    desk.put("a.json", r#"{"field_subject": "Unheard of"}"#);
    desk.put("a.txt", "mended later");
    desk.put("setup.exe", "no such thing");
    let row = desk.failed("a.txt");
    assert_eq!(row["moved_to"], "failed/a.txt");
    let words = std::fs::read_to_string(desk.path("failed/a.txt.txt")).expect("an explanation");
    assert!(words.contains("There is no term \"Unheard of\""), "{words}");
    assert!(!desk.path("a.txt").exists());
    desk.failed("setup.exe");
    assert_eq!(desk.items(), 0, "no item without a file");
    let path = format!("/api/v1/watched-folders/{}", desk.id);
    let failed = desk.get(&format!("{path}/files?state=failed&limit=1"));
    let next = failed["next"].as_str().expect("another page");
    let second = desk.get(&format!("{path}/files?state=failed&limit=1&after={next}"));
    assert_ne!(failed["files"][0]["id"], second["files"][0]["id"]);

    desk.put("a.json", r#"{"title": "Mended"}"#);
    let retry = format!("{path}/files/{}/retry", row["id"]);
    assert_eq!(desk.ask("POST", &retry, &json!({})).0, 204);
    assert_eq!(
        desk.item(&desk.done("a.txt"))["title"][0]["value"],
        "Mended"
    );
    assert!(!desk.path("failed/a.txt.txt").exists());
    assert_eq!(
        desk.ask("POST", &retry, &json!({})).0,
        409,
        "it has not failed any more"
    );
    assert_eq!(
        desk.ask("POST", &format!("{path}/retry"), &json!({})),
        (200, json!({"count": 1}))
    );
    desk.failed("setup.exe");
    std::fs::rename(desk.path("failed/setup.exe"), desk.path("setup.txt"))
        .expect("put back by hand");
    desk.done("setup.txt");
}
