//! What can be done about watched folders from the command line.

use std::fmt::Write;
use std::sync::Arc;

use isolario_core::actions::Refusal;
use isolario_db::{WatchCount, WatchRuleRecord};
use isolario_model::content::WatchState;
use isolario_model::policy::Actor;
use isolario_model::watch_rule::Rule;
use isolario_watch::rules::{add, pause};
use isolario_watch::{RuleSource, Watch};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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

/// Carries a command out.
///
/// # Errors
/// As the actions.
pub async fn carry_out(watch: &Arc<Watch>, command: WatchCommand) -> Result<String, Refusal> {
    let actor = Actor::program();
    match command {
        WatchCommand::List => list(watch),
        WatchCommand::Status => status(watch),
        WatchCommand::Add(rule) => {
            let rule: Rule = serde_json::from_value(rule.into())
                .map_err(|error| Refusal::Invalid(format!("The rule makes no sense: {error}.")))?;
            let path = rule.path.clone();
            let id = add(watch, &actor, rule, RuleSource::Owner).await?;
            Ok(format!(
                "{} is watched now, as number {id}.",
                path.display()
            ))
        }
        WatchCommand::Pause { folder, paused } => {
            let record = find(watch, &folder)?;
            pause(watch, &actor, record.id, paused).await?;
            Ok(match paused {
                true => format!("{} is paused.", record.path),
                false => format!("{} goes on.", record.path),
            })
        }
    }
}

fn rules(watch: &Watch) -> Result<Vec<WatchRuleRecord>, Refusal> {
    Ok(watch.repository.db.read_here(|read| read.watch_rules())?)
}

fn find(watch: &Watch, folder: &str) -> Result<WatchRuleRecord, Refusal> {
    let number: Option<i64> = folder.parse().ok();
    let mut found = rules(watch)?.into_iter();
    let found = found.find(|record| Some(record.id) == number || record.path == folder);
    found.ok_or_else(|| Refusal::Missing(format!("No folder {folder} is watched.")))
}

fn list(watch: &Watch) -> Result<String, Refusal> {
    let mut text = String::new();
    for record in rules(watch)? {
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

fn status(watch: &Watch) -> Result<String, Refusal> {
    let mut text = String::new();
    for record in rules(watch)? {
        let counts = watch
            .repository
            .db
            .read_here(|read| read.watch_counts(record.id))?;
        let live = watch.live(record.id);
        let state = match (record.paused, live.problem()) {
            (true, _) => "paused".to_owned(),
            (false, Some(problem)) => problem,
            (false, None) => rate(&live),
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

fn rate(live: &isolario_watch::Live) -> String {
    match live.rate() {
        Some(rate) => format!("{:.1} files a second", rate.files),
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
