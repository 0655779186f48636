//! Watched folders (docs/WATCHED-FOLDERS.md): looks what is there, waits until it has settled, finds out by
//! the folder's rule what it is to become, and calls the same actions as all other doors.

mod aftermath;
mod draft;
mod folder;
mod ingest;
mod kinds;
mod live;
mod names;
mod notices;
mod objects;
mod outcome;
mod rehearsal;
mod retry;
mod rule;
mod scan;
mod settle;
mod sidecar;
mod standing;
mod station;
mod values;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use live::{Live, Pace};
pub use rehearsal::{Foreseen, Rehearsal, rehearse};
pub use retry::retry;
pub use rule::{AUTO, Afterwards, Duplicates, Poll, Rule, Sidecar, Subfolders, Texts};
pub use standing::{Flaw, flaws};

use crate::db::WatchRuleRecord;
use crate::repository::Repository;
use folder::Folder;
use sidecar::Tables;

/// How things stand in the watched folders of a repository.
pub struct Watch {
    live: std::sync::Mutex<HashMap<i64, Arc<Live>>>,
    /// Wakes the one who watches, when rules have changed.
    rules: Notify,
    /// Counts what happens, for those who look.
    changes: watch::Sender<u64>,
    /// Held while terms and folders are made that others may want at the same moment.
    turns: Mutex<()>,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            live: std::sync::Mutex::default(),
            rules: Notify::new(),
            changes: watch::channel(0).0,
            turns: Mutex::default(),
        }
    }
}

impl Watch {
    /// How a watched folder is doing.
    pub fn live(&self, rule: i64) -> Arc<Live> {
        let mut live = self
            .live
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        live.entry(rule).or_default().clone()
    }

    /// Looks at the rules anew.
    pub fn rules_changed(&self) {
        self.rules.notify_one();
        self.happened();
    }

    /// Looks at the ledger of a folder anew.
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

/// One watched folder, and what is needed to take files from it.
struct Taking {
    repository: Arc<Repository>,
    id: i64,
    rule: Rule,
    pattern: Option<regex::Regex>,
    folder: Folder,
    tables: Tables,
}

impl std::ops::Deref for Taking {
    type Target = Watch;
    fn deref(&self) -> &Watch {
        &self.repository.watch
    }
}

/// Somebody who watches a folder.
struct Watching {
    record: WatchRuleRecord,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

/// How long the end of the program waits for files that are being taken.
const PATIENCE: Duration = Duration::from_secs(20);

/// Watches all folders until the program closes. A file that is being taken then is taken to the end, if that
/// is near.
pub async fn run(repository: Arc<Repository>) {
    let mut watching: HashMap<i64, Watching> = HashMap::new();
    loop {
        match repository.db.read(|read| read.watch_rules()).await {
            Ok(rules) => arrange(&repository, &mut watching, rules).await,
            Err(error) => tracing::error!(%error, "the watched folders cannot be looked up"),
        }
        tokio::select! {
            () = repository.closing.cancelled() => break,
            () = repository.watch.rules.notified() => {}
            () = tokio::time::sleep(Duration::from_secs(60)) => {}
        }
    }
    let ending = futures_util::future::join_all(watching.into_values().map(Watching::end));
    if tokio::time::timeout(PATIENCE, ending).await.is_err() {
        tracing::warn!(
            "files of watched folders that are being taken are taken anew after the next start"
        );
    }
}

impl Watching {
    async fn end(self) {
        self.stop.cancel();
        // It ends with the files that it is taking; a panic of its was logged.
        let _ = self.task.await;
    }
}

/// Begins to watch what is new, and ends what is over, paused, or has another rule now.
async fn arrange(
    repository: &Arc<Repository>,
    watching: &mut HashMap<i64, Watching>,
    rules: Vec<WatchRuleRecord>,
) {
    let stays = |one: &Watching| {
        rules.contains(&one.record) && !one.record.paused && !one.task.is_finished()
    };
    let over: Vec<i64> = watching
        .iter()
        .filter(|(_, one)| !stays(one))
        .map(|(id, _)| *id)
        .collect();
    for id in over {
        if let Some(one) = watching.remove(&id) {
            one.end().await;
        }
    }
    for record in rules {
        if record.paused || watching.contains_key(&record.id) {
            continue;
        }
        let stop = repository.closing.child_token();
        let task = tokio::spawn(station::keep(
            repository.clone(),
            record.clone(),
            stop.clone(),
        ));
        watching.insert(record.id, Watching { record, stop, task });
    }
}

/// Unix milliseconds.
fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}
