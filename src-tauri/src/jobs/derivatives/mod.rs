//! Makes what follows from original files (docs/DERIVATIVES.md): takes rows in their order, has each made in a process
//! of its own that cannot harm this one, and gives way to whoever changes things meanwhile.

mod confine;
mod make;
mod pace;
mod process;
mod queue;
mod tools;
mod verdict;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

pub use confine::confine;

use crate::db::DbError;
use crate::repository::Repository;
use pace::Pace;
use queue::Queue;

/// How things stand with what is made of original files, for those who look.
pub struct Derivatives {
    wake: Notify,
    changes: watch::Sender<u64>,
}

impl Default for Derivatives {
    fn default() -> Derivatives {
        Derivatives {
            wake: Notify::new(),
            changes: watch::channel(0).0,
        }
    }
}

impl Derivatives {
    /// Looks at once what is to be made.
    pub fn wake(&self) {
        self.wake.notify_waiters();
        self.happened();
    }

    /// Counts what happens; wakes those who wait for it.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn happened(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

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
    if let Err(error) = resume(&repository).await {
        tracing::error!(%error, "what was being made cannot be taken up again");
    }
    let processors = available_parallelism().map_or(1, usize::from);
    let pace = Arc::new(Pace::default());
    let mut hands = JoinSet::new();
    hands.spawn(pace::listen(repository.clone(), pace.clone()));
    for _ in 0..rules.workers_on(processors) {
        let queue = Queue::new(repository.clone(), pace.clone());
        hands.spawn(work_on(queue));
    }
    // What is left of the work waits for the next start; processes end with those who wait for them.
    repository.closing.cancelled().await;
}

/// What a former run left half done waits again, and what failed for want of a program that is there by now.
async fn resume(repository: &Repository) -> Result<(), DbError> {
    const SETTING: &str = "derivatives.tools";
    let found = tools::found();
    let at = chrono::Utc::now().timestamp();
    let write = repository.db.write(move |write| -> Result<(), DbError> {
        write.resume_derivatives(at)?;
        if write.setting(SETTING)?.as_ref() != Some(&found) {
            write.resume_lacking_derivatives(at)?;
            write.set_setting(SETTING, &found)?;
        }
        Ok(())
    });
    write.await
}

async fn work_on(mut queue: Queue) {
    loop {
        let turn = queue.next().await;
        make::make(&queue.repository, turn.derivative.clone()).await;
        queue.repository.derivatives.happened();
        queue.done(turn);
    }
}
