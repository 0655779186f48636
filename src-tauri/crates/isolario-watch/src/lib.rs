//! Watched folders (docs/WATCHED-FOLDERS.md). The watcher finds the files, waits until each has settled, drafts an item
//! by the rule of the folder, and ingests the file by the same actions as every other origin.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod cleanup;
mod draft;
mod dry_run;
mod folder;
mod folder_watcher;
mod ingest;
mod live;
mod names;
mod notices;
mod objects;
mod outcome;
mod retry;
mod rule_validation;
pub mod rules;
mod scan;
mod settle;
mod sidecar;
mod values;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use dry_run::{DryRunEntry, DryRunReport, dry_run};
pub use live::{IngestRate, Live};
pub use retry::retry;
pub use rule_validation::{RuleSource, validate_rule};

use folder::Folder;
use isolario_core::repository::Repository;
use isolario_db::WatchRuleRecord;
use isolario_model::watch_rule::Rule;
use sidecar::Tables;

/// The watched folders of a repository, with the state of each.
pub struct Watch {
    pub repository: Arc<Repository>,
    live: std::sync::Mutex<HashMap<i64, Arc<Live>>>,
    /// Wakes `run` when rules have changed.
    rules: Notify,
    /// Counts events in watched folders, for the pages that show the folders.
    changes: watch::Sender<u64>,
    /// Held while terms and items of folders are made, so that two workers do not make the same one.
    turns: Mutex<()>,
}

impl Watch {
    /// Nothing is watched before `run`.
    pub fn new(repository: Arc<Repository>) -> Watch {
        Watch {
            repository,
            live: std::sync::Mutex::default(),
            rules: Notify::new(),
            changes: watch::channel(0).0,
            turns: Mutex::default(),
        }
    }

    /// The current state of a watched folder.
    pub fn live(&self, rule: i64) -> Arc<Live> {
        let mut live = self
            .live
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        live.entry(rule).or_default().clone()
    }

    /// Makes `run` read the rules again.
    pub fn rules_changed(&self) {
        self.rules.notify_one();
        self.happened();
    }

    /// Makes the watcher of a folder read its ledger again.
    pub fn look_again(&self, rule: i64) {
        self.live(rule).wake.notify_one();
        self.happened();
    }

    /// Wakes when something has happened in a watched folder.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn happened(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

/// One watched folder, with its rule and what an ingest reads.
struct WatchedFolder {
    watch: Arc<Watch>,
    id: i64,
    rule: Rule,
    pattern: Option<regex::Regex>,
    folder: Folder,
    tables: Tables,
}

impl std::ops::Deref for WatchedFolder {
    type Target = Watch;
    fn deref(&self) -> &Watch {
        &self.watch
    }
}

/// The task that watches a folder.
struct FolderTask {
    record: WatchRuleRecord,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

/// How long the program waits at its end for running ingests.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// Watches all folders until the program closes, and then waits for running ingests.
pub async fn run(watch: Arc<Watch>) {
    let repository = &watch.repository;
    let mut tasks: HashMap<i64, FolderTask> = HashMap::new();
    loop {
        match repository.db.read(|read| read.watch_rules()).await {
            Ok(rules) => arrange(&watch, &mut tasks, rules).await,
            Err(error) => tracing::error!(%error, "the watched folders cannot be looked up"),
        }
        tokio::select! {
            () = repository.closing.cancelled() => break,
            () = watch.rules.notified() => {}
            () = tokio::time::sleep(Duration::from_secs(60)) => {}
        }
    }
    let ending = futures_util::future::join_all(tasks.into_values().map(FolderTask::end));
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, ending)
        .await
        .is_err()
    {
        tracing::warn!(
            "files of watched folders that are being taken are taken anew after the next start"
        );
    }
}

impl FolderTask {
    async fn end(self) {
        self.stop.cancel();
        // It ends with the files that it is taking; a panic of its was logged.
        let _ = self.task.await;
    }
}

/// Starts the watchers of new rules. Stops those of rules that were removed, paused or changed.
async fn arrange(
    watch: &Arc<Watch>,
    tasks: &mut HashMap<i64, FolderTask>,
    rules: Vec<WatchRuleRecord>,
) {
    let stays = |one: &FolderTask| {
        rules.contains(&one.record) && !one.record.paused && !one.task.is_finished()
    };
    let over: Vec<i64> = tasks
        .iter()
        .filter(|(_, one)| !stays(one))
        .map(|(id, _)| *id)
        .collect();
    for id in over {
        if let Some(one) = tasks.remove(&id) {
            one.end().await;
        }
    }
    for record in rules {
        if record.paused || tasks.contains_key(&record.id) {
            continue;
        }
        let stop = watch.repository.closing.child_token();
        let task = tokio::spawn(folder_watcher::run(
            watch.clone(),
            record.clone(),
            stop.clone(),
        ));
        tasks.insert(record.id, FolderTask { record, stop, task });
    }
}

/// Unix milliseconds.
fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}
