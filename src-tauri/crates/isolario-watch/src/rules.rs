//! Adds, changes, pauses and removes watch rules, and retries files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{DryRunReport, RuleSource, Watch};
use isolario_core::actions::Refusal;
use isolario_db::{DbError, Read, WatchRuleRecord, Write};
use isolario_model::content::{WatchState, WatchedFile};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::{Actor, PermittedServerChange, may_run_server, permit_server};
use isolario_model::watch_rule::Rule;
use isolario_platform::files;

/// How many files one transaction retries.
const BATCH: usize = 200;

/// Adds a watch rule, and returns its number. Its folder becomes an allowed folder.
///
/// # Errors
/// `Denied`; `InvalidFields` with everything that is wrong with the rule; `Conflict` when the folder cannot be added to
/// the allowed folders.
pub async fn add(
    watch: &Arc<Watch>,
    actor: &Actor,
    mut rule: Rule,
    source: RuleSource,
) -> Result<i64, Refusal> {
    may_run_server(actor)?;
    let seen = watched(watch)?;
    check_rule(watch, &rule, None, &seen, source).await?;
    allow(watch, &rule)?;
    rule.path = files::canonicalize(&rule.path).unwrap_or(rule.path);
    put(watch, actor, rule, seen).await
}

/// Changes a watch rule: it replaces the values that `changes` names.
///
/// # Errors
/// As `add`; `Missing` for a folder that is not watched, `Conflict` for one that `config.toml` names, and when
/// another request changes watched folders at the same time.
pub async fn change(
    watch: &Arc<Watch>,
    actor: &Actor,
    id: i64,
    changes: Map<String, Value>,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let seen = watched(watch)?;
    let record = changeable(&seen, id)?;
    let mut rule: Map<String, Value> = serde_json::from_str(&record.rule).map_err(unreadable)?;
    rule.extend(changes);
    let rule: Rule = serde_json::from_value(rule.into())
        .map_err(|error| Refusal::Invalid(format!("The rule makes no sense: {error}.")))?;
    if rule.path.to_str() != Some(&record.path) {
        let message = "Another folder needs a rule of its own.";
        return Err(Violation::of_field("path", ViolationCode::NotPermitted, message).into());
    }
    check_rule(watch, &rule, Some(id), &seen, RuleSource::Client).await?;
    put(watch, actor, rule, seen).await?;
    Ok(())
}

/// Removes a watch rule. Its ledger stays, so a folder that is watched again has no file ingested twice.
///
/// # Errors
/// `Denied`; `Missing`; `Conflict` for a folder that `config.toml` names.
pub async fn remove(watch: &Arc<Watch>, actor: &Actor, id: i64) -> Result<(), Refusal> {
    may_run_server(actor)?;
    write(watch, actor, move |write, permitted, at| {
        changeable(&write.watch_rules()?, id)?;
        Ok(write.remove_watch_rule(permitted, id, at)?)
    })
    .await
}

/// Restores a watch rule that was removed, with its ledger, and paused if it was.
///
/// # Errors
/// As `add`; `Missing` for a folder that never was; `Conflict` for one that is watched or that `config.toml` named.
pub async fn restore(watch: &Arc<Watch>, actor: &Actor, id: i64) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let seen = watched(watch)?;
    let find =
        |read: &Read<'_>| Ok::<_, DbError>((read.watch_rule(id)?, read.removed_watch_rule(id)?));
    let gone = match watch.repository.db.read_here(find)? {
        (Some(_), _) => return Err(conflict("This folder is watched already.")),
        (None, Some(gone)) if gone.configured => {
            return Err(conflict(
                "This folder was named in config.toml. Name it there again and start the program again.",
            ));
        }
        (None, Some(gone)) => gone,
        (None, None) => return Err(unknown(id)),
    };
    let rule = rule_of(&gone)?;
    check_rule(watch, &rule, None, &seen, RuleSource::Client).await?;
    allow(watch, &rule)?;
    write(watch, actor, move |write, permitted, at| {
        refuse_others(write, &seen)?;
        Ok(write.restore_watch_rule(permitted, id, at)?)
    })
    .await
}

/// Pauses a folder or resumes it. Running ingests are finished.
///
/// # Errors
/// `Denied`; `Missing`.
pub async fn pause(
    watch: &Arc<Watch>,
    actor: &Actor,
    id: i64,
    paused: bool,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    write(watch, actor, move |write, permitted, at| {
        record(&write.watch_rules()?, id)?;
        Ok(write.pause_watch_rule(permitted, id, paused, at)?)
    })
    .await
}

/// Retries a failed file.
///
/// # Errors
/// `Denied`; `Missing`; `Conflict` when the file cannot be moved back.
pub async fn retry(watch: &Arc<Watch>, actor: &Actor, id: i64, file: i64) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let rule = rule_of(record(&watched(watch)?, id)?)?;
    let found = watch
        .repository
        .db
        .read_here(|read| read.watched_file(file))?;
    let found = found.filter(|found| found.rule == id);
    let found =
        found.ok_or_else(|| Refusal::Missing(format!("There is no file {file} in the ledger.")))?;
    crate::retry(&watch.repository, rule, found).await?;
    watch.look_again(id);
    Ok(())
}

/// Retries all failed files of a folder, and returns how many these are.
///
/// # Errors
/// `Denied`; `Missing`.
pub async fn retry_all(watch: &Arc<Watch>, actor: &Actor, id: i64) -> Result<u64, Refusal> {
    may_run_server(actor)?;
    let rule = rule_of(record(&watched(watch)?, id)?)?;
    let (mut before, mut count) = (None, 0);
    loop {
        let failed = Some(WatchState::Failed);
        let page: Vec<WatchedFile> = watch
            .repository
            .db
            .read_here(|read| read.watched_file_page(id, failed, before, BATCH))?;
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        for file in page {
            count += u64::from(
                crate::retry(&watch.repository, rule.clone(), file)
                    .await
                    .is_ok(),
            );
        }
    }
    watch.look_again(id);
    Ok(count)
}

