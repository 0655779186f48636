//! Flood control: who guesses too often has to wait. Counted per account and address together, so that
//! nobody can lock out somebody else, and per address, whatever the names are. Who has signed in from an
//! address lately need not wait for others there who guess.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Failures of an account from an address that are let pass within `WINDOW`.
const ALLOWED: usize = 5;
/// Failures of an address that are let pass within `WINDOW`.
const ALLOWED_OF_ADDRESS: usize = 50;
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// How long an account is known at an address from which it has signed in.
const KNOWN: Duration = Duration::from_secs(24 * 60 * 60);
/// Pairs, and addresses, that are remembered at most.
const MOST: usize = 10_000;

type Pair = (String, IpAddr);

/// Remembers failures to sign in. Memory stays bounded whatever names are tried.
#[derive(Default)]
pub struct Flood(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    pairs: HashMap<Pair, Attempts>,
    addresses: HashMap<IpAddr, Tally>,
}

/// What an account did at an address.
#[derive(Default)]
struct Attempts {
    /// The last failures since it has signed in, at most `ALLOWED`.
    failures: Vec<Instant>,
    signed_in: Option<Instant>,
}

/// Failures of an address, whoever tried.
#[derive(Clone, Copy)]
struct Tally {
    since: Instant,
    failures: usize,
}

impl Flood {
    /// How long the pair has to wait before it may try again; `None` when it may now.
    pub fn wait(&self, account: &str, address: IpAddr, now: Instant) -> Option<Duration> {
        let counts = self.0.lock().ok()?;
        let attempts = counts.pairs.get(&pair(account, address));
        let own = attempts.and_then(|attempts| attempts.wait(now));
        if own.is_some() || attempts.is_some_and(|attempts| attempts.is_known(now)) {
            return own;
        }
        counts.addresses.get(&address)?.wait(now)
    }

    /// Counts a failure; how many more the pair may have before it has to wait.
    pub fn failed(&self, account: &str, address: IpAddr, now: Instant) -> usize {
        let Ok(mut counts) = self.0.lock() else {
            return 0;
        };
        let attempts = counts.attempts(account, address, now);
        attempts.failures.push(now);
        let excess = attempts.failures.len().saturating_sub(ALLOWED);
        attempts.failures.drain(..excess);
        let recent = attempts.failures.iter();
        let recent = recent.filter(|time| now.duration_since(**time) < WINDOW);
        let (left, is_known) = (ALLOWED - recent.count(), attempts.is_known(now));
        let tally = counts.tally(address, now);
        tally.failures += 1;
        let of_address = ALLOWED_OF_ADDRESS.saturating_sub(tally.failures);
        if is_known { left } else { left.min(of_address) }
    }

    /// Forgets the failures of a pair that has signed in, and knows it from now on.
    pub fn succeeded(&self, account: &str, address: IpAddr, now: Instant) {
        if let Ok(mut counts) = self.0.lock() {
            let attempts = counts.attempts(account, address, now);
            attempts.failures.clear();
            attempts.signed_in = Some(now);
        }
    }
}

impl Counts {
    fn attempts(&mut self, account: &str, address: IpAddr, now: Instant) -> &mut Attempts {
        let worth = |attempts: &Attempts| attempts.worth(now);
        evict(&mut self.pairs, worth);
        self.pairs.entry(pair(account, address)).or_default()
    }

    fn tally(&mut self, address: IpAddr, now: Instant) -> &mut Tally {
        let worth = |tally: &Tally| {
            tally
                .is_recent(now)
                .then_some((tally.failures, tally.since))
        };
        evict(&mut self.addresses, worth);
        let none = Tally {
            since: now,
            failures: 0,
        };
        let tally = self.addresses.entry(address).or_insert(none);
        if !tally.is_recent(now) {
            *tally = none;
        }
        tally
    }
}

impl Attempts {
    fn wait(&self, now: Instant) -> Option<Duration> {
        let recent = self.failures.iter();
        let mut recent = recent.filter(|time| now.duration_since(**time) < WINDOW);
        let oldest = *recent.next()?;
        let is_held_off = recent.count() + 1 >= ALLOWED;
        is_held_off.then(|| (oldest + WINDOW).saturating_duration_since(now))
    }

