//! `SECURITY.md` promises, and names the tests that hold it to its word.

use std::path::Path;

use super::{assert_none, files};

/// What stands between backticks and names a test: `file::test`, or a file of tests of its own.
fn named(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_test = |quoted: &&str| quoted.contains("::") || quoted.ends_with(".test.mjs");
    quoted.filter(is_test).collect()
}

/// Whether the repository holds that test.
fn exists(test: &str) -> bool {
    let (path, name) = test.split_once("::").unwrap_or((test, ""));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(text) = std::fs::read_to_string(root.join(path)) else {
        return false;
    };
    if name.is_empty() {
        return text.contains("\ntest(");
    }
    let Some((before, _)) = text.split_once(&format!("fn {name}(")) else {
        return false;
    };
    let line = before.rfind('\n').unwrap_or(0);
    let attribute = before[..line].trim_end().rsplit('\n').next();
    attribute.is_some_and(|line| {
        line.trim().starts_with("#[") && (line.contains("test]") || line.contains("test("))
    })
}

#[test]
fn every_promise_names_tests_that_there_are() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("SECURITY.md"));
    let text = text.expect("SECURITY.md");
    let missing: Vec<String> = named(&text)
        .into_iter()
        .filter(|test| !exists(test))
        .map(str::to_owned)
        .collect();
    assert_none("named in SECURITY.md and not there", &missing);
    let tables = text.lines().filter(|line| line.starts_with("| "));
    let promises = tables.filter(|line| !line.starts_with("| cannot |"));
    let empty: Vec<String> = promises
        .filter(|line| named(line).is_empty())
        .map(str::to_owned)
        .collect();
    assert_none("promised and not shown by any test", &empty);
}

#[test]
fn a_test_is_found_by_its_name_only() {
    let here = "tests/tidy/security.rs";
    assert!(exists(&format!("{here}::a_test_is_found_by_its_name_only")));
    for other in ["::exists", "::nothing", "::every_promise"] {
        assert!(!exists(&format!("{here}{other}")), "{other}");
    }
    assert!(!exists("tests/tidy/nothing.rs::named"));
    assert!(
        files("tests", &["test.mjs"])
            .iter()
            .any(|file| exists(&file.path))
    );
}
