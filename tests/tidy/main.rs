//! Rules about the sources themselves that no linter knows. ARCHITECTURE.md says why they stand.

#![allow(clippy::disallowed_methods, reason = "sources are regular files")]

mod content_model;
mod habits;
mod import_cycles;
mod layers;
mod policy;
mod rust_source;
mod security;
mod size;
mod systems;
mod ui;
mod words;

use std::path::{Path, PathBuf};

/// A file of the repository, read whole.
#[derive(Clone)]
struct SourceFile {
    /// From the root, with `/`.
    path: String,
    text: String,
}

/// Every file below a directory of the repository with one of these extensions.
fn files(directory: &str, extensions: &[&str]) -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    collect(&root.join(directory), extensions, &mut found);
    found.sort();
    found
        .into_iter()
        .map(|path| SourceFile {
            text: std::fs::read_to_string(&path).expect("sources are UTF-8"),
            path: path
                .strip_prefix(root)
                .expect("below the root")
                .display()
                .to_string(),
        })
        .collect()
}

fn collect(directory: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a readable directory").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && !["node_modules", "target", "dist"].contains(&name.as_str()) {
            collect(&path, extensions, found);
        } else if extensions
            .iter()
            .any(|extension| name.ends_with(&format!(".{extension}")))
        {
            found.push(path);
        }
    }
}

/// The Rust sources of the program and its crates.
fn program() -> Vec<SourceFile> {
    let mut sources = files("src-tauri", &["rs"]);
    sources.retain(|file| file.path.contains("/src/"));
    sources
}

/// The same without its unit tests.
fn program_without_tests() -> Vec<SourceFile> {
    let mut sources = program();
    sources.retain(|file| !file.path.contains("/tests/") && !file.path.ends_with("/tests.rs"));
    sources
}

/// Fails with all findings at once, one a line.
#[track_caller]
fn assert_none(what: &str, findings: &[String]) {
    assert!(
        findings.is_empty(),
        "{what}:\n  {}\n",
        findings.join("\n  ")
    );
}
