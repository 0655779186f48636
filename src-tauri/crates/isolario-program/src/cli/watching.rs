//! `isolario watch …`, as it was written.

use serde_json::{Map, Value};

use super::arguments::{NewWatch, Watch};
use crate::commands::WatchCommand;

/// The command that was written.
///
/// # Errors
/// A sentence for what cannot be understood.
pub fn command(watch: Watch) -> Result<WatchCommand, String> {
    let whole = |folder: String| match std::path::absolute(&folder) {
        Ok(path) if folder.parse::<i64>().is_err() => path.to_string_lossy().into_owned(),
        _ => folder,
    };
    Ok(match watch {
        Watch::List => WatchCommand::List,
        Watch::Add(new) => WatchCommand::Add(rule_of(*new)?),
        Watch::Pause { folder } => WatchCommand::Pause {
            folder: whole(folder),
            paused: true,
        },
        Watch::Resume { folder } => WatchCommand::Pause {
            folder: whole(folder),
            paused: false,
        },
        Watch::Status => WatchCommand::Status,
    })
}

fn rule_of(new: NewWatch) -> Result<Map<String, Value>, String> {
    let path = std::path::absolute(&new.folder).map_err(|error| error.to_string())?;
    let mut rule = Map::from_iter([("path".to_owned(), path.to_string_lossy().into())]);
    let texts = [
        ("subfolders", new.subfolders),
        ("afterwards", new.afterwards),
        ("duplicates", new.duplicates),
        ("sidecar", new.sidecar),
        ("owner", new.owner),
        ("name_pattern", new.name_pattern),
    ];
    for (name, text) in texts {
        rule.extend(text.map(|text| (name.to_owned(), text.into())));
    }
    rule.extend(
        new.collection
            .map(|nid| ("collection".to_owned(), nid.into())),
    );
    if new.unpublished {
        rule.insert("published".into(), false.into());
    }
    if new.create_terms {
        rule.insert("create_terms".into(), true.into());
    }
    for setting in new.settings {
        let (name, value) = setting
            .split_once('=')
            .ok_or(format!("{setting} is no NAME=JSON."))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        rule.insert(name.trim().to_owned(), value);
    }
    Ok(rule)
}
