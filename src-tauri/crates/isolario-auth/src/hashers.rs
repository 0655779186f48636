//! Threads that hash passwords, always the same few, each with the memory it hashes in. However many ask,
//! and however many of them have gone meanwhile, no more is hashed at the same time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

use super::argon::Memory;

type Job = Box<dyn FnOnce(&mut Memory) + Send>;

/// A few threads and the work that waits for them. They end with it.
pub struct Hashers {
    jobs: Sender<Job>,
    #[cfg(test)]
    begun: std::sync::atomic::AtomicUsize,
}

impl Hashers {
    /// Starts so many threads.
    pub fn start(count: usize) -> Hashers {
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..count {
            let waiting = waiting.clone();
            let thread = std::thread::Builder::new().name("passwords".to_owned());
            if let Err(error) = thread.spawn(move || work(&waiting)) {
                tracing::error!(%error, "a thread for passwords could not be started");
            }
        }
        Hashers {
            jobs,
            #[cfg(test)]
            begun: Default::default(),
        }
    }

    /// How much work there was.
    #[cfg(test)]
    pub fn done(&self) -> usize {
        self.begun.load(std::sync::atomic::Ordering::SeqCst)
    }

    /// Does some work on one of the threads; `None` when that is not possible.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Option<T> {
        #[cfg(test)]
        self.begun.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let (done, outcome) = oneshot::channel();
        let job: Job = Box::new(move |memory| {
            // Whoever asked may have gone, before the work or during it.
            if !done.is_closed() {
                let _ = done.send(work(memory));
            }
        });
        self.jobs.send(job).ok()?;
        outcome.await.ok()
    }
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    let mut memory = Memory::default();
    loop {
        let next = match waiting.lock() {
            Ok(waiting) => waiting.recv(),
            Err(_) => return,
        };
        let Ok(job) = next else { return };
        // What panics fails alone.
        let _ = catch_unwind(AssertUnwindSafe(|| job(&mut memory)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_and_a_panic_ends_only_itself() {
        let hashers = Hashers::start(1);
        assert_eq!(hashers.run(|_| 1).await, Some(1));
        let broken: Option<()> = hashers.run(|_| panic!("on purpose")).await;
        assert_eq!(broken, None);
        assert_eq!(hashers.run(|_| 2).await, Some(2));
        assert_eq!(Hashers::start(0).run(|_| 3).await, None);
    }
}
