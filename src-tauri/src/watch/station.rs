//! One watched folder: what is looked at when.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::aftermath::tidy;
use super::folder::{Folder, is_told_of_changes};
use super::ingest::take;
use super::notices::Notices;
use super::objects::put_pages_in_order;
use super::rule::{Poll, Rule, Subfolders};
use super::scan::{is_for, look_through, note};
use super::settle::settle;
use super::sidecar::Tables;
use super::standing::flaws;
use super::{Live, Taking, now};
use crate::content::WatchedFile;
use crate::db::{DbError, WatchRuleRecord};
use crate::repository::Repository;

/// How many files of a folder are taken at once: most of the time each waits for the disk, and they share its syncs.
const HANDS: usize = 16;
/// How many files are put before them at once.
const CLAIM: u32 = 64;
/// How many times files are looked at whether they are whole before some are taken.
const SETTLED_AT_ONCE: u32 = 4;
/// How often is looked whether the folder and its rule are still good.
const BETWEEN_LOOKS: Duration = Duration::from_secs(5);
/// How often a folder is looked through of which the system tells.
const BETWEEN_SCANS: Duration = Duration::from_secs(600);
/// How long changes may gather.
const GATHERING: Duration = Duration::from_millis(100);

/// Watches a folder until it is told to stop. Files that are being taken then are taken to the end.
pub async fn keep(repository: Arc<Repository>, record: WatchRuleRecord, stop: CancellationToken) {
    let live = repository.watch.live(record.id);
    loop {
        let outcome = match begin(&repository, &record).await {
            Ok(taking) => watch(Arc::new(taking), &live, &stop).await,
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
            repository.watch.happened();
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(BETWEEN_LOOKS) => {}
        }
    }
}

async fn begin(repository: &Arc<Repository>, record: &WatchRuleRecord) -> Result<Taking, String> {
    let rule: Rule = serde_json::from_str(&record.rule)
        .map_err(|error| format!("The rule cannot be read: {error}."))?;
    check(repository, record.id, &rule).await?;
    let folder = Folder::find(&rule.path);
    let folder = folder.map_err(|error| format!("The folder cannot be opened: {error}."))?;
    let (id, at) = (record.id, now());
    let again = repository
        .db
        .write(move |write| write.resettle_watched_files(id, at));
    again.await.map_err(|error: DbError| error.to_string())?;
    Ok(Taking {
        pattern: rule.pattern()?,
        repository: repository.clone(),
        id,
        rule,
        folder,
        tables: Tables::default(),
    })
}

/// Whether nothing speaks against a rule.
async fn check(repository: &Arc<Repository>, id: i64, rule: &Rule) -> Result<(), String> {
    let (repository, rule) = (repository.clone(), rule.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let rules = repository.db.read_here(|read| read.watch_rules())?;
        // The folder that was added first keeps its place.
        let others = rules.into_iter().filter(|other| other.id < id);
        let others: Vec<_> = others.map(|other| other.path.into()).collect();
        flaws(&repository, &rule, &others)
    });
    let found = checked.await.map_err(|error| error.to_string())?;
    let found = found.map_err(|error| error.to_string())?;
    let words: Vec<String> = found.into_iter().map(|flaw| flaw.words).collect();
    match words.is_empty() {
        true => Ok(()),
        false => Err(words.join(" ")),
    }
}

fn ear(taking: &Taking) -> Option<Notices> {
    let rule = &taking.rule;
    if rule.poll == Poll::Always || !is_told_of_changes(&rule.path) {
        return None;
    }
    Notices::of(taking.folder.path(), rule.subfolders != Subfolders::Ignored)
        .inspect_err(|error| tracing::warn!(%error, "a folder is looked at now and then: the system does not tell of it"))
        .ok()
}

/// What is under way in a folder.
struct Work {
    taking: Arc<Taking>,
    live: Arc<Live>,
    notices: Notices,
    between_scans: Duration,
    next_scan: Instant,
    next_look: Instant,
    waiting: VecDeque<WatchedFile>,
    /// Whether pages may have come between others since their order was looked at.
    unordered: bool,
    hands: JoinSet<()>,
}

