//! Descriptions beside the files: `NAME.json`, `NAME.xmp`, and rows of `metadata.csv`.

mod json;
mod table;
mod xmp;

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;

use super::folder::Folder;
use super::names::{TABLE, split, stem};
use isolario_model::watch_rule::{Rule, Sidecar};
pub use table::Tables;

/// What is said of a field: values as REST takes them, or texts that people write.
#[derive(Debug, Clone, PartialEq)]
pub enum SidecarValue {
    Text(String),
    Item(Value),
}

/// What is said of an item, by field name.
pub type Description = BTreeMap<String, Vec<SidecarValue>>;

/// Why a description cannot be used. A sentence.
#[derive(Debug, thiserror::Error)]
pub enum SidecarError {
    #[error("The description {0} cannot be read: {1}.")]
    Unreadable(String, String),
    /// The disk refused; it may not the next time.
    #[error("The description cannot be read: {0}.")]
    Disk(#[from] io::Error),
}

/// Files that may describe one at a path, by what they end in.
pub fn candidates(path: &str, extension: &str) -> [String; 2] {
    let (folder, name) = split(path);
    let beside = |name: &str| match folder {
        "" => format!("{name}.{extension}"),
        folder => format!("{folder}/{name}.{extension}"),
    };
    [beside(name), beside(stem(name))]
}

/// What lies beside a file and describes it, by a rule; nothing where there is nothing.
///
/// # Errors
/// Where there is something that cannot be read.
pub fn describe(
    folder: &Folder,
    tables: &Tables,
    rule: &Rule,
    path: &str,
) -> Result<Option<Description>, SidecarError> {
    let wants = |sidecar| [Sidecar::Any, sidecar].contains(&rule.sidecar);
    let mut found = None;
    let mut add = |description: Option<Description>| {
        if let Some(description) = description {
            found
                .get_or_insert_with(Description::new)
                .extend(description);
        }
    };
    if wants(Sidecar::Csv) {
        add(tables.row(folder, path)?);
    }
    if wants(Sidecar::Xmp) {
        add(first(folder, path, "xmp", xmp::read)?);
    }
    if wants(Sidecar::Json) {
        add(first(folder, path, "json", json::read)?);
    }
    Ok(found)
}

type Reader = fn(&[u8]) -> Result<Description, String>;

fn first(
    folder: &Folder,
    path: &str,
    extension: &str,
    read: Reader,
) -> Result<Option<Description>, SidecarError> {
    for candidate in candidates(path, extension) {
        if candidate == path {
            continue;
        }
        if let Some(bytes) = folder.sidecar(&candidate)? {
            let description = read(&bytes);
            return description
                .map(Some)
                .map_err(|error| SidecarError::Unreadable(candidate, error));
        }
    }
    Ok(None)
}

/// Paths of the tables that may describe a file: that of its folder, then that of the watched folder.
fn tables_for(path: &str) -> Vec<(String, String)> {
    let (folder, name) = split(path);
    let mut tables = vec![(TABLE.to_owned(), path.to_owned())];
    if !folder.is_empty() {
        tables.insert(0, (format!("{folder}/{TABLE}"), name.to_owned()));
    }
    tables
}