/// Computes the dry run of a rule.
///
/// # Errors
/// As `add`.
pub async fn dry_run(
    watch: &Arc<Watch>,
    actor: &Actor,
    rule: Rule,
) -> Result<DryRunReport, Refusal> {
    may_run_server(actor)?;
    let seen = watched(watch)?;
    let path = files::canonicalize(&rule.path).unwrap_or_else(|_| rule.path.clone());
    let own = seen
        .iter()
        .find(|record| path.as_path() == Path::new(&record.path));
    let own = own.map(|record| record.id);
    check_rule(watch, &rule, own, &seen, RuleSource::Client).await?;
    crate::dry_run(watch, rule).await
}

/// Adds the watch rules of `config.toml`, and removes those that it named before. Their watchers validate them.
///
/// # Errors
/// What the database refuses.
pub async fn adopt_configured(watch: &Arc<Watch>) -> Result<(), Refusal> {
    let (rules, program) = (watch.repository.config.watch.clone(), Actor::program());
    let named = |record: &WatchRuleRecord| {
        rules
            .iter()
            .any(|rule| rule.path.to_str() == Some(&record.path))
    };
    for gone in watched(watch)?
        .iter()
        .filter(|record| record.configured && !named(record))
    {
        let id = gone.id;
        write(watch, &program, move |write, permitted, at| {
            Ok(write.remove_watch_rule(permitted, id, at)?)
        })
        .await?;
    }
    for rule in rules {
        let (path, text) = as_kept(&rule)?;
        write(watch, &program, move |write, permitted, at| {
            let put = write.put_watch_rule(permitted, &path, &text, true, at);
            Ok(put.map(drop)?)
        })
        .await?;
    }
    Ok(())
}

/// Adds the folder of a rule to the allowed folders, so that the rule is still valid after the next start.
fn allow(watch: &Watch, rule: &Rule) -> Result<(), Refusal> {
    let allowed = watch.repository.folders.allow(&rule.path);
    allowed.map_err(|error| Refusal::Conflict(error.to_string()))
}

async fn put(
    watch: &Arc<Watch>,
    actor: &Actor,
    rule: Rule,
    seen: Vec<WatchRuleRecord>,
) -> Result<i64, Refusal> {
    let (path, text) = as_kept(&rule)?;
    write(watch, actor, move |write, permitted, at| {
        refuse_others(write, &seen)?;
        Ok(write.put_watch_rule(permitted, &path, &text, false, at)?)
    })
    .await
}

/// Refuses a change if the rules have changed since they were read.
fn refuse_others(read: &Read<'_>, seen: &[WatchRuleRecord]) -> Result<(), Refusal> {
    match read.watch_rules()? == seen {
        true => Ok(()),
        false => Err(conflict(
            "The watched folders have been changed meanwhile. Look at them and try again.",
        )),
    }
}

/// Changes rules at a time (Unix seconds), if the policy permits it in the transaction.
async fn write<T, F>(watch: &Arc<Watch>, actor: &Actor, change: F) -> Result<T, Refusal>
where
    T: Send + 'static,
    F: for<'t> FnOnce(&mut Write<'t>, &PermittedServerChange<'t>, i64) -> Result<T, Refusal>
        + Send
        + 'static,
{
    let (at, actor) = (chrono::Utc::now().timestamp(), actor.clone());
    let written = watch.repository.db.write(move |write| {
        let permitted = permit_server(&actor)?;
        change(write, &permitted, at)
    });
    let changed = written.await?;
    watch.rules_changed();
    Ok(changed)
}

fn as_kept(rule: &Rule) -> Result<(String, String), Refusal> {
    let path = rule.path.to_string_lossy().into_owned();
    Ok((path, serde_json::to_string(rule).map_err(unreadable)?))
}

fn watched(watch: &Watch) -> Result<Vec<WatchRuleRecord>, DbError> {
    watch.repository.db.read_here(|read| read.watch_rules())
}

fn record(watched: &[WatchRuleRecord], id: i64) -> Result<&WatchRuleRecord, Refusal> {
    let found = watched.iter().find(|record| record.id == id);
    found.ok_or_else(|| unknown(id))
}

fn unknown(id: i64) -> Refusal {
    Refusal::Missing(format!("There is no watched folder {id}."))
}

fn conflict(words: &str) -> Refusal {
    Refusal::Conflict(words.to_owned())
}

fn changeable(watched: &[WatchRuleRecord], id: i64) -> Result<&WatchRuleRecord, Refusal> {
    let record = record(watched, id)?;
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

async fn check_rule(
    watch: &Arc<Watch>,
    rule: &Rule,
    own: Option<i64>,
    seen: &[WatchRuleRecord],
    source: RuleSource,
) -> Result<(), Refusal> {
    let made = watch.repository.folders.make_incoming(&rule.path);
    made.map_err(|error| Refusal::Storage(error.to_string()))?;
    let (repository, rule) = (watch.repository.clone(), rule.clone());
    let others = seen.iter().filter(|other| Some(other.id) != own);
    let others: Vec<PathBuf> = others.map(|other| other.path.clone().into()).collect();
    let looking = tokio::task::spawn_blocking(move || -> Result<Vec<Violation>, DbError> {
        crate::validate_rule(&repository, &rule, &others, source)
    });
    let violations = looking
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))??;
    isolario_core::actions::validation::refuse(violations)
}
