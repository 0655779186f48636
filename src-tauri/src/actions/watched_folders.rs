//! Which folders are watched, and what becomes of their files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Refusal;
use crate::auth::{Actor, may_run_server};
use crate::content::{WatchState, WatchedFile};
use crate::db::{DbError, Read, WatchRuleRecord};
use crate::fields::{Violation, message_of};
use crate::repository::Repository;
use crate::watch::{self, Flaw, Rehearsal, Rule};

/// How many files are given another turn at once.
const BATCH: usize = 200;

/// Watches a folder; its number.
///
/// # Errors
/// `Denied`; `Invalid` with everything that speaks against the rule.
pub async fn add(
    repository: &Arc<Repository>,
    actor: &Actor,
    mut rule: Rule,
) -> Result<i64, Refusal> {
    may_run_server(actor)?;
    refuse_flaws(repository, &rule, None).await?;
    rule.path = rule.path.canonicalize().unwrap_or(rule.path);
    put(repository, rule).await
}

/// Changes what becomes of the files of a folder: what is in `changes` by name in the rule, the rest stays.
///
/// # Errors
/// As `add`; `Missing` for a folder that is not watched, `Conflict` for one that `config.toml` names.
pub async fn change(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    changes: Map<String, Value>,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let record = changeable(repository, id)?;
    let mut rule: Map<String, Value> = serde_json::from_str(&record.rule).map_err(unreadable)?;
    rule.extend(changes);
    let rule: Rule = serde_json::from_value(rule.into())
        .map_err(|error| Refusal::Invalid(format!("The rule makes no sense: {error}.")))?;
    if rule.path.to_str() != Some(&record.path) {
        return Err(invalid("path", "Another folder needs a rule of its own."));
    }
    refuse_flaws(repository, &rule, Some(id)).await?;
    put(repository, rule).await?;
    Ok(())
}

/// Watches a folder no longer. Its ledger stays: if it is watched again, nothing is taken twice.
///
/// # Errors
/// `Denied`; `Missing`; `Conflict` for a folder that `config.toml` names.
pub async fn remove(repository: &Arc<Repository>, actor: &Actor, id: i64) -> Result<(), Refusal> {
    may_run_server(actor)?;
    changeable(repository, id)?;
    write(repository, move |write, at| write.remove_watch_rule(id, at)).await
}

/// Watches a folder again that was removed: by the rule it had, with its ledger, and paused if it was.
///
/// # Errors
/// As `add`; `Missing` for a folder that never was; `Conflict` for one that is watched or that `config.toml` named.
pub async fn restore(repository: &Arc<Repository>, actor: &Actor, id: i64) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let find =
        |read: &Read<'_>| Ok::<_, DbError>((read.watch_rule(id)?, read.removed_watch_rule(id)?));
    let gone = match repository.db.read_here(find)? {
        (Some(_), _) => return Err(conflict("This folder is watched already.")),
        (None, Some(gone)) if gone.configured => {
            return Err(conflict(
                "This folder was named in config.toml. Name it there again and start the program again.",
            ));
        }
        (None, Some(gone)) => gone,
        (None, None) => return Err(unknown(id)),
    };
    refuse_flaws(repository, &rule_of(&gone)?, None).await?;
    write(repository, move |write, at| {
        write.restore_watch_rule(id, at)
    })
    .await
}

/// Takes nothing from a folder for the time being, or goes on. What is being taken is taken to the end.
///
/// # Errors
/// `Denied`; `Missing`.
pub async fn pause(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    paused: bool,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    record(repository, id)?;
    write(repository, move |write, at| {
        write.pause_watch_rule(id, paused, at)
    })
    .await
}

/// Gives a file that has failed another turn.
///
/// # Errors
/// `Denied`; `Missing`; `Conflict` when it cannot be put back.
pub async fn retry(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    file: i64,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let rule = rule_of(&record(repository, id)?)?;
    let found = repository.db.read_here(|read| read.watched_file(file))?;
    let found = found.filter(|found| found.rule == id);
    let found =
        found.ok_or_else(|| Refusal::Missing(format!("There is no file {file} in the ledger.")))?;
    watch::retry(&repository.db, rule, found).await?;
    repository.watch.look_again(id);
    Ok(())
}

/// Gives all files of a folder that have failed another turn; how many got it.
///
/// # Errors
/// `Denied`; `Missing`.
pub async fn retry_all(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
) -> Result<u64, Refusal> {
    may_run_server(actor)?;
    let rule = rule_of(&record(repository, id)?)?;
    let (mut before, mut count) = (None, 0);
    loop {
        let failed = Some(WatchState::Failed);
        let page: Vec<WatchedFile> = repository
            .db
            .read_here(|read| read.watched_file_page(id, failed, before, BATCH))?;
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        for file in page {
            count += u64::from(
                watch::retry(&repository.db, rule.clone(), file)
                    .await
                    .is_ok(),
            );
        }
    }
    repository.watch.look_again(id);
    Ok(count)
}

