//! Makes what follows from original files (docs/DERIVATIVES.md): takes rows in their order, has each made in a process
//! of its own that cannot harm this one, and gives way to whoever changes things meanwhile.

mod confine;
mod make;
mod pace;
mod process;
mod queue;
mod reach;
mod verdict;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

pub use confine::{Bounds, confine};

use crate::content::DerivativeState;
use crate::db::DbError;
use crate::derive::{Kind, path_of};
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
    if !reach::can_be_held() {
        tracing::warn!(
            "this kernel has no Landlock: a reader that a file takes over could open what this account may read"
        );
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
        let turn = queue.next().await;
        make::make(&queue.repository, turn.derivative.clone()).await;
        queue.repository.derivatives.happened();
        queue.done(turn);
    }
}
