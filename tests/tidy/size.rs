//! Small files, small functions.

use super::rust_source::{code, functions};
use super::{assert_none, files};

/// Generous: most files have 100 to 200 lines.
const FILE: usize = 400;
/// Generous: most functions have about 10 lines.
const FUNCTION: usize = 80;

#[test]
fn files_are_small() {
    let sources = [
        files("src-tauri/src", &["rs"]),
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

#[test]
fn functions_are_small() {
    let mut findings = Vec::new();
    for file in [files("src-tauri/src", &["rs"]), files("tests", &["rs"])].concat() {
        for function in functions(&code(&file.text)) {
            if function.lines > FUNCTION {
                findings.push(format!(
                    "{}:{} {}: {} lines",
                    file.path, function.line, function.name, function.lines
                ));
            }
        }
    }
    assert_none(&format!("more than {FUNCTION} lines"), &findings);
}
