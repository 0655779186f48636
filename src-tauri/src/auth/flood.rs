//! Flood control: who guesses too often has to wait. Counted per account and address together, so
//! that nobody can lock out somebody else.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Failures that are let pass within `WINDOW`.
const ALLOWED: usize = 5;
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// Pairs that are remembered at most; beyond, those that have been quiet the longest are forgotten.
const PAIRS: usize = 10_000;

type Pair = (String, IpAddr);

/// Remembers failures to sign in.
#[derive(Default)]
pub struct Flood {
    failures: Mutex<HashMap<Pair, Vec<Instant>>>,
}

impl Flood {
    /// How long the pair has to wait before it may try again; `None` when it may now.
    pub fn wait(&self, account: &str, address: IpAddr, now: Instant) -> Option<Duration> {
        let failures = self.failures.lock().ok()?;
        let times = failures.get(&pair(account, address))?;
        let recent: Vec<_> = times
            .iter()
            .filter(|time| now.duration_since(**time) < WINDOW)
            .collect();
        if recent.len() < ALLOWED {
            return None;
        }
        let oldest = recent[recent.len() - ALLOWED];
        Some((*oldest + WINDOW).saturating_duration_since(now))
    }

    /// Counts a failure. Memory stays bounded whatever names are tried.
    pub fn failed(&self, account: &str, address: IpAddr, now: Instant) {
        let Ok(mut failures) = self.failures.lock() else {
            return;
        };
        if failures.len() >= PAIRS {
            forget_old(&mut failures, now);
        }
        let times = failures.entry(pair(account, address)).or_default();
        times.push(now);
        let excess = times.len().saturating_sub(ALLOWED);
        times.drain(..excess);
    }

    /// Forgets the failures of a pair that has signed in.
    pub fn succeeded(&self, account: &str, address: IpAddr) {
        if let Ok(mut failures) = self.failures.lock() {
            failures.remove(&pair(account, address));
        }
    }
}

fn forget_old(failures: &mut HashMap<Pair, Vec<Instant>>, now: Instant) {
    failures.retain(|_, times| {
        times
            .last()
            .is_some_and(|last| now.duration_since(*last) < WINDOW)
    });
    if failures.len() < PAIRS {
        return;
    }
    let mut newest: Vec<Instant> = failures
        .values()
        .filter_map(|times| times.last().copied())
        .collect();
    newest.sort_unstable();
    let middle = newest[newest.len() / 2];
    failures.retain(|_, times| times.last().is_some_and(|last| *last > middle));
}

fn pair(account: &str, address: IpAddr) -> Pair {
    let shortened: String = account.chars().take(128).collect();
    (shortened.to_lowercase(), address)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[test]
    fn five_failures_make_the_pair_wait_and_nobody_else() {
        let flood = Flood::default();
        let start = Instant::now();
        for _ in 0..ALLOWED {
            assert_eq!(flood.wait("mira", HERE, start), None);
            flood.failed("Mira", HERE, start);
        }
        assert_eq!(flood.wait("mira", HERE, start), Some(WINDOW));
        assert_eq!(flood.wait("mira", THERE, start), None);
        assert_eq!(flood.wait("otto", HERE, start), None);
        assert_eq!(flood.wait("mira", HERE, start + WINDOW), None);
    }

    #[test]
    fn success_forgets_failures() {
        let flood = Flood::default();
        let now = Instant::now();
        (0..ALLOWED).for_each(|_| flood.failed("mira", HERE, now));
        flood.succeeded("mira", HERE);
        assert_eq!(flood.wait("mira", HERE, now), None);
    }

    #[test]
    fn memory_is_bounded() {
        let flood = Flood::default();
        let start = Instant::now();
        for number in 0..PAIRS + 10 {
            let later = start + Duration::from_millis(number as u64);
            flood.failed(&format!("name {number}"), HERE, later);
        }
        let failures = flood.failures.lock().expect("not poisoned");
        assert!(failures.len() <= PAIRS);
    }
}