/// What would become of what lies in the folder of a rule now.
///
/// # Errors
/// As `add`.
pub async fn rehearse(
    repository: &Arc<Repository>,
    actor: &Actor,
    rule: Rule,
) -> Result<Rehearsal, Refusal> {
    may_run_server(actor)?;
    let records = repository.db.read_here(|read| read.watch_rules())?;
    let path = rule
        .path
        .canonicalize()
        .unwrap_or_else(|_| rule.path.clone());
    let own = records
        .iter()
        .find(|record| path.as_path() == Path::new(&record.path));
    refuse_flaws(repository, &rule, own.map(|record| record.id)).await?;
    watch::rehearse(repository, rule).await
}

/// Watches the folders that `config.toml` names, and those no longer that it named before. What speaks
/// against one of them is told where it is looked at.
///
/// # Errors
/// What the database refuses.
pub async fn adopt_configured(repository: &Arc<Repository>) -> Result<(), Refusal> {
    let rules = repository.config.watch.clone();
    let named = |record: &WatchRuleRecord| {
        rules
            .iter()
            .any(|rule| rule.path.to_str() == Some(&record.path))
    };
    let before = repository.db.read_here(|read| read.watch_rules())?;
    for gone in before
        .iter()
        .filter(|record| record.configured && !named(record))
    {
        let id = gone.id;
        write(repository, move |write, at| write.remove_watch_rule(id, at)).await?;
    }
    for rule in rules {
        let (path, text) = as_kept(&rule)?;
        write(repository, move |write, at| {
            write.put_watch_rule(&path, &text, true, at).map(drop)
        })
        .await?;
    }
    Ok(())
}

async fn put(repository: &Arc<Repository>, rule: Rule) -> Result<i64, Refusal> {
    let (path, text) = as_kept(&rule)?;
    let at = chrono::Utc::now().timestamp();
    let id = repository
        .db
        .write(move |write| -> Result<i64, DbError> {
            write.put_watch_rule(&path, &text, false, at)
        })
        .await?;
    repository.watch.rules_changed();
    Ok(id)
}

async fn write(
    repository: &Arc<Repository>,
    change: impl FnOnce(&mut crate::db::Write<'_>, i64) -> Result<(), DbError> + Send + 'static,
) -> Result<(), Refusal> {
    let at = chrono::Utc::now().timestamp();
    repository.db.write(move |write| change(write, at)).await?;
    repository.watch.rules_changed();
    Ok(())
}

fn as_kept(rule: &Rule) -> Result<(String, String), Refusal> {
    let path = rule.path.to_string_lossy().into_owned();
    Ok((path, serde_json::to_string(rule).map_err(unreadable)?))
}

fn record(repository: &Repository, id: i64) -> Result<WatchRuleRecord, Refusal> {
    let found = repository.db.read_here(|read| read.watch_rule(id))?;
    found.ok_or_else(|| unknown(id))
}

fn unknown(id: i64) -> Refusal {
    Refusal::Missing(format!("There is no watched folder {id}."))
}

fn conflict(words: &str) -> Refusal {
    Refusal::Conflict(words.to_owned())
}

fn changeable(repository: &Repository, id: i64) -> Result<WatchRuleRecord, Refusal> {
    let record = record(repository, id)?;
    match record.configured {
        true => Err(conflict(
            "This folder is named in config.toml. Change it there and start the program again.",
        )),
        false => Ok(record),
    }
}

fn rule_of(record: &WatchRuleRecord) -> Result<Rule, Refusal> {
    serde_json::from_str(&record.rule).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> Refusal {
    Refusal::Storage(format!("The rule cannot be read or written: {error}."))
}

fn invalid(field: &str, words: &str) -> Refusal {
    super::rules::invalid(field, words)
}

async fn refuse_flaws(
    repository: &Arc<Repository>,
    rule: &Rule,
    own: Option<i64>,
) -> Result<(), Refusal> {
    let (repository, rule) = (repository.clone(), rule.clone());
    let looking = tokio::task::spawn_blocking(move || -> Result<Vec<Flaw>, DbError> {
        let records = repository.db.read_here(|read| read.watch_rules())?;
        let others = records.into_iter().filter(|other| Some(other.id) != own);
        let others: Vec<PathBuf> = others.map(|other| other.path.into()).collect();
        watch::flaws(&repository, &rule, &others)
    });
    let flaws = looking
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))??;
    let violations: Vec<Violation> = flaws
        .into_iter()
        .map(|flaw| Violation {
            path: flaw.field.to_owned(),
            text: flaw.words,
        })
        .collect();
    match violations.is_empty() {
        true => Ok(()),
        false => Err(Refusal::Invalid(message_of(&violations))),
    }
}
