//! The walls of the user interface.

use super::{SourceFile, assert_none, files};

fn sources() -> Vec<SourceFile> {
    files("ui/src", &["ts", "svelte"])
}

/// Lines outside some paths that hold one of these texts.
fn outside(paths: &[&str], texts: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in sources()
        .iter()
        .filter(|file| !paths.iter().any(|path| file.path.starts_with(path)))
    {
        let test = file.path.ends_with(".test.ts");
        for (index, line) in file.text.lines().enumerate() {
            if !test && texts.iter().any(|text| line.contains(text)) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    findings
}

#[test]
fn only_desktop_ts_knows_the_window() {
    let findings = outside(
        &["ui/src/desktop.ts"],
        &["@tauri-apps", "__TAURI", "invoke("],
    );
    assert_none("only ui/src/desktop.ts knows the window", &findings);
}

const ASKS: [&str; 1] = ["ui/src/api/"];

#[test]
fn content_comes_by_http_through_api_only() {
    let findings = outside(
        &ASKS,
        &[
            " fetch(",
            "(fetch(",
            "new XMLHttpRequest",
            "new EventSource",
        ],
    );
    assert_none("only ui/src/api asks the service", &findings);
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    let findings = outside(
        &[],
        &["src=\"http", "href=\"http", "import(\"http", "url(http"],
    );
    assert_none("the user interface is whole", &findings);
}
