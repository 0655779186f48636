//! `isolario watch`: from the command line to the folder, and what is said about it.

use std::fmt::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::arguments::{NewWatch, Watch};
use crate::actions::Refusal;
use crate::actions::watched_folders::{add, pause};
use crate::auth::Actor;
use crate::content::WatchState;
use crate::db::{WatchCount, WatchRuleRecord};
use crate::repository::Repository;
use crate::watch::Rule;

/// What can be asked about watched folders, whole, so that it can be sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum WatchCommand {
    List,
    /// A rule as `/api/v1/watched-folders` takes it.
    Add(Map<String, Value>),
    Pause {
        /// Path or number.
        folder: String,
        paused: bool,
    },
    Status,
}

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

/// Carries a command out.
///
/// # Errors
/// As the actions.
pub async fn carry_out(
    repository: &Arc<Repository>,
    command: WatchCommand,
) -> Result<String, Refusal> {
    let actor = Actor::program();
    match command {
        WatchCommand::List => list(repository),
        WatchCommand::Status => status(repository),
        WatchCommand::Add(rule) => {
            let rule: Rule = serde_json::from_value(rule.into())
                .map_err(|error| Refusal::Invalid(format!("The rule makes no sense: {error}.")))?;
            let path = rule.path.clone();
            let id = add(repository, &actor, rule).await?;
            Ok(format!(
                "{} is watched now, as number {id}.",
                path.display()
            ))
        }
        WatchCommand::Pause { folder, paused } => {
            let record = find(repository, &folder)?;
            pause(repository, &actor, record.id, paused).await?;
            Ok(match paused {
                true => format!("{} is paused.", record.path),
                false => format!("{} goes on.", record.path),
            })
        }
    }
}

fn rules(repository: &Repository) -> Result<Vec<WatchRuleRecord>, Refusal> {
    Ok(repository.db.read_here(|read| read.watch_rules())?)
}

fn find(repository: &Repository, folder: &str) -> Result<WatchRuleRecord, Refusal> {
    let number: Option<i64> = folder.parse().ok();
    let mut found = rules(repository)?.into_iter();
    let found = found.find(|record| Some(record.id) == number || record.path == folder);
    found.ok_or_else(|| Refusal::Missing(format!("No folder {folder} is watched.")))
}

fn list(repository: &Repository) -> Result<String, Refusal> {
    let mut text = String::new();
    for record in rules(repository)? {
        let state = if record.paused { "  (paused)" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>5}  {}{state}\n       {}",
            record.id, record.path, record.rule
        );
    }
    Ok(or_nothing(text))
}

fn status(repository: &Repository) -> Result<String, Refusal> {
    let mut text = String::new();
    for record in rules(repository)? {
        let counts = repository
            .db
            .read_here(|read| read.watch_counts(record.id))?;
        let live = repository.watch.live(record.id);
        let state = match (record.paused, live.problem()) {
            (true, _) => "paused".to_owned(),
            (false, Some(problem)) => problem,
            (false, None) => pace(&live),
        };
        let counts: Vec<String> = WatchState::ALL
            .iter()
            .map(|state| format!("{} {}", count(&counts, *state), state.name()))
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>5}  {}\n       {}\n       {state}",
            record.id,
            record.path,
            counts.join(", ")
        );
    }
    Ok(or_nothing(text))
}

fn pace(live: &crate::watch::Live) -> String {
    match live.pace() {
        Some(pace) => format!("{:.1} files a second", pace.files),
        None => "watching".to_owned(),
    }
}

fn count(counts: &[WatchCount], state: WatchState) -> i64 {
    let mut counts = counts.iter();
    counts
        .find(|count| count.state == state)
        .map_or(0, |count| count.files)
}

fn or_nothing(text: String) -> String {
    match text.trim_end() {
        "" => "No folder is watched.".to_owned(),
        text => text.to_owned(),
    }
}
