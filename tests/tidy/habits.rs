//! What the sources never hold, and what they always do.

use super::rust_source::{code, without_tests};
use super::{SourceFile, assert_none, files, program, program_without_tests};

/// Sources of all kinds, but for this test, which must name what it looks for.
fn everything() -> Vec<SourceFile> {
    [
        program(),
        files("tests", &["rs", "ts", "mjs", "py", "sh"]),
        files("ui/src", &["ts", "svelte", "css"]),
        files("assets", &["json", "csv", "svg"]),
    ]
    .into_iter()
    .flatten()
    .filter(|file| !file.path.starts_with("tests/tidy/"))
    .collect()
}

/// Lines of all sources that hold one of these texts.
fn lines_with(texts: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in everything() {
        for (index, line) in file.text.lines().enumerate() {
            if texts.iter().any(|text| line.contains(text)) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    findings
}

#[test]
fn nothing_is_left_for_later() {
    let findings = lines_with(&["TODO", "FIXME"]);
    assert_none("left for later", &findings);
}

#[test]
fn no_test_is_skipped() {
    let findings = lines_with(&[
        "#[ignore",
        "test.skip",
        "it.skip",
        "describe.skip",
        "test.only",
        "it.only",
        "test.fixme",
    ]);
    assert_none("skipped tests", &findings);
}

#[test]
fn no_source_names_a_place_on_somebodys_machine() {
    let findings = lines_with(&["/home/", "/root/", "/work/"]);
    assert_none("paths of a machine", &findings);
}

#[test]
fn no_module_has_a_name_that_says_nothing() {
    let empty = [
        "util", "utils", "common", "helper", "helpers", "manager", "service", "misc",
    ];
    let findings: Vec<String> = everything()
        .into_iter()
        .filter(|file| {
            file.path
                .split('/')
                .any(|part| empty.contains(&part.split('.').next().unwrap_or_default()))
        })
        .map(|file| file.path)
        .collect();
    assert_none("names that say nothing", &findings);
}

#[test]
fn every_file_says_what_it_is() {
    let findings: Vec<String> = [program(), files("tests", &["rs"])]
        .into_iter()
        .flatten()
        .filter(|file| !file.text.starts_with("//!"))
        .map(|file| file.path)
        .collect();
    assert_none("no sentence at the top", &findings);
}

#[test]
fn every_public_item_has_a_docstring() {
    let mut findings = Vec::new();
    for file in program_without_tests() {
        let source = code(&file.text);
        let lines: Vec<&str> = file.text.lines().collect();
        for (index, line) in without_tests(&source).lines().enumerate() {
            if is_public_item(line) && !has_docstring(&lines[..index]) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none("public and without a docstring", &findings);
}

fn is_public_item(line: &str) -> bool {
    let Some(item) = line.trim_start().strip_prefix("pub ") else {
        return false;
    };
    let kinds = [
        "fn ",
        "async fn ",
        "const ",
        "static ",
        "struct ",
        "enum ",
        "trait ",
        "type ",
        "unsafe fn ",
    ];
    kinds.iter().any(|kind| item.starts_with(kind))
}

/// Whether the lines above an item end with a docstring; attributes may stand between.
fn has_docstring(above: &[&str]) -> bool {
    let mut in_attribute = false;
    for line in above.iter().rev().map(|line| line.trim()) {
        if in_attribute || line.ends_with(")]") || line.ends_with(']') && !line.starts_with("///") {
            in_attribute = !line.starts_with("#[");
        } else {
            return line.starts_with("///");
        }
    }
    false
}
