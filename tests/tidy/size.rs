//! Small files. Small functions are clippy's matter.

use std::path::Path;

use super::{SourceFile, assert_none, files};

/// Generous: most files have 100 to 200 lines.
const FILE: usize = 400;

#[test]
fn files_are_small() {
    let sources = [
        files("src-tauri", &["rs"]),
        files("tests", &["rs"]),
        files("ui/src", &["ts", "svelte"]),
    ]
    .concat();
    let findings: Vec<String> = sources
        .iter()
        .filter(|file| !file.path.ends_with(".d.ts") && !file.path.starts_with("ui/src/texts/"))
        .map(|file| (file.text.lines().count(), &file.path))
        .filter(|(lines, _)| *lines > FILE)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert_none(&format!("more than {FILE} lines"), &findings);
}

/// Columns of prose.
const COLUMNS: usize = 120;
/// Documents beside the sources.
const FIRST_DOCUMENTS: [&str; 6] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "GLOSSARY.md",
    "README.md",
    "SECURITY.md",
];

#[test]
fn lines_of_documents_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let first = FIRST_DOCUMENTS.map(|name| SourceFile {
        text: std::fs::read_to_string(root.join(name)).expect("a document"),
        path: name.to_owned(),
    });
    let documents = [files("docs", &["md"]), first.to_vec()].concat();
    let mut findings = Vec::new();
    for document in &documents {
        let mut is_code = false;
        for (number, line) in document.text.lines().enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            let is_prose = !is_code && !line.starts_with(['|', '!']);
            if is_prose && line.chars().count() > COLUMNS {
                findings.push(format!("{}:{}", document.path, number + 1));
            }
        }
    }
    assert_none(&format!("more than {COLUMNS} columns"), &findings);
}
