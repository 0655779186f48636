//! Does the work that waits, in the background, and gives way to whoever writes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::work::{Outcome, do_all};
use crate::db::DbError;
use crate::repository::Repository;

/// How long changes may gather before their work begins: a busy thing is worked on once.
const GATHERING: Duration = Duration::from_secs(2);
/// Pieces of work at once.
const MANY: u32 = 500;
/// As many where others may be writing: they wait for no more than this.
const FEW: u32 = 50;
/// While others write, rest so many times as long as the work took.
const REST: u32 = 20;
/// Longest time between two attempts, seconds.
const LONGEST_WAIT: i64 = 3600;

/// Works until the program closes.
pub async fn run(repository: Arc<Repository>) {
    let closing = repository.closing.clone();
    tokio::select! {
        () = closing.cancelled() => {}
        () = work_on(&repository) => {}
    }
}

async fn work_on(repository: &Repository) {
    let mut commits = repository.db.commits();
    let started = repository.db.write(|write| write.hasten_jobs()).await;
    log(started);
    loop {
        tokio::time::sleep(GATHERING).await;
        let next = clear(repository, &mut commits).await;
        let next = next.unwrap_or_else(|error| {
            tracing::error!(%error, "waiting work cannot be looked at");
            Some(now() + LONGEST_WAIT)
        });
        until(next, &mut commits).await;
    }
}

/// Does everything that is due; returns when the next is, in Unix seconds.
async fn clear(
    repository: &Repository,
    commits: &mut watch::Receiver<u64>,
) -> Result<Option<i64>, DbError> {
    let mut batch = FEW;
    loop {
        let before = *commits.borrow_and_update();
        let began = Instant::now();
        let jobs = repository
            .db
            .read(move |read| read.due_jobs(now(), batch))
            .await?;
        if jobs.is_empty() {
            return repository.db.read(|read| read.next_due()).await;
        }
        let outcomes = do_all(repository, jobs).await;
        note(repository, outcomes).await?;
        // One commit is this work's own.
        let others_write = *commits.borrow() > before + 1;
        batch = if others_write { FEW } else { MANY };
        if others_write {
            tokio::time::sleep(began.elapsed() * REST).await;
        }
    }
}

async fn note(repository: &Repository, outcomes: Vec<Outcome>) -> Result<(), DbError> {
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
        tracing::error!(%error, "waiting work cannot be hastened");
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
