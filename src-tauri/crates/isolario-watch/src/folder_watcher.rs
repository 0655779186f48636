//! Watches one folder: scans it, settles its files, and gives them to workers that ingest them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cleanup::clean_up;
use super::folder::is_told_of_changes;
use super::ingest::ingest;
use super::notices::Notices;
use super::objects::put_pages_in_order;
use super::rule_validation::{RuleSource, folder_of, validate_rule};
use super::scan::{is_for, look_through, note};
use super::settle::settle;
use super::sidecar::Tables;
use super::{Live, Watch, WatchedFolder, now};
use isolario_core::repository::Repository;
use isolario_db::{DbError, WatchRuleRecord};
use isolario_model::content::WatchedFile;
use isolario_model::watch_rule::{Poll, Rule, Subfolders};

/// How many files of a folder are ingested at once. Each waits for the disk most of the time, and they share syncs.
const WORKERS: usize = 16;
/// How many files are claimed at once.
const CLAIM: u32 = 64;
/// How many batches of files are settled before workers start.
const SETTLED_AT_ONCE: u32 = 4;
/// How often the folder and its rule are validated again.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How often a folder with change notices is scanned.
const BETWEEN_SCANS: Duration = Duration::from_secs(600);
/// How long changes gather before the watcher wakes.
const GATHERING: Duration = Duration::from_millis(100);

