//! Makes the derivatives of original files (docs/DERIVATIVES.md). It runs the jobs in their order, each in a sandboxed
//! process of its own, and slows down while others make changes.

mod file_access;
mod make;
mod process;
mod queue;
mod sandbox;
mod throttle;
mod tiles;
mod verdict;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use tokio::task::JoinSet;

pub(super) use make::{DerivativeError, DerivativeResult, produce};
pub(in crate::jobs) use process::FilePart;
pub use sandbox::{ProcessLimits, enter_sandbox};
pub use tiles::{TiledPicture, Tiles, tiles};

use crate::repository::Repository;
use isolario_db::DbError;
use isolario_derive::{Kind, path_of};
use isolario_model::content::DerivativeState;
use isolario_platform::sandbox::can_restrict_files;
use queue::Queue;
use throttle::WorkThrottle;

/// Whether this process is the program, which can start itself again, and not a test that uses the library.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Declares that this process is the program. Started with `derive`, it makes one derivative.
pub fn program_can_derive() {
    IS_PROGRAM.store(true, Ordering::Relaxed);
}

/// Whether this process makes derivatives.
pub(super) fn may_derive(repository: &Repository) -> bool {
    repository.config.derivatives.enabled && IS_PROGRAM.load(Ordering::Relaxed)
}

/// Runs jobs until the program closes.
pub async fn make_derivatives(repository: Arc<Repository>) {
    let rules = &repository.config.derivatives;
    if !may_derive(&repository) {
        return;
    }
    if !can_restrict_files() {
        tracing::warn!(
            "this system does not restrict the files that a reader opens, as Linux does by Landlock: one that a file takes over could open what this account may read"
        );
    }
    if let Err(error) = resume(&repository).await {
        tracing::error!(%error, "what was being made cannot be taken up again");
    }
    let processors = available_parallelism().map_or(1, usize::from);
    let throttle = Arc::new(WorkThrottle::default());
    let mut workers = JoinSet::new();
    workers.spawn(throttle::listen(repository.clone(), throttle.clone()));
    for _ in 0..rules.workers_on(processors) {
        let queue = Queue::new(repository.clone(), throttle.clone());
        workers.spawn(work_on(queue));
    }
    // Unfinished jobs wait for the next start. Dropping the workers kills their processes.
    repository.closing.cancelled().await;
}

/// Lets jobs wait again that a former run did not finish, and those that lacked a program which is now installed.
async fn resume(repository: &Repository) -> Result<(), DbError> {
    let at = chrono::Utc::now().timestamp();
    let write = repository.db.write(move |write| -> Result<(), DbError> {
        write.resume_derivatives(at)?;
        for count in write.derivative_counts()? {
            if count.state == DerivativeState::Lacking && can_be_made(&count.kind) {
                write.resume_lacking_derivatives(&count.kind, at)?;
            }
        }
        Ok(())
    });
    write.await
}

/// Whether this machine has the program that a kind of derivative needs.
fn can_be_made(kind: &str) -> bool {
    let kind: Option<Kind> = kind.parse().ok();
    let program = kind.and_then(Kind::other_program);
    program.is_none_or(|name| path_of(name).is_some())
}

async fn work_on(mut queue: Queue) {
    loop {
        let job = queue.next().await;
        make::make(&queue.repository, job.derivative.clone()).await;
        queue.repository.derivatives.happened();
        queue.done(job);
    }
}
