//! Runs queued jobs in the background, and pauses while others write.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::work::{JobOutcome, do_all};
use crate::records;
use crate::repository::Repository;
use isolario_db::DbError;

/// How long changes gather before their jobs begin, so that a resource that changes often has one job.
const GATHERING: Duration = Duration::from_secs(2);
/// Jobs of a batch.
const MANY: u32 = 500;
/// Jobs of a batch while others may write, because they wait for it.
const FEW: u32 = 50;
/// While others write, the pause is so many times as long as the batch took.
const REST: u32 = 20;
/// Longest time between two attempts, seconds.
const LONGEST_WAIT: i64 = 3600;

/// How long the program waits at its end for jobs.
const LAST_WORK: Duration = Duration::from_secs(20);

/// Runs jobs until the program closes. It finishes the running ones.
pub async fn run(repository: Arc<Repository>) {
    let closing = &repository.closing;
    let mut commits = repository.db.commits();
    let started = repository.db.write(|write| write.make_jobs_due()).await;
    log(started);
    let gather = || closing.run_until_cancelled(tokio::time::sleep(GATHERING));
    while gather().await.is_some() {
        let next = clear(&repository, &mut commits).await;
        let next = next.unwrap_or_else(|error| {
            tracing::error!(%error, "waiting work cannot be looked at");
            Some(now() + LONGEST_WAIT)
        });
        closing.run_until_cancelled(until(next, &mut commits)).await;
    }
}

/// Runs the waiting jobs before the program ends, when nobody else writes any more, for at most 20 seconds. Returns how
/// many are left for the next start.
pub async fn finish(repository: &Repository) -> i64 {
    match tokio::time::timeout(LAST_WORK, clear_at_once(repository)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "waiting work cannot be finished"),
        Err(_) => tracing::warn!("there was more waiting work than time for it"),
    }
    let left = records::backlog(&repository.db).await;
    let left = left.map_or(0, |backlog| backlog.pending);
    if left > 0 {
        tracing::warn!(left, "records are written after the next start");
    }
    left
}

/// Tries all waiting jobs, without a pause. Those that fail again keep waiting.
async fn clear_at_once(repository: &Repository) -> Result<(), DbError> {
    let db = &repository.db;
    db.write(|write| write.make_jobs_due()).await?;
    loop {
        let jobs = db.read(|read| read.due_jobs(now(), MANY)).await?;
        if jobs.is_empty() {
            return Ok(());
        }
        let outcomes = do_all(repository, jobs).await;
        record_ending(repository, outcomes).await?;
    }
}

/// Runs all jobs that are due, until the program closes. Returns when the next one is due, in Unix seconds.
async fn clear(
    repository: &Repository,
    commits: &mut watch::Receiver<u64>,
) -> Result<Option<i64>, DbError> {
    let mut batch = FEW;
    let closing = &repository.closing;
    loop {
        let before = *commits.borrow_and_update();
        let began = Instant::now();
        let jobs = repository
            .db
            .read(move |read| read.due_jobs(now(), batch))
            .await?;
        if jobs.is_empty() || closing.is_cancelled() {
            return repository.db.read(|read| read.next_due()).await;
        }
        let outcomes = do_all(repository, jobs).await;
        record_ending(repository, outcomes).await?;
        // One commit is this work's own.
        let others_write = *commits.borrow() > before + 1;
        batch = if others_write { FEW } else { MANY };
        if others_write {
            let rest = tokio::time::sleep(began.elapsed() * REST);
            closing.run_until_cancelled(rest).await;
        }
    }
}

async fn record_ending(repository: &Repository, outcomes: Vec<JobOutcome>) -> Result<(), DbError> {
    let at = now();
    let noted = repository.db.write(move |write| {
        for (job, outcome) in &outcomes {
            match outcome {
                Ok(()) => write.finish_job(job)?,
                Err(error) => write.postpone_job(job, at + wait_after(job.attempts), error)?,
            }
        }
        Ok(())
    });
    noted.await
}

/// Seconds until the next attempt: 2, 4, 8 … an hour.
fn wait_after(attempts: u32) -> i64 {
    2_i64
        .checked_pow(attempts + 1)
        .unwrap_or(LONGEST_WAIT)
        .min(LONGEST_WAIT)
}

/// Waits for a commit, or until a time in Unix seconds.
async fn until(time: Option<i64>, commits: &mut watch::Receiver<u64>) {
    let seconds = time.map_or(LONGEST_WAIT, |time| (time - now()).clamp(1, LONGEST_WAIT));
    let wait = Duration::from_secs(u64::try_from(seconds).unwrap_or(1));
    tokio::select! {
        () = tokio::time::sleep(wait) => {}
        changed = commits.changed() => if changed.is_err() {
            // The writer has gone; the program is about to close.
            std::future::pending().await
        },
    }
}

fn log(outcome: Result<(), DbError>) {
    if let Err(error) = outcome {
        tracing::error!(%error, "waiting jobs cannot be made due");
    }
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}

#[cfg(test)]
mod tests {
    use super::wait_after;

    #[test]
    fn every_failure_waits_longer_up_to_an_hour() {
        let waits: Vec<i64> = (0..4).map(wait_after).collect();
        assert_eq!(waits, [2, 4, 8, 16]);
        assert_eq!(wait_after(20), 3600);
        assert_eq!(wait_after(u32::MAX - 1), 3600);
    }
}
