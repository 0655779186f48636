//! Turns of the requests of one machine over HTTP/2. There are as many as it may have connections; a request waits for
//! its turn. So a connection of HTTP/2 costs no more than connections of HTTP/1 do.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests may be there for each that is answered.
const THERE_FOR_EACH: usize = 4;

/// The turns of one machine.
pub struct Turns {
    there: Arc<Semaphore>,
    /// Of this machine, and of all of them.
    answered: Arc<Semaphore>,
    all: Arc<Semaphore>,
}

/// The turn of a request, until it is dropped.
pub struct Turn {
    _permits: [OwnedSemaphorePermit; 3],
}

impl Turns {
    /// Turns of a machine, `limit` at the same time, which are turns of all machines, too.
    pub fn new(limit: usize, all: Arc<Semaphore>) -> Turns {
        Turns {
            there: Arc::new(Semaphore::new(
                limit
                    .saturating_mul(THERE_FOR_EACH)
                    .min(Semaphore::MAX_PERMITS),
            )),
            answered: Arc::new(Semaphore::new(limit.min(Semaphore::MAX_PERMITS))),
            all,
        }
    }

    /// Waits for a turn; `None` when too many wait already.
    pub async fn wait(&self) -> Option<Turn> {
        let there = self.there.clone().try_acquire_owned().ok()?;
        let answered = self.answered.clone().acquire_owned().await.ok()?;
        let all = self.all.clone().acquire_owned().await.ok()?;
        Some(Turn {
            _permits: [there, answered, all],
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn requests_wait_for_their_turn_and_only_so_many_wait() {
        let all = Arc::new(Semaphore::new(3));
        let one = Turns::new(2, all.clone());
        let other = Turns::new(2, all);
        let held = [one.wait().await, one.wait().await];
        let mut waiting: Vec<_> = (0..6).map(|_| Box::pin(one.wait())).collect();
        assert!(waiting.iter_mut().all(|wait| wait.now_or_never().is_none()));
        assert!(one.wait().await.is_none());
        assert!(other.wait().await.is_some());
        drop(held);
        let given = waiting
            .into_iter()
            .map(|wait| wait.map(|turn| turn.is_some()));
        assert!(join_all(given).await.into_iter().all(|is_given| is_given));
    }
}
