//! The current state of a watched folder. The ledger has its history.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Length of time over which a rate is computed.
const WINDOW: Duration = Duration::from_secs(60);

/// What was ingested in a second.
struct Moment {
    at: Instant,
    files: u64,
    bytes: u64,
}

/// The rate of ingests.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IngestRate {
    /// Per second.
    pub files: f64,
    pub bytes: f64,
}

/// A watched folder at this moment.
#[derive(Default)]
pub struct Live {
    problem: Mutex<Option<String>>,
    polled: Mutex<Option<bool>>,
    /// Wakes the watcher of the folder.
    pub(super) wake: Notify,
    taken: Mutex<VecDeque<Moment>>,
}

impl Live {
    /// Why nothing is ingested from the folder. A sentence.
    pub fn problem(&self) -> Option<String> {
        lock(&self.problem).clone()
    }

    /// Whether the folder is polled, because the system gives no change notices; `None` before it is watched.
    pub fn polled(&self) -> Option<bool> {
        *lock(&self.polled)
    }

    /// The rate of ingests; `None` where none ended in the last minute.
    pub fn rate(&self) -> Option<IngestRate> {
        let mut taken = lock(&self.taken);
        while taken
            .front()
            .is_some_and(|moment| moment.at.elapsed() > WINDOW)
        {
            taken.pop_front();
        }
        let first = taken.front()?;
        let seconds = first.at.elapsed().as_secs_f64().max(1.0);
        let sum = |count: fn(&Moment) -> u64| taken.iter().map(count).sum::<u64>();
        #[expect(clippy::cast_precision_loss, reason = "a rate need not be exact")]
        let per_second = |count: u64| count as f64 / seconds;
        Some(IngestRate {
            files: per_second(sum(|moment| moment.files)),
            bytes: per_second(sum(|moment| moment.bytes)),
        })
    }

    /// Sets or clears the reason why nothing is ingested. Returns whether that changed.
    pub(super) fn set_problem(&self, problem: Option<String>) -> bool {
        let mut before = lock(&self.problem);
        let new = *before != problem;
        *before = problem;
        new
    }

    pub(super) fn set_polled(&self, polled: bool) {
        *lock(&self.polled) = Some(polled);
    }

    /// Records a file that was ingested.
    pub(super) fn took(&self, bytes: u64) {
        let mut taken = lock(&self.taken);
        match taken.back_mut() {
            Some(last) if last.at.elapsed() < Duration::from_secs(1) => {
                last.files += 1;
                last.bytes += bytes;
            }
            _ => taken.push_back(Moment {
                at: Instant::now(),
                files: 1,
                bytes,
            }),
        }
        if taken.len() > 100 {
            taken.pop_front();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_last_minute() {
        let live = Live::default();
        assert_eq!(live.rate(), None);
        live.took(500);
        live.took(1500);
        let rate = live.rate().unwrap();
        assert!(
            rate.files > 0.0 && rate.bytes / rate.files == 1000.0,
            "{rate:?}"
        );
    }

    #[test]
    fn a_problem_is_told_once() {
        let live = Live::default();
        assert!(live.set_problem(Some("gone".into())));
        assert!(!live.set_problem(Some("gone".into())));
        assert!(live.set_problem(None));
    }
}
