//! Makes the derivatives of original files (docs/DERIVATIVES.md): takes job rows in their order, makes each derivative in
//! a sandboxed process of its own, and throttles itself while others make changes.

mod file_access;
mod make;
mod process;
mod queue;
mod sandbox;
mod throttle;
mod verdict;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use tokio::task::JoinSet;

pub use sandbox::{ProcessLimits, enter_sandbox};

use crate::repository::Repository;
use isolario_db::DbError;
use isolario_derive::{Kind, path_of};
use isolario_model::content::DerivativeState;
use queue::Queue;
use throttle::WorkThrottle;

/// Whether this process is the program, which can start itself anew, and not one that has it as a library.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Says that this process is the program: started with `derive`, it makes one product.
pub fn program_can_derive() {
    IS_PROGRAM.store(true, Ordering::Relaxed);
}

/// Makes what is to be made until the program closes.
pub async fn make_derivatives(repository: Arc<Repository>) {
    let rules = &repository.config.derivatives;
    if !rules.enabled || !IS_PROGRAM.load(Ordering::Relaxed) {
        return;
    }
    if !file_access::is_supported() {
        tracing::warn!(
            "this kernel has no Landlock: a reader that a file takes over could open what this account may read"
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

/// What a former run left half done waits again, and what lacked a program that is there by now.
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

/// Whether the program is on this machine that a kind of product may need.
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