/// Watches a folder until `stop` is cancelled. It then waits for the running ingests.
pub async fn run(folders: Arc<Watch>, record: WatchRuleRecord, stop: CancellationToken) {
    let live = folders.live(record.id);
    loop {
        let outcome = match begin(&folders, &record).await {
            Ok(watched) => watch(Arc::new(watched), &live, &stop).await,
            Err(words) => Err(words),
        };
        let problem = outcome.err();
        if let Some(words) = &problem {
            tracing::warn!(
                folder = record.path,
                problem = words,
                "a folder cannot be watched"
            );
        }
        if live.set_problem(problem) {
            folders.happened();
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

async fn begin(watch: &Arc<Watch>, record: &WatchRuleRecord) -> Result<WatchedFolder, String> {
    let repository = &watch.repository;
    let rule: Rule = serde_json::from_str(&record.rule)
        .map_err(|error| format!("The rule cannot be read: {error}."))?;
    check(repository, record.id, &rule).await?;
    let folder = folder_of(repository, &rule);
    let folder = folder.map_err(|error| format!("The folder cannot be opened: {error}."))?;
    let (id, at) = (record.id, now());
    let again = repository
        .db
        .write(move |write| write.resettle_watched_files(id, at));
    again.await.map_err(|error: DbError| error.to_string())?;
    Ok(WatchedFolder {
        pattern: rule.pattern()?,
        watch: watch.clone(),
        id,
        rule,
        folder,
        tables: Tables::default(),
    })
}

/// Validates a rule against the folders of the rules before it.
async fn check(repository: &Arc<Repository>, id: i64, rule: &Rule) -> Result<(), String> {
    let (repository, rule) = (repository.clone(), rule.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let rules = repository.db.read_here(|read| read.watch_rules())?;
        // The folder that was added first keeps its place.
        let others = rules.into_iter().filter(|other| other.id < id);
        let others: Vec<_> = others.map(|other| other.path.into()).collect();
        validate_rule(&repository, &rule, &others, RuleSource::Rule)
    });
    let found = checked.await.map_err(|error| error.to_string())?;
    let found = found.map_err(|error| error.to_string())?;
    let words: Vec<String> = found
        .into_iter()
        .map(|violation| violation.message)
        .collect();
    match words.is_empty() {
        true => Ok(()),
        false => Err(words.join(" ")),
    }
}

fn watcher(watched: &WatchedFolder) -> Option<Notices> {
    let rule = &watched.rule;
    if rule.poll == Poll::Always || !is_told_of_changes(watched.folder.path()) {
        return None;
    }
    Notices::of(watched.folder.path(), rule.subfolders != Subfolders::Ignored)
        .inspect_err(|error| tracing::warn!(%error, "a folder is looked at now and then: the system does not tell of it"))
        .ok()
}

/// The state of the watch on a folder, with its workers.
struct FolderWatcher {
    watched: Arc<WatchedFolder>,
    live: Arc<Live>,
    notices: Notices,
    between_scans: Duration,
    next_scan: Instant,
    next_look: Instant,
    waiting: VecDeque<WatchedFile>,
    /// Whether a page may have been ingested between others since the pages were ordered.
    unordered: bool,
    workers: JoinSet<()>,
}

async fn watch(
    watched: Arc<WatchedFolder>,
    live: &Live,
    stop: &CancellationToken,
) -> Result<(), String> {
    let notices = watcher(&watched);
    live.set_polled(notices.is_none());
    let between_scans = match notices {
        Some(_) => BETWEEN_SCANS,
        None => watched.rule.poll_time(),
    };
    if live.set_problem(None) {
        watched.happened();
    }
    let mut watcher = FolderWatcher {
        live: watched.live(watched.id),
        watched,
        notices: notices.unwrap_or_else(Notices::disabled),
        between_scans,
        next_scan: Instant::now(),
        next_look: Instant::now() + POLL_INTERVAL,
        waiting: VecDeque::new(),
        unordered: true,
        workers: JoinSet::new(),
    };
    let outcome = watcher.watch_folder(stop).await;
    while watcher.workers.join_next().await.is_some() {}
    outcome
}

impl FolderWatcher {
    async fn watch_folder(&mut self, stop: &CancellationToken) -> Result<(), String> {
        let words = |error: DbError| error.to_string();
        while !stop.is_cancelled() {
            self.look().await?;
            for _ in 0..SETTLED_AT_ONCE {
                if !settle(&self.watched, &self.notices).await.map_err(words)? {
                    break;
                }
            }
            self.ingest_some().await.map_err(words)?;
            clean_up(&self.watched).await.map_err(words)?;
            if self.workers.is_empty() && std::mem::take(&mut self.unordered) {
                put_pages_in_order(&self.watched).await;
            }
            self.rest(stop).await.map_err(words)?;
        }
        Ok(())
    }

    /// Scans the paths that have changed, or the whole folder.
    async fn look(&mut self) -> Result<(), String> {
        if !self.watched.folder.is_still_there() {
            return Err(
                "The folder is not there any more. Once it is back, the rest follows.".into(),
            );
        }
        if Instant::now() >= self.next_look {
            self.next_look = Instant::now() + POLL_INTERVAL;
            check(
                &self.watched.repository,
                self.watched.id,
                &self.watched.rule,
            )
            .await?;
        }
        let changed = self.notices.changed();
        let all = changed.is_none() || Instant::now() >= self.next_scan;
        if all {
            self.next_scan = Instant::now() + self.between_scans;
            return look_through(&self.watched, String::new()).await;
        }
        let mut files = Vec::new();
        for path in changed.unwrap_or_default() {
            let Some(path) = self.watched.folder.inside(&path) else {
                continue;
            };
            if self.watched.folder.is_folder(&path)
                && super::scan::enters(&self.watched.rule, &path)
            {
                look_through(&self.watched, path).await?;
            } else if is_for(&self.watched.rule, &path)
                && let Ok(Some(look)) = self.watched.folder.look(&path)
            {
                files.push(super::folder::Entry {
                    path,
                    look,
                    unspeakable: false,
                });
            }
        }
        note(&self.watched, files)
            .await
            .map_err(|error| error.to_string())
    }

    /// Starts workers for settled files.
    async fn ingest_some(&mut self) -> Result<(), DbError> {
        while self.workers.try_join_next().is_some() {}
        while self.workers.len() < WORKERS {
            if self.waiting.is_empty() {
                let (id, at) = (self.watched.id, now());
                let claimed = self
                    .watched
                    .repository
                    .db
                    .write(move |write| write.claim_watched_files(id, at, CLAIM));
                let claimed: Result<_, DbError> = claimed.await;
                self.waiting.extend(claimed?);
            }
            let Some(file) = self.waiting.pop_front() else {
                return Ok(());
            };
            self.unordered = true;
            self.workers.spawn(ingest(self.watched.clone(), file));
        }
        Ok(())
    }

    /// Waits until there is something to do.
    async fn rest(&mut self, stop: &CancellationToken) -> Result<(), DbError> {
        let id = self.watched.id;
        let due = self
            .watched
            .repository
            .db
            .read_here(|read| read.next_watched_due(id))?;
        let due = due.map_or(POLL_INTERVAL, |due| {
            Duration::from_millis(u64::try_from(due - now()).unwrap_or(0))
                .max(Duration::from_millis(20))
        });
        // While all workers are busy, nothing that is due can begin.
        let full = self.workers.len() >= WORKERS || !self.waiting.is_empty();
        let due = if full { POLL_INTERVAL } else { due };
        let until = (Instant::now() + due)
            .min(self.next_scan)
            .min(self.next_look);
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep_until(until) => {}
            () = self.live.wake.notified() => {}
            () = self.notices.heard() => tokio::time::sleep(GATHERING).await,
            Some(_) = self.workers.join_next() => {}
        }
        Ok(())
    }
}
