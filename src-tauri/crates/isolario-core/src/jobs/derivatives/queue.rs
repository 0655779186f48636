//! The order of jobs: items that a person looks at come first, then thumbnails before other kinds.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::throttle::WorkThrottle;
use crate::repository::Repository;
use isolario_db::DbError;
use isolario_derive::Kind;
use isolario_model::content::Derivative;

/// Longest time between two queries of the table.
const POLL_INTERVAL: Duration = Duration::from_secs(60);
/// How long changes may gather before their jobs begin.
const GATHERING: Duration = Duration::from_millis(200);
/// The pause while other changes are written.
const PAUSE: Duration = Duration::from_millis(250);

/// Gives a worker its next job.
pub struct Queue {
    pub repository: Arc<Repository>,
    throttle: Arc<WorkThrottle>,
    commits: tokio::sync::watch::Receiver<u64>,
    kinds: Vec<&'static str>,
}

/// A job that has begun.
pub struct RunningJob {
    pub derivative: Derivative,
    began: Instant,
}

impl Queue {
    /// A queue of the kinds that the configuration enables.
    pub fn new(repository: Arc<Repository>, throttle: Arc<WorkThrottle>) -> Queue {
        let rules = &repository.config.derivatives;
        let kinds = Kind::ALL.iter().map(|kind| kind.as_str());
        Queue {
            kinds: kinds.filter(|kind| rules.makes(kind)).collect(),
            commits: repository.db.commits(),
            repository,
            throttle,
        }
    }

    /// Waits for a job, and begins it.
    pub async fn next(&mut self) -> RunningJob {
        loop {
            self.commits.borrow_and_update();
            match self.begin_some().await {
                Ok(Some(job)) => return job,
                Ok(None) => self.wait().await,
                Err(error) => {
                    tracing::error!(%error, "what is to be made cannot be looked up");
                    sleep(POLL_INTERVAL).await;
                }
            }
        }
    }

    /// Records that a job has ended.
    pub fn done(&self, job: RunningJob) {
        self.throttle.worked(job.began.elapsed());
    }

    async fn begin_some(&self) -> Result<Option<RunningJob>, DbError> {
        loop {
            // A job with priority is not throttled.
            let mut found = self.first(1).await?;
            if found.is_none() {
                found = self.first(0).await?;
                if found.is_some() && !self.throttle.may_begin() {
                    sleep(PAUSE).await;
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
                return Ok(Some(RunningJob {
                    derivative,
                    began: Instant::now(),
                }));
            }
            self.throttle.worked(Duration::ZERO);
        }
    }

    /// The first job of at least this priority.
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
        let wait = Duration::from_secs(u64::try_from(seconds).unwrap_or(1)).min(POLL_INTERVAL);
        tokio::select! {
            () = sleep(wait) => {}
            () = self.repository.derivatives.woken() => return,
            changed = self.commits.changed() => if changed.is_err() {
                // The writer has gone; the program is about to close.
                std::future::pending::<()>().await;
            },
        }
        // Whoever looks is not kept waiting.
        let _ = timeout(GATHERING, self.repository.derivatives.woken()).await;
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
