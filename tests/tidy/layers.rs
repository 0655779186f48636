//! Which crate may use which, and who opens files.

use super::rust_source::{code, without_tests, words};
use super::{SourceFile, assert_none, files, program, program_without_tests};

/// Packages that only these crates depend on; the compiler keeps others from naming them.
const PRIVATE: &[(&str, &[&str])] = &[
    ("rusqlite", &["isolario-db"]),
    ("axum", &["isolario-server"]),
    ("tantivy", &["isolario-search"]),
    ("tantivy-fst", &["isolario-search"]),
    // What is asked of other services: their content, and who somebody is.
    ("reqwest", &["isolario-exchange", "isolario-auth"]),
    ("openidconnect", &["isolario-auth"]),
    ("tauri", &["isolario"]),
    ("gtk", &["isolario"]),
    ("rustix", &["isolario-platform"]),
    ("landlock", &["isolario-platform"]),
];

/// The packages that a crate is built with, from its manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let dependencies = manifest["dependencies"].as_table().expect("a table");
    dependencies.keys().cloned().collect()
}

#[test]
fn a_package_is_private_to_its_crate() {
    let mut findings = Vec::new();
    for file in files("", &["toml"]) {
        let Some(folder) = file.path.strip_suffix("Cargo.toml") else {
            continue;
        };
        let name = folder.trim_end_matches('/').rsplit('/').next();
        let name = name.filter(|name| !name.is_empty()).unwrap_or("isolario");
        let dependencies = dependencies(&file.text);
        let strange = PRIVATE.iter().filter(|(package, owners)| {
            !owners.contains(&name) && dependencies.iter().any(|one| one == package)
        });
        findings.extend(
            strange.map(|(package, owners)| format!("{name}: {package} is for {owners:?} only")),
        );
    }
    assert_none("dependencies of another crate", &findings);
}

/// Who beside `blobs` opens files, and why those are no data files.
const OPENS_FILES: &[(&str, &str)] = &[
    ("blobs/", "the bytes of all files"),
    ("config/", "configuration"),
    ("core/data_directory/", "lock of the data directory"),
    ("program/", "the command line"),
    ("auth/bearer/signing_key.rs", "the key that signs"),
    ("auth/bearer/former_keys.rs", "keys that signed"),
    (
        "server/lan/certificate.rs",
        "the certificate of the local network",
    ),
    ("search/index/sealed.rs", "the index, which is no data"),
    ("search/index/store.rs", "the directory of the index"),
    ("disk/durable.rs", "small files and names of all crates"),
    ("disk/regular_file.rs", "the one way to open a file"),
    ("disk/log_file.rs", "the logs"),
    (
        "platform/",
        "what differs between systems in files, and what they tell",
    ),
    (
        "core/actions/batches/table/",
        "tables that are imported, and their rows",
    ),
    ("core/search/place.rs", "the directories of the index"),
    ("core/bag/files.rs", "bags that others have made"),
    ("core/bag/zip_files.rs", "bags that others have made"),
    ("core/bag/receive.rs", "bags that are imported"),
    (
        "core/container/folder_container.rs",
        "folders of bags, which are not the repository's",
    ),
    (
        "core/container/spool.rs",
        "bytes without a name that wait for their length",
    ),
    ("core/backup/", "folders of backups, and copies for them"),
    ("core/records/", "records, which are metadata"),
    (
        "watch/folder/",
        "watched folders, which are not the repository's",
    ),
    (
        "desktop/working_copies/store.rs",
        "copies that other programs work on",
    ),
    ("core/audit_log/", "the audit log"),
    ("db/copy.rs", "a copy of the database"),
    ("db/migrations.rs", "copies from before a migration"),
    ("db/lib.rs", "the directory of the database"),
    ("db/state.rs", "the log of the database"),
];

/// The path of a source by its crate: `blobs/stage.rs`, `desktop/window.rs`.
pub fn inside(file: &SourceFile) -> String {
    let path = file.path.strip_prefix("src-tauri/");
    let path = path.expect("a source of the program");
    let path = path.strip_prefix("crates/isolario-").unwrap_or(path);
    let path = path.strip_prefix("src/").unwrap_or(path);
    path.replacen("/src/", "/", 1)
}

#[test]
fn only_blobs_opens_data_files() {
    let mut findings = Vec::new();
    for file in program_without_tests() {
        let inside = inside(&file);
        let allowed = OPENS_FILES.iter().any(|(path, _)| inside.starts_with(path));
        let source = code(&file.text);
        for (index, line) in without_tests(&source).lines().enumerate() {
            let opens = [
                "fs::read",
                "fs::write",
                "fs::copy",
                "files::remove",
                "files::rename",
                "File::",
                "OpenOptions",
                "regular_file::",
            ];
            // GTK's own kind of file is but a name, and `log_file` opens the logs.
            let line = line.replace("gio::File::", "").replace("LogFile::", "");
            if !allowed && opens.iter().any(|word| line.contains(word)) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none("only blobs opens data files", &findings);
}

#[test]
fn the_model_has_no_input_and_no_output() {
    let mut findings = Vec::new();
    let model = program()
        .into_iter()
        .filter(|file| inside(file).starts_with("model/"));
    for file in model {
        for (line, word) in words(&code(&file.text)) {
            if ["tokio", "fs", "net", "process"].contains(&word) {
                findings.push(format!("{}:{line} says {word}", file.path));
            }
        }
    }
    assert_none("the model does no I/O", &findings);
}

#[test]
fn every_exception_is_still_needed() {
    let unused: Vec<String> = OPENS_FILES
        .iter()
        .filter(|(path, _)| !path.ends_with('/'))
        .filter(|(path, _)| {
            !program().iter().any(|file| {
                inside(file) == *path
                    && ["fs::", "files::", "File", "regular_file"]
                        .iter()
                        .any(|word| file.text.contains(word))
            })
        })
        .map(|(path, reason)| format!("{path} ({reason})"))
        .collect();
    assert_none("exceptions that nobody needs", &unused);
}
