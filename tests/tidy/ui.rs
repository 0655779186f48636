//! The walls of the user interface that eslint does not know (ui/eslint.config.js).

use super::{assert_none, files};

/// What would load something from another place.
const ELSEWHERE: [&str; 4] = ["src=\"http", "href=\"http", "import(\"http", "url(http"];

#[test]
fn nothing_is_fetched_from_elsewhere() {
    let mut findings = Vec::new();
    let mut sources = files("ui/src", &["ts", "svelte"]);
    sources.retain(|file| !file.path.ends_with(".test.ts"));
    for file in sources {
        let lines = file.text.lines();
        let found = lines.filter(|line| ELSEWHERE.iter().any(|text| line.contains(text)));
        findings.extend(found.map(|line| format!("{}: {}", file.path, line.trim())));
    }
    assert_none("the user interface is whole", &findings);
}