async fn watch(taking: Arc<Taking>, live: &Live, stop: &CancellationToken) -> Result<(), String> {
    let ear = ear(&taking);
    live.set_polled(ear.is_none());
    let between_scans = match ear {
        Some(_) => BETWEEN_SCANS,
        None => taking.rule.poll_time(),
    };
    if live.set_problem(None) {
        taking.happened();
    }
    let mut work = Work {
        live: taking.live(taking.id),
        taking,
        notices: ear.unwrap_or_else(Notices::deaf),
        between_scans,
        next_scan: Instant::now(),
        next_look: Instant::now() + BETWEEN_LOOKS,
        waiting: VecDeque::new(),
        unordered: true,
        hands: JoinSet::new(),
    };
    let outcome = work.go_on(stop).await;
    while work.hands.join_next().await.is_some() {}
    outcome
}

impl Work {
    async fn go_on(&mut self, stop: &CancellationToken) -> Result<(), String> {
        let words = |error: DbError| error.to_string();
        while !stop.is_cancelled() {
            self.look().await?;
            for _ in 0..SETTLED_AT_ONCE {
                if !settle(&self.taking, &self.notices).await.map_err(words)? {
                    break;
                }
            }
            self.take_some().await.map_err(words)?;
            tidy(&self.taking).await.map_err(words)?;
            if self.hands.is_empty() && std::mem::take(&mut self.unordered) {
                put_pages_in_order(&self.taking).await;
            }
            self.rest(stop).await.map_err(words)?;
        }
        Ok(())
    }

    /// Looks at what has changed, or at everything.
    async fn look(&mut self) -> Result<(), String> {
        if !self.taking.folder.is_still_there() {
            return Err(
                "The folder is not there any more. Once it is back, the rest follows.".into(),
            );
        }
        if Instant::now() >= self.next_look {
            self.next_look = Instant::now() + BETWEEN_LOOKS;
            check(&self.taking.repository, self.taking.id, &self.taking.rule).await?;
        }
        let changed = self.notices.changed();
        let all = changed.is_none() || Instant::now() >= self.next_scan;
        if all {
            self.next_scan = Instant::now() + self.between_scans;
            return look_through(&self.taking, String::new()).await;
        }
        let mut files = Vec::new();
        for path in changed.unwrap_or_default() {
            let Some(path) = self.taking.folder.inside(&path) else {
                continue;
            };
            if self.taking.folder.is_folder(&path) && super::scan::enters(&self.taking.rule, &path)
            {
                look_through(&self.taking, path).await?;
            } else if is_for(&self.taking.rule, &path)
                && let Ok(Some(look)) = self.taking.folder.look(&path)
            {
                files.push(super::folder::Entry {
                    path,
                    look,
                    unspeakable: false,
                });
            }
        }
        note(&self.taking, files)
            .await
            .map_err(|error| error.to_string())
    }

    /// Gives the hands something to do.
    async fn take_some(&mut self) -> Result<(), DbError> {
        while self.hands.try_join_next().is_some() {}
        while self.hands.len() < HANDS {
            if self.waiting.is_empty() {
                let (id, at) = (self.taking.id, now());
                let claimed = self
                    .taking
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
            self.hands.spawn(take(self.taking.clone(), file));
        }
        Ok(())
    }

    /// Waits until there is something to do.
    async fn rest(&mut self, stop: &CancellationToken) -> Result<(), DbError> {
        let id = self.taking.id;
        let due = self
            .taking
            .repository
            .db
            .read_here(|read| read.next_watched_due(id))?;
        let due = due.map_or(BETWEEN_LOOKS, |due| {
            Duration::from_millis(u64::try_from(due - now()).unwrap_or(0))
                .max(Duration::from_millis(20))
        });
        // With no hand free, nothing that is due can be begun.
        let full = self.hands.len() >= HANDS || !self.waiting.is_empty();
        let due = if full { BETWEEN_LOOKS } else { due };
        let until = (Instant::now() + due)
            .min(self.next_scan)
            .min(self.next_look);
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep_until(until) => {}
            () = self.live.wake.notified() => {}
            () = self.notices.heard() => tokio::time::sleep(GATHERING).await,
            Some(_) = self.hands.join_next() => {}
        }
        Ok(())
    }
}