    fn is_known(&self, now: Instant) -> bool {
        let since = self.signed_in.map(|time| now.duration_since(time));
        since.is_some_and(|since| since < KNOWN)
    }

    /// How long an entry is kept. Entries that must wait or are known are evicted last, and of each group the one that
    /// was quiet the longest goes first. `None`: the entry has no worth.
    fn worth(&self, now: Instant) -> Option<(bool, Instant)> {
        let is_known = self.is_known(now);
        let failed = self.failures.last().copied();
        let failed = failed.filter(|time| now.duration_since(*time) < WINDOW);
        let last = failed.max(self.signed_in.filter(|_| is_known))?;
        Some((is_known || self.wait(now).is_some(), last))
    }
}

impl Tally {
    fn is_recent(&self, now: Instant) -> bool {
        now.duration_since(self.since) < WINDOW
    }

    fn wait(&self, now: Instant) -> Option<Duration> {
        let is_held_off = self.is_recent(now) && self.failures >= ALLOWED_OF_ADDRESS;
        is_held_off.then(|| (self.since + WINDOW).saturating_duration_since(now))
    }
}

/// Removes entries of no worth. Where too many remain, it removes the half of least worth.
fn evict<K: Eq + Hash, V, W: Ord>(entries: &mut HashMap<K, V>, worth: impl Fn(&V) -> Option<W>) {
    if entries.len() < MOST {
        return;
    }
    entries.retain(|_, entry| worth(entry).is_some());
    if entries.len() < MOST {
        return;
    }
    let mut worths: Vec<Option<W>> = entries.values().map(&worth).collect();
    worths.sort_unstable();
    let middle = worths.swap_remove(MOST / 2);
    entries.retain(|_, entry| worth(entry) > middle);
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
        for left in (0..ALLOWED).rev() {
            assert_eq!(flood.wait("mira", HERE, start), None);
            assert_eq!(flood.failed("Mira", HERE, start), left);
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
        (0..ALLOWED).for_each(|_| _ = flood.failed("mira", HERE, now));
        flood.succeeded("mira", HERE, now);
        assert_eq!(flood.wait("mira", HERE, now), None);
    }

    #[test]
    fn many_names_make_their_address_wait_but_not_who_has_signed_in_there() {
        let flood = Flood::default();
        let start = Instant::now();
        flood.succeeded("mira", HERE, start);
        for number in 0..ALLOWED_OF_ADDRESS {
            assert_eq!(flood.wait("otto", HERE, start), None);
            flood.failed(&format!("name {number}"), HERE, start);
        }
        assert_eq!(flood.wait("otto", HERE, start), Some(WINDOW));
        assert_eq!(
            flood.failed("otto", HERE, start),
            0,
            "none are left of the address"
        );
        assert_eq!(flood.wait("otto", THERE, start), None);
        assert_eq!(flood.wait("otto", HERE, start + WINDOW), None);
        assert_eq!(flood.wait("mira", HERE, start), None);
        (0..ALLOWED).for_each(|_| _ = flood.failed("mira", HERE, start));
        assert_eq!(flood.wait("mira", HERE, start), Some(WINDOW));
        // To sign in oneself buys no more guesses.
        flood.succeeded("eve", HERE, start);
        assert_eq!(flood.wait("otto", HERE, start), Some(WINDOW));
    }

    #[test]
    fn whoever_has_to_wait_does_so_whatever_else_is_tried_meanwhile() {
        let flood = Flood::default();
        let start = Instant::now();
        (0..ALLOWED).for_each(|_| _ = flood.failed("mira", HERE, start));
        for number in 0..3 * MOST {
            let later = start + Duration::from_millis(number as u64);
            let address = IpAddr::from((0x0a00_0000 + number as u32).to_be_bytes());
            flood.failed(&format!("name {number}"), address, later);
        }
        assert!(flood.wait("mira", HERE, start).is_some());
    }

    #[test]
    fn memory_is_bounded() {
        let flood = Flood::default();
        let start = Instant::now();
        for number in 0..MOST + 10 {
            let later = start + Duration::from_millis(number as u64);
            let address = IpAddr::from((0x0a00_0000 + number as u32).to_be_bytes());
            flood.failed(&format!("name {number}"), address, later);
        }
        let counts = flood.0.lock().expect("not poisoned");
        assert!(counts.pairs.len() <= MOST && counts.addresses.len() <= MOST);
    }
}
