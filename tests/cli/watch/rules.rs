//! Rules: which can be, where they come from, who may make them, and what would become of files.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Desk, directory, picture, with_path};
use crate::program::{run_with_password, said};

impl Desk {
    /// A rule is refused in words.
    #[track_caller]
    fn refused(&self, rule: &Value, words: &str) {
        let (status, answer) = self.ask("POST", "/api/v1/watched-folders", rule);
        let message = answer["message"].as_str().unwrap_or_default().to_owned();
        assert!(
            status == 422 && message.contains(words),
            "{rule}: {status} {message}"
        );
    }
}

#[test]
fn a_rule_that_cannot_be_is_refused_in_words() {
    let desk = Desk::new(json!({}));
    let inside = desk.path("inside");
    std::fs::create_dir(&inside).expect("made");
    let data = desk.data.path();
    let free = directory();
    for (path, words) in [
        ("scans".into(), "path: Enter the full path"),
        (free.path().join("../x"), "path: Enter the full path"),
        (free.path().join("none"), "path: There is no folder"),
        (
            data.to_owned(),
            "path: The repository keeps its own files there",
        ),
        (
            data.join("files"),
            "path: The repository keeps its own files there",
        ),
        (
            data.parent().expect("a parent").to_owned(),
            "path: The repository keeps",
        ),
        (desk.folder.path().to_owned(), "is watched already"),
        (inside, "is watched already"),
    ] {
        desk.refused(&json!({"path": path}), words);
    }
}

#[test]
fn every_line_of_a_rule_is_looked_at() {
    let desk = Desk::without_rule();
    let free = directory();
    for (line, words) in [
        (
            json!({"collection": 99}),
            "collection: There is no item 99.",
        ),
        (
            json!({"owner": "nobody"}),
            "owner: There is no account nobody.",
        ),
        (
            json!({"media_use": "Nothing"}),
            "media_use: There is no term \"Nothing\"",
        ),
        (
            json!({"media_type": "remote_video"}),
            "media_type: There is no media type",
        ),
        (
            json!({"scheme": "ftp"}),
            "scheme: No files are kept under ftp://",
        ),
        (
            json!({"template": {"field_x": "y"}}),
            "template: There is no field field_x.",
        ),
        (
            json!({"name_pattern": "(?<field_x>.)"}),
            "name_pattern: There is no field field_x.",
        ),
        (
            json!({"name_pattern": "("}),
            "name_pattern: The pattern cannot be read",
        ),
        (
            json!({"settle_seconds": 0}),
            "settle_seconds: This must be a number",
        ),
        (json!({"afterwards": "burn"}), "burn"),
        (json!({"colection": 1}), "colection"),
    ] {
        desk.refused(&with_path(free.path(), line), words);
    }
}

#[test]
fn a_folder_can_be_named_in_the_configuration() {
    let desk = Desk::without_rule();
    let config = desk.data.path().join("config.toml");
    let before = std::fs::read_to_string(&config).expect("there");
    let table = format!(
        "\n[[watch]]\npath = {:?}\nsettle_seconds = 0.3\n",
        desk.folder.path()
    );
    std::fs::write(&config, before.clone() + &table).expect("written");
    let desk = Desk {
        id: 1,
        ..desk.restarted()
    };
    desk.put("a.txt", "a");
    desk.done("a.txt");
    let folder = desk.get("/api/v1/watched-folders/1");
    assert_eq!(folder["configured"], true);
    let (status, answer) = desk.ask(
        "PATCH",
        "/api/v1/watched-folders/1",
        &json!({"published": false}),
    );
    assert_eq!(status, 409, "{answer}");
    std::fs::write(&config, before).expect("written");
    let desk = desk.restarted();
    assert_eq!(desk.get("/api/v1/watched-folders")["folders"], json!([]));
}

