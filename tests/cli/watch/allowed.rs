//! Which folders of this machine HTTP may name: those below what the machine's owner has allowed, and no other.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Desk, STUCK, directory, with_path};
use crate::program::{complained, run, said};

const FOLDERS: &str = "/api/v1/watched-folders";
const REFUSED: &str = "name it in config.toml under [folders] allowed.";

impl Desk {
    /// On a new repository that allows no folder but its own.
    fn that_allows_nothing() -> Desk {
        Desk::with_configuration(None)
    }

    /// Watches a folder from the command line; its number.
    fn command(&self, folder: &Path) -> i64 {
        let folder = folder.to_str().expect("UTF-8");
        let settle = ["watch", "add", folder, "--set", "settle_seconds=0.3"];
        let words = said(run(self.data.path(), &settle));
        let number = words.trim_end().trim_end_matches('.').rsplit(' ').next();
        number.and_then(|id| id.parse().ok()).expect("a number")
    }

    /// A request about a rule is refused because of its folder.
    #[track_caller]
    fn forbidden(&self, method: &str, path: &str, body: &Value) -> String {
        let (status, answer) = self.ask(method, path, body);
        let message = answer["message"].as_str().unwrap_or_default().to_owned();
        assert!(
            status == 422 && message.contains("path: ") && message.contains(REFUSED),
            "{method} {path} {body}: {status} {message}"
        );
        message
    }

