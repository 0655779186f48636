//! How a store has answered lately.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use isolario_disk::disk_fault::StoreFault;

/// Answers whose times are remembered.
const REMEMBERED: usize = 100;

/// How a store has answered since the start of the program.
#[derive(Debug, Clone, Default)]
pub struct StoreHealth {
    /// Requests, each with all its repetitions.
    pub requests: u64,
    /// Those of them that failed.
    pub failures: u64,
    /// The last failure, and when it was.
    pub last_failure: Option<(StoreFault, SystemTime)>,
    /// Times to the answer of the last 100 requests that did not fail: the median and the longest.
    pub latency: Option<(Duration, Duration)>,
}

/// Counts requests.
#[derive(Debug, Default)]
pub(crate) struct HealthCounter(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    requests: u64,
    failures: u64,
    last_failure: Option<(StoreFault, SystemTime)>,
    latencies: VecDeque<Duration>,
}

impl HealthCounter {
    /// Counts an answer that came after this time, also one that there is no such object.
    pub(crate) fn answered(&self, after: Duration) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.requests += 1;
        if counts.latencies.len() == REMEMBERED {
            counts.latencies.pop_front();
        }
        counts.latencies.push_back(after);
    }

    /// Counts a request that failed.
    pub(crate) fn failed(&self, fault: StoreFault) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.requests += 1;
        counts.failures += 1;
        counts.last_failure = Some((fault, SystemTime::now()));
    }

    pub(crate) fn read(&self) -> StoreHealth {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latencies: Vec<Duration> = counts.latencies.iter().copied().collect();
        latencies.sort_unstable();
        let median = latencies.get(latencies.len() / 2).copied();
        StoreHealth {
            requests: counts.requests,
            failures: counts.failures,
            last_failure: counts.last_failure,
            latency: median.zip(latencies.last().copied()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answers_count() {
        let counter = HealthCounter::default();
        assert_eq!(counter.read().latency, None);
        for milliseconds in 1..=200 {
            counter.answered(Duration::from_millis(milliseconds));
        }
        counter.failed(StoreFault::Denied);
        let health = counter.read();
        assert_eq!((health.requests, health.failures), (201, 1));
        let expected = (Duration::from_millis(151), Duration::from_millis(200));
        assert_eq!(health.latency, Some(expected));
        assert!(matches!(health.last_failure, Some((StoreFault::Denied, _))));
    }
}