#[test]
fn everything_is_done_in_the_name_of_the_owner_who_must_be_allowed_to() {
    let desk = Desk::without_rule();
    let data = desk.data.path().to_owned();
    for (name, role) in [("ann", "editor"), ("tom", "")] {
        let mut arguments = vec!["user", "add", name];
        if !role.is_empty() {
            arguments.extend(["--role", role]);
        }
        said(run_with_password(&data, &arguments, "a long password"));
    }
    let tom = with_path(desk.folder.path(), json!({"owner": "tom"}));
    let (status, answer) = desk.ask("POST", "/api/v1/watched-folders", &tom);
    assert!(
        status == 422
            && answer["message"]
                .to_string()
                .contains("tom may not make items"),
        "{answer}"
    );
    let desk = Desk {
        id: desk.watch(desk.folder.path(), json!({"owner": "ann"})),
        ..desk
    };
    desk.put("a.txt", "of Ann");
    let row = desk.done("a.txt");
    assert_eq!(desk.item(&row)["uid"], desk.media(&row)["uid"]);
    assert_ne!(desk.item(&row)["uid"][0]["target_id"], 1);
    said(crate::program::run(&data, &["user", "disable", "ann"]));
    let problem = problem(&desk);
    assert!(
        problem.contains("The account ann has been disabled"),
        "{problem}"
    );
    desk.put("b.txt", "while she is away");
    said(crate::program::run(&data, &["user", "enable", "ann"]));
    desk.done("b.txt");
}

/// Waits until the folder says what hinders it.
fn problem(desk: &Desk) -> String {
    let begun = Instant::now();
    loop {
        let folder = desk.get(&format!("/api/v1/watched-folders/{}", desk.id));
        if let Some(words) = folder["problem"].as_str() {
            return words.to_owned();
        }
        assert!(begun.elapsed() < super::STUCK, "{folder:#}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_dry_run_says_what_would_become_of_what_is_there() {
    let desk = Desk::without_rule();
    desk.put("Map_1.png", picture(1));
    desk.put("book/p1.tif", "page");
    desk.put("setup.exe", "x");
    desk.put("a.part", "x");
    desk.put(
        "Map_1.json",
        r#"{"title": "A map", "field_subject": "To be made"}"#,
    );
    let rule = with_path(
        desk.folder.path(),
        json!({"subfolders": "paged", "create_terms": true}),
    );
    let (status, run) = desk.ask("POST", "/api/v1/watched-folders/dry-run", &rule);
    assert_eq!(
        (status, &run["count"], &run["passed_over"]),
        (200, &json!(3), &json!(2)),
        "{run}"
    );
    let file = |name: &str| {
        let mut files = run["files"].as_array().expect("a list").iter();
        files
            .find(|file| file["path"] == name)
            .expect("foreseen")
            .clone()
    };
    let map = file("Map_1.png");
    assert_eq!(
        (
            &map["title"],
            &map["media_type"],
            &map["model"],
            &map["mime"]
        ),
        (
            &json!("A map"),
            &json!("image"),
            &json!("Image"),
            &json!("image/png")
        )
    );
    let page = file("book/p1.tif");
    assert_eq!(
        (&page["inside"], &page["model"]),
        (&json!("book"), &json!("Page"))
    );
    let any = file("setup.exe");
    assert_eq!(
        (&any["media_type"], &any["model"]),
        (&json!("file"), &json!("Binary"))
    );
    assert_eq!((desk.items(), desk.path("Map_1.png").exists()), (0, true));
    assert_eq!(desk.get("/api/v1/watched-folders")["folders"], json!([]));
    let terms = desk.get("/api/v1/terms?vocabulary=subject&q=To%20be%20made");
    assert_eq!(terms["terms"], json!([]));
}

#[test]
fn an_answer_waits_until_something_happens() {
    let desk = Desk::new(json!({}));
    std::thread::sleep(Duration::from_millis(500));
    let now = desk.get("/api/v1/watched-folders");
    desk.put("a.txt", "news");
    let then = desk.get(&format!("/api/v1/watched-folders?since={}", now["version"]));
    assert_ne!(then["version"], now["version"]);
    desk.done("a.txt");
    let mut told = desk.get("/api/v1/watched-folders");
    // The rate follows the row of the file.
    while told["folders"][0]["files_per_second"].is_null() {
        told = desk.get(&format!(
            "/api/v1/watched-folders?since={}",
            told["version"]
        ));
    }
    let folder = &told["folders"][0];
    assert_eq!(folder["counts"]["done"], 1);
    assert!(
        folder["files_per_second"]
            .as_f64()
            .is_some_and(|rate| rate > 0.0),
        "{folder:#}"
    );
}
