//! Which product is made next: what somebody looks at before all, and of the rest small pictures first.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::pace::Pace;
use crate::content::Derivative;
use crate::db::DbError;
use crate::derive::Kind;
use crate::repository::Repository;

/// Longest time between two looks at the table.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);
/// How long changes may gather before what they ask for is begun.
const GATHERING: Duration = Duration::from_millis(200);
/// How long is waited while others change things.
const BREATH: Duration = Duration::from_millis(250);

/// The way of one hand to its next work.
pub struct Queue {
    pub repository: Arc<Repository>,
    pace: Arc<Pace>,
    commits: tokio::sync::watch::Receiver<u64>,
    kinds: Vec<&'static str>,
}

/// Work that has begun.
pub struct Turn {
    pub derivative: Derivative,
    began: Instant,
}

impl Queue {
    /// To the kinds that are switched on.
    pub fn new(repository: Arc<Repository>, pace: Arc<Pace>) -> Queue {
        let rules = &repository.config.derivatives;
        let kinds = Kind::ALL.iter().map(|kind| kind.as_str());
        Queue {
            kinds: kinds.filter(|kind| rules.makes(kind)).collect(),
            commits: repository.db.commits(),
            repository,
            pace,
        }
    }

    /// Waits for work, and begins it.
    pub async fn next(&mut self) -> Turn {
        loop {
            self.commits.borrow_and_update();
            match self.begin_some().await {
                Ok(Some(turn)) => return turn,
                Ok(None) => self.wait().await,
                Err(error) => {
                    tracing::error!(%error, "what is to be made cannot be looked up");
                    sleep(BETWEEN_LOOKS).await;
                }
            }
        }
    }

    /// Notes that work has ended.
    pub fn done(&self, turn: Turn) {
        self.pace.worked(turn.began.elapsed());
    }

    async fn begin_some(&self) -> Result<Option<Turn>, DbError> {
        loop {
            // What somebody looks at does not wait for others.
            let mut found = self.first(1).await?;
            if found.is_none() {
                found = self.first(0).await?;
                if found.is_some() && !self.pace.may_begin() {
                    sleep(BREATH).await;
                    continue;
                }
            }
            let Some(derivative) = found else {
                return Ok(None);
            };
            let (id, at) = (derivative.id, now());
            let begun = self
                .repository
                .db
                .write(move |write| write.begin_derivative(id, at));
            if begun.await? {
                return Ok(Some(Turn {
                    derivative,
                    began: Instant::now(),
                }));
            }
            self.pace.worked(Duration::ZERO);
        }
    }

    /// The first of what is at least so urgent.
    async fn first(&self, priority: i64) -> Result<Option<Derivative>, DbError> {
        let (kinds, at) = (self.kinds.clone(), now());
        let read = self
            .repository
            .db
            .read(move |read| -> Result<Option<Derivative>, DbError> {
                let mut first: Option<Derivative> = None;
                for kind in kinds {
                    let found = read.next_derivative(kind, at, priority)?;
                    let sooner = |found: &Derivative| {
                        first
                            .as_ref()
                            .is_none_or(|first| found.priority > first.priority)
                    };
                    if found.as_ref().is_some_and(sooner) {
                        first = found;
                    }
                }
                Ok(first)
            });
        read.await
    }

    /// Waits until there may be something to do.
    async fn wait(&mut self) {
        let due = self.next_due().await.unwrap_or_default();
        let seconds = due.map_or(i64::MAX, |due| (due - now()).max(1));
        let wait = Duration::from_secs(u64::try_from(seconds).unwrap_or(1)).min(BETWEEN_LOOKS);
        tokio::select! {
            () = sleep(wait) => {}
            () = self.repository.derivatives.wake.notified() => return,
            changed = self.commits.changed() => if changed.is_err() {
                // The writer has gone; the program is about to close.
                std::future::pending::<()>().await;
            },
        }
        // Whoever looks is not kept waiting.
        let _ = timeout(GATHERING, self.repository.derivatives.wake.notified()).await;
    }

    async fn next_due(&self) -> Result<Option<i64>, DbError> {
        let kinds = self.kinds.clone();
        let read = self.repository.db.read(move |read| -> Result<_, DbError> {
            let mut first: Option<i64> = None;
            for kind in kinds {
                let due = read.next_derivative_due(kind)?;
                first = first.into_iter().chain(due).min();
            }
            Ok(first)
        });
        read.await
    }
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}