    /// Waits until a folder says that it is not allowed.
    #[track_caller]
    fn stopped(&self) {
        let (path, begun) = (format!("{FOLDERS}/{}", self.id), Instant::now());
        loop {
            let folder = self.get(&path);
            if folder["problem"]
                .as_str()
                .is_some_and(|words| words.contains(REFUSED))
            {
                return;
            }
            assert!(begun.elapsed() < STUCK, "{folder:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn rule(&self) -> String {
        format!("{FOLDERS}/{}", self.id)
    }
}

#[test]
fn a_folder_that_nobody_has_allowed_is_neither_watched_nor_looked_into() {
    let desk = Desk::that_allows_nothing();
    desk.put("diary.txt", "not yours");
    let missing = desk.path("missing");
    for folder in [
        desk.folder.path(),
        Path::new("/etc"),
        Path::new("/"),
        &missing,
    ] {
        for path in [FOLDERS, "/api/v1/watched-folders/dry-run"] {
            let message = desk.forbidden("POST", path, &json!({"path": folder}));
            assert!(!message.contains("There is no"), "{message}");
        }
    }
    assert_eq!(desk.get(FOLDERS)["folders"], json!([]));
    assert!(desk.path("diary.txt").exists());
}

#[test]
fn the_folder_for_what_comes_in_is_allowed_and_the_rest_of_the_repository_is_not() {
    let mut desk = Desk::that_allows_nothing();
    let incoming = desk
        .data
        .path()
        .canonicalize()
        .expect("there")
        .join("incoming");
    assert_eq!(desk.get(FOLDERS)["allowed"], json!([incoming]));
    assert!(!incoming.exists());
    symlink(
        desk.data.path().join("keys"),
        desk.data.path().join("incoming-keys"),
    )
    .expect("a link");
    for other in ["keys", "incoming/../keys", "incoming-keys", "backups", "."] {
        let rule = json!({"path": desk.data.path().join(other)});
        let (status, answer) = desk.ask("POST", FOLDERS, &rule);
        assert_eq!(status, 422, "{other}: {answer}");
    }
    desk.id = desk.watch(&incoming, json!({}));
    std::fs::write(incoming.join("a.txt"), "a").expect("it is there");
    desk.done("a.txt");
    assert_eq!(desk.ask("DELETE", &desk.rule(), &json!({})).0, 204);
    symlink(desk.data.path().join("keys"), incoming.join("link")).expect("a link");
    desk.forbidden("POST", FOLDERS, &json!({"path": incoming.join("link")}));
}

#[test]
fn what_the_command_line_names_may_be_named_over_http_from_then_on() {
    let mut desk = Desk::that_allows_nothing();
    let (root, other) = (desk.folder.path().to_owned(), directory());
    let twice = [
        "watch",
        "add",
        other.path().to_str().expect("UTF-8"),
        "--collection",
        "99",
    ];
    assert!(complained(&run(desk.data.path(), &twice), 1).contains("There is no item 99"));
    desk.forbidden("POST", FOLDERS, &json!({"path": other.path()}));
    desk.id = desk.command(&root);
    let config = desk.data.path().join("config.toml");
    let text = std::fs::read_to_string(&config).expect("there");
    let line = format!("allowed = [{:?}]", root.display().to_string());
    assert!(
        text.contains(&line) && text.contains("# Name of the repository"),
        "{text}"
    );
    let mut desk = desk.restarted();
    for change in [json!({"published": false}), json!({"published": true})] {
        assert_eq!(desk.ask("PATCH", &desk.rule(), &change).0, 200);
    }
    assert_eq!(desk.ask("DELETE", &desk.rule(), &json!({})).0, 204);
    assert_eq!(
        desk.ask("POST", &format!("{}/restore", desk.rule()), &json!({}))
            .0,
        200
    );
    assert_eq!(desk.ask("DELETE", &desk.rule(), &json!({})).0, 204);
    let inner = desk.path("inner");
    std::fs::create_dir(&inner).expect("made");
    desk.id = desk.watch(&inner, json!({}));
    desk.put("inner/a.txt", "a");
    desk.done("a.txt");
}

#[test]
fn what_is_allowed_no_more_is_neither_followed_nor_changed_nor_restored() {
    let mut desk = Desk::that_allows_nothing();
    desk.id = desk.command(desk.folder.path());
    desk.put("a.json", r#"{"field_subject": "Unheard of"}"#);
    desk.put("a.txt", "described by what there is not");
    let failed = desk.failed("a.txt");
    let config = desk.data.path().join("config.toml");
    let text = std::fs::read_to_string(&config).expect("there");
    let lines = text
        .lines()
        .map(|line| match line.starts_with("allowed = [") {
            true => "allowed = []\n".to_owned(),
            false => format!("{line}\n"),
        });
    std::fs::write(&config, lines.collect::<String>()).expect("written");
    let desk = desk.restarted();
    desk.stopped();
    desk.forbidden("PATCH", &desk.rule(), &json!({"published": false}));
    let retry = format!("{}/files/{}/retry", desk.rule(), failed["id"]);
    let (status, answer) = desk.ask("POST", &retry, &json!({}));
    assert_eq!(status, 409, "{answer}");
    let all = desk.ask("POST", &format!("{}/retry", desk.rule()), &json!({}));
    assert_eq!(all, (200, json!({"count": 0})));
    assert!(desk.path("failed/a.txt").exists());
    assert_eq!(desk.ask("DELETE", &desk.rule(), &json!({})).0, 204);
    desk.forbidden("POST", &format!("{}/restore", desk.rule()), &json!({}));
}

#[test]
fn a_folder_that_is_replaced_by_a_link_is_not_followed_there() {
    let mut desk = Desk::that_allows_nothing();
    let (scans, outside) = (desk.path("scans"), directory());
    std::fs::create_dir(&scans).expect("made");
    std::fs::write(outside.path().join("secret.txt"), "not yours").expect("written");
    desk.id = desk.command(&scans);
    desk.put("scans/a.txt", "a");
    desk.done("a.txt");
    std::fs::rename(&scans, desk.path("moved")).expect("moved");
    symlink(outside.path(), &scans).expect("a link");
    desk.stopped();
    for _ in 0..2 {
        assert_eq!(
            desk.ask("POST", &format!("{}/pause", desk.rule()), &json!({}))
                .0,
            200
        );
        assert_eq!(
            desk.ask("POST", &format!("{}/resume", desk.rule()), &json!({}))
                .0,
            200
        );
        desk.stopped();
        desk.forbidden(
            "POST",
            "/api/v1/watched-folders/dry-run",
            &json!({"path": scans}),
        );
        // The link stands where a folder was allowed: a start finds no folder there, either.
        desk = desk.restarted();
    }
    desk.stopped();
    assert_eq!((desk.items(), desk.files().len()), (1, 1));
}

#[test]
fn rules_of_an_older_program_go_on() {
    let mut desk = Desk::that_allows_nothing();
    desk.id = desk.command(desk.folder.path());
    let config = desk.data.path().join("config.toml");
    let text = std::fs::read_to_string(&config).expect("there");
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("[folders]") && !line.starts_with("allowed = ["));
    std::fs::write(&config, lines.collect::<Vec<_>>().join("\n")).expect("written");
    let other = directory();
    for _ in 0..2 {
        desk = desk.restarted();
        desk.forbidden("POST", FOLDERS, &with_path(other.path(), json!({})));
        let (status, answer) = desk.ask("PATCH", &desk.rule(), &json!({"published": false}));
        assert_eq!(status, 200, "{answer}");
    }
    desk.put("a.txt", "a");
    desk.done("a.txt");
}

#[test]
fn what_holds_backups_is_not_watched() {
    let desk = Desk::that_allows_nothing();
    let backups = desk.path("backups");
    said(run(
        desk.data.path(),
        &["backup", backups.to_str().expect("UTF-8")],
    ));
    for folder in [
        backups.join("objects"),
        backups,
        desk.folder.path().to_owned(),
    ] {
        let add = run(
            desk.data.path(),
            &["watch", "add", folder.to_str().expect("UTF-8")],
        );
        assert!(complained(&add, 1).contains("Backups lie there"));
    }
}
