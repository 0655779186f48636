//! Small files. Small functions are clippy's matter.

use super::{assert_none, files};

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
