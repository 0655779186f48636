//! Who may know whom.

use super::rust_source::{code, without_tests, words};
use super::{SourceFile, assert_none, program};

/// Crates that only one room says.
const CRATES: [(&str, &str); 3] = [("rusqlite", "db"), ("axum", "api"), ("tauri", "desktop")];

/// Who beside `blobs` opens files, and why those are no data files.
const OPENS_FILES: [(&str, &str); 14] = [
    ("blobs/", "the room of all file bytes"),
    ("cli/", "configuration, lock and control socket"),
    ("auth/bearer/signing_key.rs", "the key that signs"),
    ("auth/bearer/former_keys.rs", "keys that signed"),
    ("lan/certificate.rs", "the certificate of the local network"),
    ("durable.rs", "small files and names of all rooms"),
    ("api/request_log.rs", "the log"),
    ("backup/", "folders of backups, and copies for them"),
    ("records/", "records, which are metadata"),
    (
        "watch/folder/",
        "watched folders, which are not the repository's",
    ),
    (
        "desktop/opened/shelf.rs",
        "copies that other programs work on",
    ),
    ("db/copy.rs", "a copy of the database"),
    ("db/migrations.rs", "copies from before a migration"),
    ("db/mod.rs", "the directory of the database"),
];

/// The room of a source: its directory, or its own name.
fn room(file: &SourceFile) -> &str {
    let inside = file
        .path
        .strip_prefix("src-tauri/src/")
        .expect("a source of the program");
    inside
        .split('/')
        .next()
        .unwrap_or(inside)
        .trim_end_matches(".rs")
}

/// The words of the rooms that match, as findings.
fn said(rooms: impl Fn(&SourceFile) -> bool, word_is_banned: impl Fn(&str) -> bool) -> Vec<String> {
    let mut findings = Vec::new();
    for file in program().iter().filter(|file| rooms(file)) {
        for (line, word) in words(&code(&file.text)) {
            if word_is_banned(word) {
                findings.push(format!("{}:{line} says {word}", file.path));
            }
        }
    }
    findings
}

#[test]
fn a_crate_is_said_in_its_own_room_only() {
    for (name, owner) in CRATES {
        let findings = said(
            |file| room(file) != owner,
            |word| word == name || word.starts_with(&format!("{name}_")),
        );
        assert_none(&format!("only {owner} says {name}"), &findings);
    }
}

#[test]
fn sql_is_written_in_db_only() {
    let mut findings = Vec::new();
    for file in program().iter().filter(|file| room(file) != "db") {
        for (index, line) in without_tests(&file.text).lines().enumerate() {
            let sql = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "UPDATE "];
            let comment = line.trim_start().starts_with("//");
            if !comment && sql.iter().any(|verb| line.contains(&format!("\"{verb}"))) {
                findings.push(format!("{}:{}", file.path, index + 1));
            }
        }
    }
    assert_none("only db writes SQL", &findings);
}

#[test]
fn only_blobs_opens_data_files() {
    let mut findings = Vec::new();
    for file in program() {
        let inside = file
            .path
            .strip_prefix("src-tauri/src/")
            .expect("a source of the program");
        let allowed = OPENS_FILES.iter().any(|(path, _)| inside.starts_with(path));
        let source = code(&file.text);
        for (index, line) in without_tests(&source).lines().enumerate() {
            let opens = [
                "fs::read",
                "fs::write",
                "fs::copy",
                "fs::remove",
                "fs::rename",
                "File::",
                "OpenOptions",
            ];
            // GTK's own kind of file is but a name.
            let line = line.replace("gio::File::", "");
            if !allowed && opens.iter().any(|word| line.contains(word)) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none("only blobs opens data files", &findings);
}

#[test]
fn content_has_no_input_and_no_output() {
    let findings = said(
        |file| ["content", "fields"].contains(&room(file)),
        |word| ["tokio", "fs", "io", "net", "process", "hyper", "reqwest"].contains(&word),
    );
    assert_none("content and fields do no I/O", &findings);
}

/// Where a room says others than these.
fn strangers(name: &str, known: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in program().iter().filter(|file| room(file) == name) {
        for (index, line) in code(&file.text).lines().enumerate() {
            for (at, path) in line.match_indices("crate::") {
                let said = &line[at + path.len()..];
                if !known.iter().any(|known| said.starts_with(known)) {
                    findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
                }
            }
        }
    }
    findings
}

#[test]
fn content_knows_no_other_room() {
    let findings = strangers("content", &["content"]);
    assert_none("content knows nothing but itself", &findings);
}

#[test]
fn readers_of_hostile_files_know_no_repository() {
    let findings = strangers("derive", &["derive", "xmp"]);
    assert_none("derive knows nothing but itself and xmp", &findings);
    let findings = strangers("xmp", &[]);
    assert_none("xmp knows no other room", &findings);
}

#[test]
fn actions_never_see_http() {
    let http = [
        "http",
        "hyper",
        "axum",
        "tower",
        "tower_http",
        "StatusCode",
        "HeaderMap",
        "api",
    ];
    let findings = said(|file| room(file) == "actions", |word| http.contains(&word));
    assert_none("actions never see HTTP", &findings);
}

#[test]
fn nobody_but_the_doors_knows_the_interface() {
    let mut findings = Vec::new();
    let inner = [
        "content",
        "fields",
        "db",
        "blobs",
        "formats",
        "media_types",
        "auth",
        "actions",
        "events",
    ];
    for file in program().iter().filter(|file| inner.contains(&room(file))) {
        for (index, line) in code(&file.text).lines().enumerate() {
            if line.contains("crate::api") || line.contains("crate::desktop") {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none("inner rooms do not know api and desktop", &findings);
}

#[test]
fn every_exception_is_still_needed() {
    let unused: Vec<String> = OPENS_FILES
        .iter()
        .filter(|(path, _)| !path.ends_with('/'))
        .filter(|(path, _)| {
            !program().iter().any(|file| {
                file.path.ends_with(path)
                    && (file.text.contains("fs::") || file.text.contains("File"))
            })
        })
        .map(|(path, reason)| format!("{path} ({reason})"))
        .collect();
    assert_none("exceptions that nobody needs", &unused);
}
